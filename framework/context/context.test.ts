import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { Cookie } from '../http/cookie.js';
import { FwError } from '../http/errors.js';
import { SseEvent } from '../streaming/sse-event.js';
import { TestClient } from '../testing/index.js';
import type { Context } from './context.js';

/** What `use` returns for the context of a request. */
async function inside(use: (ctx: Context) => void, headers: Record<string, string> = {}): Promise<void> {
  const app = new App().get('/', (ctx) => {
    use(ctx);
    return ctx.text('done');
  });
  (await new TestClient(app).get('/', { headers })).assertText('done');
}

describe('Context', () => {
  it.each([199, 600, 0, 200.5, Number.NaN])('refuses the status %d', (code) =>
    inside((ctx) =>
      expect(() => ctx.status(code)).toThrow(`${code} is not a response status: use 200 to 599`),
    ),
  );

  // `201` alone would look like a status.
  it.each<[(ctx: Context) => unknown, string]>([
    [
      (ctx) => ctx.status('201' as never),
      "'201' is not a response status: use 200 to 599, as a number: ctx.json(",
    ],
    [
      (ctx) => ctx.status(undefined as never),
      'undefined is not a response status: use 200 to 599, as a number: ',
    ],
    [
      (ctx) => ctx.redirect('/', '302' as never),
      "'302' is not a redirect status: use 301, 302, 303, 307 or 308, as a number: ctx.redirect('/', 303)",
    ],
    [(ctx) => ctx.redirect(302 as never, '/x' as never), "'/x' is not a redirect status"],
  ])('shows what was given as a status: %s', (use, message) =>
    inside((ctx) => expect(() => use(ctx)).toThrow(message)),
  );

  it.each([200, 599])('accepts the status %d', async (code) => {
    const app = new App().get('/', (ctx) => ctx.status(code).text('x'));
    (await new TestClient(app).get('/')).assertStatus(code);
  });

  it.each([
    ['body', 'ctx.body cannot be assigned: return the body instead'],
    ['response', 'ctx.response cannot be assigned: return the response instead'],
    ['status', 'ctx.status cannot be assigned: call ctx.status(404)'],
    ['statusCode', 'ctx.statusCode cannot be assigned: call ctx.status(404)'],
    ['type', 'ctx.type cannot be assigned: call ctx.header("Content-Type", "text/html")'],
  ])('refuses that ctx.%s is assigned, as in other frameworks, which would do nothing', (name, message) =>
    inside((ctx) => expect(() => Object.assign(ctx, { [name]: 404 })).toThrow(message)),
  );

  it.each(['X-A', 'Content-Type', 'content-type', 'ETag', 'Cache-Control', 'User-Agent'])(
    'refuses the header field %s as the key of a value, as in other frameworks, which would set none',
    (name) =>
      inside((ctx) => {
        expect(() => ctx.set(name, 'b')).toThrow(
          `ctx.set stores a value for later handlers, and does not take the header '${name}'; set header fields by ctx.header('${name}', value)`,
        );
        expect(() => ctx.get(name)).toThrow(
          `ctx.get reads what ctx.set has stored, and does not take the header '${name}'; read header fields by ctx.req.header('${name}')`,
        );
      }),
  );

  it('refuses an object of header fields, and takes every other key', () =>
    inside((ctx) => {
      expect(() => ctx.set({ 'X-A': 'b' } as never, undefined as never)).toThrow(
        'ctx.set stores a value for later handlers, and does not take an object; set header fields by ctx.header(name, value)',
      );
      for (const key of ['user', 'User', 'user-id', 'x-tenant', 'tenant:id', 'CONSTANT_NAME', 'Etag', '']) {
        ctx.set(key, 'value');
        expect(ctx.get(key)).toBe('value');
      }
    }));

  it('takes other fields that middleware assigns', () =>
    inside((ctx) => {
      Object.assign(ctx, { user: 'ada' });
      expect(ctx).toMatchObject({ user: 'ada' });
    }));

  it('takes the status of a response beside its body', async () => {
    const app = new App()
      .get('/json', (ctx) => ctx.json({ id: 1 }, 201))
      .get('/text', (ctx) => ctx.text('later', 202))
      .get('/html', (ctx) => ctx.html('<p>gone</p>', 410))
      .get('/queued', (ctx) => ctx.status(203).json(1, 201));
    const client = new TestClient(app);
    (await client.get('/json')).assertStatus(201).assertJson({ id: 1 });
    (await client.get('/text')).assertStatus(202).assertText('later');
    (await client.get('/html')).assertStatus(410).assertHeader('content-type', 'text/html; charset=utf-8');
    (await client.get('/queued')).assertStatus(201);
  });

  it.each([new Map([['a', 1]]), new Set([1])])('refuses %s as JSON, which would be {}', (value) =>
    inside((ctx) => expect(() => ctx.json(value)).toThrow('has no JSON form, it would be sent as {}')),
  );

  it.each([301, 302, 303, 307, 308] as const)(
    'redirects with %d, even if another status was queued',
    async (code) => {
      const app = new App().get('/', (ctx) => ctx.status(201).redirect('/käse/€', code));
      const answer = await new TestClient(app).get('/');
      answer.assertStatus(code).assertHeader('location', '/k%C3%A4se/%E2%82%AC').assertText('');
    },
  );

  it.each([
    ['/a?q=b c', '/a?q=b%20c'],
    ['/a?q="<b>"#`{x}', '/a?q=%22%3Cb%3E%22#%60%7Bx%7D'],
    ['/%20%e9%zz%', '/%20%e9%25zz%25'],
    ['/\\evil.example', '/%5Cevil.example'],
    ["https://[::1]:80/a;b=(c)!$&'*+,~", "https://[::1]:80/a;b=(c)!$&'*+,~"],
    ['/\ud800\u{1f600}x', '/%EF%BF%BD%F0%9F%98%80x'],
    ['/a\tb', '/a%09b'],
  ])('encodes the location %j as %s', async (location, sent) => {
    const response = await new App()
      .get('/', (ctx) => ctx.redirect(location))
      .oneshot(new Request('http://localhost/'));
    expect(response.headers.get('location')).toBe(sent);
  });

  it('takes a URL as a location, and nothing else that is not text', async () => {
    const app = new App()
      .get('/url', (ctx) => ctx.redirect(new URL('https://a.example/b c')))
      .get('/missing', (ctx) => ctx.redirect(undefined as never));
    const { headers } = await app.oneshot(new Request('http://localhost/url'));
    expect(headers.get('location')).toBe('https://a.example/b%20c');
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await app.oneshot(new Request('http://localhost/missing'))).status).toBe(500);
    expect(String(reported.mock.calls)).toContain('ctx.redirect() takes a string, got undefined');
    reported.mockRestore();
  });

  it('redirects with 302 by default, and refuses statuses that are not redirects', async () => {
    const app = new App().get('/', (ctx) => ctx.redirect('/x'));
    (await new TestClient(app).get('/')).assertStatus(302);
    await inside((ctx) =>
      expect(() => ctx.redirect('/', 304 as never)).toThrow('304 is not a redirect status'),
    );
  });

  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [1, 'a number'],
    [{}, 'an object'],
  ])('refuses %j as a text', (body, shown) =>
    inside((ctx) => {
      expect(() => ctx.text(body as never)).toThrow(new Error(`ctx.text() takes a string, got ${shown}`));
      expect(() => ctx.html(body as never)).toThrow(new Error(`ctx.html() takes a string, got ${shown}`));
    }),
  );

  it('streams with a content type and a status, given as options or as a text', async () => {
    async function* chunks() {
      yield 'a,b';
    }
    const app = new App()
      .get('/options', (ctx) => ctx.stream(chunks(), { contentType: 'text/csv', status: 203 }))
      .get('/text', (ctx) => ctx.stream(chunks(), 'text/csv'))
      .get('/queued', (ctx) => ctx.status(201).stream(chunks()))
      .get('/both', (ctx) => ctx.status(201).stream(chunks(), { status: 202 }));
    const client = new TestClient(app);
    (await client.get('/options'))
      .assertStatus(203)
      .assertHeader('content-type', 'text/csv')
      .assertText('a,b');
    (await client.get('/text')).assertStatus(200).assertHeader('content-type', 'text/csv');
    (await client.get('/queued')).assertStatus(201).assertHeader('content-type', 'application/octet-stream');
    (await client.get('/both')).assertStatus(202);
    await inside((ctx) => {
      expect(() => ctx.stream(chunks(), { status: 99 })).toThrow('ctx.stream: status is 99; give');
      expect(() => ctx.stream(chunks(), { type: 'text/csv' } as object)).toThrow(
        "ctx.stream has no option 'type'; did you mean 'contentType'? there are contentType, status",
      );
    });
  });

  it('keeps events alive by an option', async () => {
    async function* late() {
      await new Promise((resolve) => setTimeout(resolve, 60));
      yield SseEvent.data('x');
    }
    const client = new TestClient(new App().get('/', (ctx) => ctx.sse(late(), { keepAliveMs: 5 })));
    (await client.get('/')).assertText(/^: ping\n\n(?:: ping\n\n)*data: x\n\n$/);
    await inside((ctx) => {
      expect(() => ctx.sse(late(), { keepAliveMs: 0 })).toThrow('0 is not a keep-alive interval');
    });
  });

  it('appends header fields, and replaces them without that', async () => {
    const app = new App().get('/', (ctx) => {
      ctx.header('Link', '</a>; rel=preload').header('Link', '</b>; rel=preload', { append: true });
      ctx.header('X-One', 'a').header('X-One', 2);
      return 'x';
    });
    const { headers } = await app.oneshot(new Request('http://localhost/'));
    expect([headers.get('link'), headers.get('x-one')]).toEqual([
      '</a>; rel=preload, </b>; rel=preload',
      '2',
    ]);
  });

  it('appends to the fields of a response that has some, unless one was set before', async () => {
    const own = new App()
      .get('/added', (ctx) => {
        ctx.header('Vary', 'X-A', { append: true }).header('Vary', 'X-B', { append: true });
        return new Response('x', { headers: { vary: 'Cookie' } });
      })
      .get('/set', (ctx) => {
        ctx.header('Vary', 'X-A', { append: true }).header('Vary', 'X-B');
        return new Response('x', { headers: { vary: 'Cookie' } });
      });
    const varies = async (path: string) =>
      (await own.oneshot(new Request(`http://localhost${path}`))).headers.get('vary');
    expect([await varies('/added'), await varies('/set')]).toEqual(['Cookie, X-A, X-B', 'X-B']);
  });

  it('sets a cookie by name, value and options, as a Cookie does', async () => {
    const app = new App().get('/', (ctx) => {
      ctx.setCookie('a', 'b').setCookie(new Cookie('c', 'd').httpOnly().secure());
      ctx.setCookie('__Host-e', 'f', {
        path: '/',
        maxAge: 60,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
        partitioned: true,
        expires: new Date(0),
      });
      return ctx.setCookie('g', 'h', { domain: 'example.org' }).text('x');
    });
    const { headers } = await app.oneshot(new Request('http://localhost/'));
    const whole = new Cookie('__Host-e', 'f').path('/').maxAge(60).expires(new Date(0)).httpOnly().secure();
    expect(headers.getSetCookie()).toEqual([
      String(new Cookie('a', 'b')),
      String(new Cookie('c', 'd').httpOnly(true).secure(true)),
      String(whole.sameSite('Lax').partitioned()),
      String(new Cookie('g', 'h').domain('example.org')),
    ]);
    await inside((ctx) => {
      expect(() => ctx.setCookie('a', 'b', { httponly: true } as object)).toThrow(
        "setCookie has no option 'httponly'; did you mean 'httpOnly'?",
      );
      expect(() => ctx.setCookie('a b', 'c')).toThrow();
    });
  });

  it.each([null, undefined, 'text', {}, []])('refuses %j as a stream', (value) =>
    inside((ctx) => {
      expect(() => ctx.stream(value as never)).toThrow('ctx.stream() takes an async iterable');
      expect(() => ctx.sse(value as never)).toThrow('ctx.sse() takes an async iterable');
      expect(() => ctx.sseKeepAlive(value as never, 10)).toThrow(
        'ctx.sseKeepAlive() takes an async iterable',
      );
    }),
  );

  it('removes a cookie with the attributes it was set with', async () => {
    const app = new App().get('/', (ctx) =>
      ctx
        .removeCookie('a')
        .removeCookie('b', { path: '/x', domain: 'example.com' })
        .removeCookie('__Secure-c')
        .removeCookie('__host-d')
        .removeCookie('x__Host-e')
        .text('x'),
    );
    const answer = await app.fetch(new Request('http://localhost/'));
    expect(answer.headers.getSetCookie()).toEqual([
      'a=; Max-Age=0; Path=/',
      'b=; Max-Age=0; Domain=example.com; Path=/x',
      '__Secure-c=; Max-Age=0; Path=/; Secure',
      '__host-d=; Max-Age=0; Path=/; Secure',
      'x__Host-e=; Max-Age=0; Path=/',
    ]);
  });

  it('parses cookies once, and has no peer, address or id if these are unknown', () =>
    inside(
      (ctx) => {
        expect(ctx.cookie('a')).toBe('1');
        expect(ctx.cookie('toString')).toBeUndefined();
        expect(ctx.cookies()).toBe(ctx.cookies());
        expect(ctx.peerAddr()).toBeUndefined();
        expect(ctx.clientIp()).toBeUndefined();
        expect(ctx.requestId()).toBeUndefined();
        expect(ctx.lastEventId()).toBeUndefined();
      },
      { Cookie: 'a=1' },
    ));

  it('keeps values for the rest of the request only', () =>
    inside((ctx) => {
      expect(ctx.get('user')).toBeUndefined();
      ctx.set('user', 'ann');
      ctx.set('other', 'x');
      expect([ctx.get('user'), ctx.get('other')]).toEqual(['ann', 'x']);
    }));

  it('adds queued header fields to the returned value, but not to an error', async () => {
    const app = new App()
      .get('/value', (ctx) => {
        ctx.status(201).header('X-A', '1').header('x-a', '2').header('Set-Cookie', 'a=1');
        const response = ctx.text('x');
        response.headers.set('X-A', 'own');
        response.headers.set('Set-Cookie', 'b=2');
        return response;
      })
      .get('/error', (ctx) => {
        ctx.status(201).header('X-A', '1');
        throw FwError.notFound('none');
      });
    const client = new TestClient(app);
    const answer = await app.fetch(new Request('http://localhost/value'));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-a')).toBe('2');
    expect(answer.headers.getSetCookie()).toEqual(['b=2', 'a=1']);
    const failed = await client.get('/error');
    failed.assertStatus(404);
    expect(failed.header('x-a')).toBeUndefined();
  });
});
