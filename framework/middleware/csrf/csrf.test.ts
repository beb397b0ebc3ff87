import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../../app/app.js';
import { MemoryStore } from '../../session/memory-store.js';
import { session } from '../../session/session.js';
import { TestClient } from '../../testing/index.js';
import { rateLimiter } from '../rate-limit/rate-limiter.js';
import { Csrf, type CsrfOptions, csrf, csrfToken } from './index.js';

const secret = 'a'.repeat(32);
const NAME = '__Host-csrf';
const ORIGIN = 'https://app.example';

function appWith(options: Partial<CsrfOptions> = {}, sessions = false): App {
  const app = new App();
  if (sessions) app.use(session(new MemoryStore()));
  return app
    .use(csrf({ secret, ...options }))
    .get('/', (ctx) => ctx.html(csrfToken(ctx)))
    .get('/plain', () => 'plain')
    .get('/shared', (ctx) => ctx.header('Cache-Control', 'public, max-age=60').text('shared'))
    .post('/', async (ctx) => ctx.text(await ctx.req.text()))
    .post('/form', async (ctx) => Object.fromEntries(await ctx.req.formData()))
    .post('/login', (ctx) => ctx.session().signIn('ada'))
    .post('/login-page', (ctx) => {
      ctx.session().signIn('ada');
      return ctx.html(csrfToken(ctx));
    })
    .post('/webhooks', () => 'hook')
    .post('/webhooks/a', () => 'hook')
    .post('/webhooksx', () => 'hook');
}

const clientOf = (app: App, headers: Record<string, string> = {}) =>
  new TestClient(app, { origin: ORIGIN, headers });

/** A client with the cookie, and its token. */
async function visited(app: App) {
  const client = clientOf(app);
  await client.get('/plain');
  return { client, token: client.cookie(NAME) ?? '' };
}

const send = (client: TestClient, token: string, headers: Record<string, string> = {}) =>
  client.post('/', { json: { a: 1 }, headers: { 'X-CSRF-Token': token, ...headers } });

describe('csrf', () => {
  it('gives a cookie that scripts can read, once', async () => {
    const client = clientOf(appWith());
    const first = await client.get('/plain');
    expect(first.header('set-cookie')).toMatch(
      /^__Host-csrf=[\w-]{43}\.[\w-]{22}; Path=\/; Secure; SameSite=Lax$/,
    );
    first.assertHeader('cache-control', 'no-store');
    const second = await client.get('/plain');
    expect(second.header('set-cookie')).toBeUndefined();
    expect(second.header('cache-control')).toBeUndefined();
  });

  it('accepts fetch with the token in a header field', async () => {
    const { client, token } = await visited(appWith());
    (await send(client, token, { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }))
      .assertStatus(200)
      .assertText('{"a":1}');
  });

  it('accepts forms with the token in a field, and leaves the body to the handler', async () => {
    const client = clientOf(appWith());
    const page = await client.get('/');
    page.assertHeader('cache-control', 'no-store');
    const token = page.text();
    expect(token).toBe(client.cookie(NAME));
    const urlencoded = {
      body: `a=1&_csrf=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    (await client.post('/form', urlencoded)).assertJson({ a: '1', _csrf: token });
    const form = new FormData();
    form.append('a', '1');
    form.append('_csrf', token);
    (await client.post('/form', { form })).assertJson({ a: '1', _csrf: token });
    form.set('_csrf', 'wrong');
    (await client.post('/form', { form })).assertStatus(403);
    form.set('_csrf', new Blob([token]));
    (await client.post('/form', { form })).assertStatus(403);
  });

  it('works over a socket', async () => {
    const server = await appWith({ secure: false }).listen(0);
    const page = await fetch(server.url);
    const token = await page.text();
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { cookie, origin: new URL(server.url).origin, 'x-csrf-token': token };
    expect((await fetch(server.url, { method: 'POST', headers })).status).toBe(200);
    expect(
      (await fetch(server.url, { method: 'POST', headers: { ...headers, 'x-csrf-token': '' } })).status,
    ).toBe(403);
    await server.close();
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('leaves %s alone, whatever page it comes from', async (method) => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await clientOf(appWith()).request(method, '/plain', { headers })).status).toBeLessThan(300);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('refuses %s without a token', async (method) => {
    const app = appWith();
    app.all('/any', () => 'reached');
    (await clientOf(app).request(method, '/any')).assertStatus(403);
  });

  it.each([
    'application/json',
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/csp-report',
    'image/png',
    ',',
  ])('refuses a body of the type %j without a token', async (type) => {
    const { client } = await visited(appWith());
    const response = await client.post('/', { body: '{"a":1}', headers: { 'content-type': type } });
    expect([400, 403]).toContain(response.status);
    expect(response.text()).not.toContain('"a"');
  });

  it('says what to send, gives a valid cookie with the refusal, and no details', async () => {
    const client = clientOf(appWith());
    const refused = await client.post('/');
    refused.assertStatus(403).assertJson({
      error: 'Forbidden',
      message:
        "the CSRF token is missing or wrong: send the value of the cookie '__Host-csrf' in the header field 'X-CSRF-Token'",
    });
    (await send(client, client.cookie(NAME) ?? '')).assertStatus(200);
  });

  it('reads no body without a valid cookie', async () => {
    const pull = vi.fn();
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    (await clientOf(appWith()).post('/form', { body, headers })).assertStatus(403);
    expect(pull).not.toHaveBeenCalled();
  });

  it('does not set a cookie on what caches may share', async () => {
    expect((await clientOf(appWith()).get('/shared')).header('set-cookie')).toBeUndefined();
  });

  it.each(['private, max-age=60', 'no-store', 'No-Cache'])(
    'sets a cookie on what caches do not share: %s',
    async (control) => {
      const app = appWith().get('/own', (ctx) => ctx.header('Cache-Control', control).text('own'));
      const own = await clientOf(app).get('/own');
      expect(own.header('set-cookie')).toMatch(/^__Host-csrf=/);
      own.assertHeader('cache-control', 'no-store');
    },
  );

  it('lets no cache keep a page with a token, also for who has the cookie already', async () => {
    const { client } = await visited(appWith());
    const page = await client.get('/');
    expect(page.header('set-cookie')).toBeUndefined();
    page.assertHeader('cache-control', 'no-store');
    const app = appWith().get('/page', (ctx) => {
      ctx.header('Cache-Control', 'public, max-age=60');
      return ctx.html(csrfToken(ctx));
    });
    const shared = await clientOf(app).get('/page');
    expect(shared.header('set-cookie')).toContain(shared.text());
    shared.assertHeader('cache-control', 'no-store');
  });

  it('looks at the header field before the form', async () => {
    const { client, token } = await visited(appWith());
    const form = new FormData();
    form.append('_csrf', 'wrong');
    (await client.post('/form', { form, headers: { 'X-CSRF-Token': token } })).assertStatus(200);
    form.set('_csrf', token);
    (await client.post('/form', { form, headers: { 'X-CSRF-Token': 'wrong' } })).assertStatus(403);
  });

  it('says of a form that is too large that it is, not that it has no token', async () => {
    const app = new App()
      .maxBodySize(100)
      .use(csrf({ secret }))
      .get('/plain', () => 'plain');
    const { client } = await visited(app.post('/form', () => 'posted'));
    const form = new FormData();
    form.append('a', 'x'.repeat(200));
    (await client.post('/form', { form })).assertStatus(413);
  });
});

describe('tokens', () => {
  it.each([
    ['planted by another site', () => `${'A'.repeat(43)}.${'A'.repeat(22)}`],
    ['signed with another secret', () => forged('b'.repeat(32), '')],
    ['of another session', () => forged(secret, 'x'.repeat(43))],
    ['changed', (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['with another mark between its parts', (token: string) => token.replace('.', '_')],
    ['without the random part', (token: string) => token.slice(0, 44)],
    ['of the random part alone', (token: string) => token.slice(43)],
    ['empty', () => ''],
    ['undefined', () => 'undefined'],
  ])('are refused if %s, though cookie and header field agree', async (_what, change) => {
    const { token } = await visited(appWith());
    const bad = change(token);
    (await send(clientOf(appWith(), { cookie: `${NAME}=${bad}` }), bad)).assertStatus(403);
  });

  it.each([
    ['several cookies', (token: string) => `${NAME}=${forged(secret, '')}; ${NAME}=${token}`],
    ['a cookie of another case', (token: string) => `__host-csrf=${token}`],
    ['a cookie without the prefix', (token: string) => `csrf=${token}`],
    ['no cookie', () => 'a=b'],
  ])('are refused with %s', async (_what, cookie) => {
    const { token } = await visited(appWith());
    (await send(clientOf(appWith(), { cookie: cookie(token) }), token)).assertStatus(403);
  });

  it('of one client are worthless to another', async () => {
    const app = appWith();
    const [one, other] = [await visited(app), await visited(app)];
    (await send(one.client, other.token)).assertStatus(403);
  });

  it('are bound to the session: sign-in makes new ones', async () => {
    const app = appWith({}, true);
    const { client, token } = await visited(app);
    (await client.post('/login', { headers: { 'X-CSRF-Token': token } })).assertStatus(204);
    const cookie = `__Host-sid=${client.cookie('__Host-sid')}; ${NAME}=${token}`;
    (await send(clientOf(app, { cookie }), token)).assertStatus(403);
    expect(client.cookie(NAME)).not.toBe(token);
    (await send(client, client.cookie(NAME) ?? '')).assertStatus(200);
    // Of another session of the same app.
    const other = await visited(app);
    (await other.client.post('/login', { headers: { 'X-CSRF-Token': other.token } })).assertStatus(204);
    const planted = `__Host-sid=${client.cookie('__Host-sid')}; ${NAME}=${other.client.cookie(NAME)}`;
    (await send(clientOf(app, { cookie: planted }), other.client.cookie(NAME) ?? '')).assertStatus(403);
  });

  it('in a page that is made while someone signs in are those of the new session', async () => {
    const { client, token } = await visited(appWith({}, true));
    const page = await client.post('/login-page', { headers: { 'X-CSRF-Token': token } });
    expect(page.text()).toBe(client.cookie(NAME));
    (await send(client, page.text())).assertStatus(200);
  });

  it('signed with an earlier secret are accepted', async () => {
    const { token } = await visited(appWith());
    const app = appWith({ secret: ['b'.repeat(32), secret] });
    (await send(clientOf(app, { cookie: `${NAME}=${token}` }), token)).assertStatus(200);
    const fresh = await visited(app);
    (await send(clientOf(appWith(), { cookie: `${NAME}=${fresh.token}` }), fresh.token)).assertStatus(403);
  });

  /** What someone with another secret, or for another session, could make. */
  function forged(key: string, ofSession: string): string {
    const random = 'A'.repeat(22);
    const mac = createHmac('sha256', key).update(`fw csrf\n${ofSession}\n${random}`).digest('base64url');
    return `${mac}.${random}`;
  }
});

describe('the origin of a request', () => {
  const status = async (
    headers: Record<string, string>,
    options: Partial<CsrfOptions> = {},
    origin = ORIGIN,
  ) => {
    const client = new TestClient(appWith({ cookieName: 'csrf', ...options }), { origin });
    await client.get('/plain');
    const token = client.cookie('csrf') ?? '';
    // As behind a proxy, which gets the secure cookie over HTTPS.
    const sent = { cookie: `csrf=${token}`, 'X-CSRF-Token': token, ...headers };
    return (await client.post('/', { headers: sent })).status;
  };

  it.each([
    'null',
    'https://app.example.evil.example',
    'https://evilapp.example',
    'https://app.example@evil.example',
    'https://app.example:8443',
    'https://sub.app.example',
    'https://APP.example',
    'https://app.example.',
    'https://app.example/',
    'https://app.example, https://evil.example',
    'http://app.example',
    'file://',
    '',
    'app.example',
  ])('is refused if it is %j, even with the token', async (origin) => {
    expect(await status({ origin })).toBe(403);
  });

  it('may be null, as forms of a page with Referrer-Policy: no-referrer send it, for a page of this origin', async () => {
    expect(await status({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(200);
    for (const site of ['none', 'same-site', 'cross-site', 'same-origin, same-origin']) {
      expect(await status({ origin: 'null', 'sec-fetch-site': site })).toBe(403);
    }
  });

  it.each(['cross-site', 'same-site', 'Same-Origin', 'none, same-origin', ''])(
    'is refused if Sec-Fetch-Site is %j, even with the token',
    async (site) => {
      expect(await status({ 'sec-fetch-site': site })).toBe(403);
      expect(await status({ 'sec-fetch-site': site, origin: ORIGIN })).toBe(403);
    },
  );

  it.each(['https://evil.example', 'http://app.example'])(
    'is refused if it is %s, though Sec-Fetch-Site says that the page is of this origin',
    async (origin) => {
      expect(await status({ origin, 'sec-fetch-site': 'same-origin' })).toBe(403);
    },
  );

  it('is accepted if it is that of the app, or neither field was sent', async () => {
    expect(await status({})).toBe(200);
    expect(await status({ origin: ORIGIN })).toBe(200);
    expect(await status({ 'sec-fetch-site': 'none' })).toBe(200);
    // A proxy ends TLS and passes the host on.
    expect(await status({ origin: ORIGIN }, {}, 'http://app.example')).toBe(200);
    expect(await status({ origin: 'http://localhost:3000' }, {}, 'http://localhost:3000')).toBe(200);
    expect(await status({ origin: 'http://app.test' }, { secure: false }, 'http://app.test')).toBe(200);
  });

  it('is refused if it is foreign to an app on a loopback host or over plain HTTP too', async () => {
    const headers = { origin: 'http://evil.example' };
    expect(await status(headers, {}, 'http://localhost:3000')).toBe(403);
    expect(await status(headers, { secure: false }, 'http://app.test')).toBe(403);
    expect(await status({ origin: 'http://localhost:4000' }, {}, 'http://localhost:3000')).toBe(403);
  });

  it('may be one of a list, which is compared exactly', async () => {
    const origins = ['https://web.example'];
    const headers = { origin: 'https://web.example', 'sec-fetch-site': 'cross-site' };
    expect(await status(headers, { origins })).toBe(200);
    expect(await status({ ...headers, origin: 'https://web.example.evil' }, { origins })).toBe(403);
    expect(await status({ ...headers, 'X-CSRF-Token': '' }, { origins })).toBe(403);
  });
});

describe('options', () => {
  it('leave paths out with everything below them, and nothing that only begins like them', async () => {
    const client = clientOf(appWith({ except: ['/webhooks'] }));
    (await client.post('/webhooks')).assertStatus(200);
    (await client.post('/webhooks/a')).assertStatus(200);
    (await client.post('/webhooksx')).assertStatus(403);
  });

  it('leave requests out by a function', async () => {
    const except: CsrfOptions['except'] = (ctx) =>
      ctx.req.header('authorization')?.startsWith('Bearer ') === true;
    const client = clientOf(appWith({ except }));
    (await client.post('/', { headers: { authorization: 'Bearer x' } })).assertStatus(200);
    (await client.post('/', { headers: { authorization: 'Basic x' } })).assertStatus(403);
  });

  it.each([
    ['asynchronous', async () => false, 500],
    ['neither true nor false', () => 1 as never, 403],
  ])('leave nothing out by a function that is %s', async (_, except, status) => {
    const client = clientOf(appWith({ except: except as never }));
    (await client.post('/')).assertStatus(status);
  });

  it('are taken from a builder', async () => {
    const app = new App()
      .use(
        new Csrf(secret)
          .headerName('X-T')
          .fieldName('t')
          .cookieName('c')
          .secure(false)
          .origins([])
          .except([])
          .build(),
      )
      .get('/', (ctx) => csrfToken(ctx))
      .post('/', () => 'ok');
    const client = clientOf(app);
    const token = (await client.get('/')).text();
    expect(client.cookie('c')).toBe(token);
    (await client.post('/', { headers: { 'X-T': token } })).assertStatus(200);
    (
      await client.post('/', {
        body: new URLSearchParams({ t: token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).assertStatus(200);
  });

  it('are taken from a builder one by one', async () => {
    const built = (change: (csrf: Csrf) => Csrf) =>
      new App()
        .use(change(new Csrf(secret)).build())
        .get('/', (ctx) => csrfToken(ctx))
        .post('/', () => 'posted');
    const plain = await clientOf(built((one) => one.secure(false))).get('/');
    expect(plain.header('set-cookie')).toMatch(/^csrf=[^;]+; Path=\/; SameSite=Lax$/);
    const posted = async (app: App) => {
      const client = clientOf(app);
      const token = (await client.get('/')).text();
      const headers = { 'X-CSRF-Token': token, origin: 'https://web.example' };
      return (await client.post('/', { headers })).status;
    };
    expect(await posted(built((one) => one))).toBe(403);
    expect(await posted(built((one) => one.allowedOrigins(['https://web.example'])))).toBe(200);
  });

  it.each([
    [{ secret: '' }, 'the secret is empty'],
    [{ secret: 'short' }, 'the secret has only 5 bytes'],
    [{ secret: 'a'.repeat(31) }, 'the secret has only 31 bytes'],
    [{ secret: undefined as never }, 'the secret is undefined'],
    [{ secret: [] }, 'the list of secrets is empty'],
    [{ secret: [secret, 'old'] }, 'the secret has only 3 bytes'],
    [{ secret, headerName: 'X Y' }, "headerName is 'X Y'; give the name of a header field"],
    [{ secret, fieldName: '' }, "fieldName is ''; give a text that is not empty"],
    [{ secret, cookieName: '__Host-a', secure: false }, 'its prefix needs Secure'],
    [
      { secret, origins: ['https://a.example/'] },
      "origins[0] is 'https://a.example/'; give 'https://a.example'",
    ],
    [{ secret, origins: ['null'] }, "origins[0] is 'null'"],
    [{ secret, except: ['/'] }, "except[0] is '/'; give a path such as '/webhooks'"],
    [{ secret, except: ['/a/*'] }, "except[0] is '/a/*'"],
    [{ secret, except: ['webhooks'] }, "except[0] is 'webhooks'"],
  ] satisfies [CsrfOptions, string][])('are refused if malformed: %#', (options, message) => {
    expect(() => csrf(options)).toThrow(message);
  });

  it('count the bytes of a secret, not its characters', () => {
    expect(() => csrf({ secret: 'ä'.repeat(16) })).not.toThrow();
  });

  it('name the command that makes a secret, which makes a good one, and never show the secret', () => {
    const messageOf = (): string => {
      try {
        csrf({ secret: 'hunter2' });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(messageOf()).toContain(`node -p "crypto.randomBytes(32).toString('base64url')"`);
    expect(messageOf()).not.toContain('hunter2');
  });

  it('say in which order the middleware runs', async () => {
    const app = new App()
      .use(csrf({ secret }))
      .use(session(new MemoryStore()))
      .get('/', () => 'x');
    (await clientOf(app).get('/')).assertStatus(500);
    const cancel = vi.fn();
    const streams = new App()
      .use(csrf({ secret }))
      .use(session(new MemoryStore()))
      .get(
        '/',
        () => new Response(new ReadableStream({ start: (to) => to.enqueue(Buffer.from('x')), cancel })),
      );
    (await clientOf(streams).get('/')).assertStatus(500);
    expect(cancel).toHaveBeenCalledTimes(1);
    const without = new App()
      .onError((error, ctx) => ctx.text((error as Error).message))
      .get('/', (ctx) => csrfToken(ctx));
    (await clientOf(without).get('/')).assertStatus(500).assertText(/^csrfToken\(\) needs app\.use\(csrf\(/);
  });

  it('let middleware around see the refusal', async () => {
    const app = new App()
      .use(rateLimiter())
      .use(csrf({ secret }))
      .post('/', () => 'x');
    (await clientOf(app).post('/')).assertStatus(403).assertHeader('ratelimit', /r=99/);
  });
});

describe('a form that cannot be read', () => {
  it('has no token, and is answered 403 like every request without one', async () => {
    const app = new App()
      .use(csrf({ secret: 'a secret of at least 32 bytes, really' }))
      .get('/', () => 'page')
      .post('/', () => 'posted');
    const page = await app.fetch(new Request('https://x/'));
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=b']) {
      const headers = { cookie, 'content-type': type };
      const init = { method: 'POST', headers, body: 'not a form' };
      expect((await app.fetch(new Request('https://x/', init))).status).toBe(403);
    }
  });
});
