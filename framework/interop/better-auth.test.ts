// better-auth as its documentation mounts it: a handler of web Requests, under /api/auth.
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { describe, expect, it } from 'vitest';
import { ways } from '../conformance/test-client-ways.js';
import { App, createMiddleware, FwError, route } from '../index.js';
import { csrf } from '../middleware/csrf/index.js';
import { startServer, type TestClient } from '../testing/index.js';

const secret = 'only for this test: 32 bytes at least';
const origin = 'https://app.example';
const credentials = { email: 'ada@app.example', password: 'correct horse' };
const cookie = '__Secure-better-auth.session_token';
/** What a proxy adds that ends TLS, and what browsers send with forms and calls of a page. */
const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example', origin };

function makeAuth() {
  return betterAuth({
    baseURL: origin,
    secret,
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    logger: { disabled: true },
    telemetry: { enabled: false },
    // better-auth leaves the check out where it sees a test runner.
    advanced: { disableOriginCheck: false },
  });
}

type Auth = ReturnType<typeof makeAuth>;

const mounted: Readonly<Record<string, (app: App, auth: Auth) => App>> = {
  'as a route': (app, auth) => app.all('/api/auth/*rest', (ctx) => auth.handler(ctx.req.request())),
  'by mount': (app, auth) => app.mount('/api/auth', auth.handler, { keepPrefix: true }),
};

const signUp = (client: TestClient) =>
  client.post('/api/auth/sign-up/email', { json: { ...credentials, name: 'Ada' }, headers });

describe.each(Object.entries(ways))('better-auth %s', (_way, run) => {
  describe.each(Object.entries(mounted))('%s', (_how, mount) => {
    const makeApp = () => mount(new App().trustProxy(true), makeAuth());

    it('signs up, in and out, with cookies for HTTPS behind a proxy', async () => {
      await run(makeApp(), async (client) => {
        (await signUp(client)).assertStatus(200);
        const wrong = { ...credentials, password: 'wrong horse' };
        (await client.post('/api/auth/sign-in/email', { json: wrong, headers })).assertStatus(401);
        const signedIn = await client.post('/api/auth/sign-in/email', { json: credentials, headers });
        signedIn.assertStatus(200).assertHeader('set-cookie', /; HttpOnly; Secure; SameSite=Lax/);
        // `TestClient` over plain HTTP keeps secure cookies to itself.
        const sent = { ...headers, cookie: cookieOf(signedIn.header('set-cookie')) };
        const found = (await client.get('/api/auth/get-session', { headers: sent })).json();
        expect(found).toMatchObject({ user: { email: credentials.email } });
        const signedOut = await client.post('/api/auth/sign-out', { json: {}, headers: sent });
        signedOut.assertStatus(200).assertHeader('set-cookie', /session_token=; Max-Age=0/);
        (await client.get('/api/auth/get-session', { headers: sent })).assertText('null');
      });
    });

    it('refuses pages of other origins itself', async () => {
      await run(makeApp(), async (client) => {
        await signUp(client);
        const foreign = { ...headers, origin: 'https://evil.example' };
        const answer = await client.post('/api/auth/sign-in/email', { json: credentials, headers: foreign });
        answer.assertStatus(403);
        expect(answer.json()).toMatchObject({ code: 'INVALID_ORIGIN' });
      });
    });

    it('needs no token of csrf, if that leaves its paths out', async () => {
      const protectedBy = (except: string[]) =>
        mount(new App().trustProxy(true).use(csrf({ secret, except })), makeAuth()).post(
          '/notes',
          () => 'saved',
        );
      await run(protectedBy(['/api/auth']), async (client) => {
        (await signUp(client)).assertStatus(200);
        (await client.post('/notes', { headers })).assertStatus(403);
      });
      await run(protectedBy([]), async (client) => {
        (await signUp(client)).assertStatus(403);
      });
    });

    it('answers its own 404, and reads no body over the limit', async () => {
      await run(makeApp().maxBodySize(1000), async (client) => {
        (await client.get('/api/auth/nothing')).assertStatus(404);
        const json = { ...credentials, name: 'x'.repeat(2000) };
        (await client.post('/api/auth/sign-up/email', { json, headers })).assertStatus(413);
      });
    });
  });

  it('tells handlers who is signed in', async () => {
    const auth = makeAuth();
    const signedIn = createMiddleware(async ({ ctx }, next) => {
      const session = await auth.api.getSession({ headers: new Headers(ctx.req.headers()) });
      if (session === null) throw FwError.unauthorized('sign in first');
      return next({ user: session.user });
    });
    const app = mounted['by mount']?.(new App().trustProxy(true), auth) ?? new App();
    app.post(route('/me', { use: [signedIn] }), async (ctx, { user }) => [user.name, await ctx.req.text()]);
    await run(app, async (client) => {
      const created = await signUp(client);
      const sent = { ...headers, cookie: cookieOf(created.header('set-cookie')) };
      (await client.post('/me', { body: 'hello', headers: sent })).assertJson(['Ada', 'hello']);
      (await client.post('/me', { headers: { cookie: `${cookie}=wrong` } })).assertStatus(401);
    });
  });
});

describe('better-auth over HTTP, behind a proxy', () => {
  it('sees the address of the client in a header field that only the App sets', async () => {
    const database = { user: [], session: [], account: [], verification: [] };
    const auth = betterAuth({
      baseURL: origin,
      secret,
      database: memoryAdapter(database),
      emailAndPassword: { enabled: true },
      advanced: { ipAddress: { ipAddressHeaders: ['x-client-ip'] } },
    });
    const app = new App().trustProxy(true).all('/api/auth/*rest', (ctx) => {
      const request = ctx.req.request();
      request.headers.set('x-client-ip', ctx.clientIp() ?? '');
      return auth.handler(request);
    });
    const forged = { ...headers, 'x-client-ip': '192.0.2.1', 'x-forwarded-for': '203.0.113.7' };
    const server = await startServer(app);
    const json = { ...credentials, name: 'Ada' };
    (await server.client.post('/api/auth/sign-up/email', { json, headers: forged })).assertStatus(200);
    await server.close();
    expect(database.session).toMatchObject([{ ipAddress: '203.0.113.7' }]);
  });
});

function cookieOf(header = ''): string {
  return `${cookie}=${new RegExp(`${cookie}=([^;]+)`).exec(header)?.[1]}`;
}
