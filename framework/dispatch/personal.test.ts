// What a request has shown to be authenticated: how long what it has opened may live, and what caches may keep.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKey, StaticKeys } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { App, ConfigError, type Context, FwError, route, SseEvent } from '../index.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { MemoryStore, session } from '../session/index.js';

const secret = 'a secret of at least 32 bytes, really';
const jwt = Jwt.hs256(secret).expiresIn(60);
const bearer = (seconds = 60) => ({
  authorization: `Bearer ${Jwt.hs256(secret).expiresIn(seconds).sign({ sub: 'ada' })}`,
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** An endless producer, which notes how it ended. */
function endless() {
  const state = { hasReturned: false, signal: undefined as AbortSignal | undefined };
  async function* chunks(ctx: Context): AsyncGenerator<string> {
    const { signal } = ctx;
    state.signal = signal;
    try {
      yield 'first';
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    } finally {
      state.hasReturned = true;
    }
  }
  async function* events(ctx: Context): AsyncGenerator<SseEvent> {
    for await (const chunk of chunks(ctx)) yield SseEvent.data(chunk);
  }
  return { state, chunks, events };
}

function streams(): { app: App; state: ReturnType<typeof endless>['state'] } {
  const { state, chunks, events } = endless();
  const subscription = (mode: RpcMode) =>
    RpcRegistry.withMode(mode).subscriptionWithTypes(
      'follow',
      (_: unknown, { ctx }) => chunks(ctx),
      'void',
      'string',
    );
  const app = new App()
    .use(jwt.optional().build())
    .get('/stream', (ctx) => ctx.stream(chunks(ctx)))
    .get('/sse', (ctx) => ctx.sse(events(ctx)))
    .get('/kept', (ctx) => ctx.sseKeepAlive(events(ctx), 5))
    .mountRest('/rest', subscription(RpcMode.Rest))
    .mountRpc('/rpc', subscription(RpcMode.JsonRpc));
  return { app, state };
}

async function open(app: App, path: string, headers: Record<string, string>): Promise<Response> {
  const isRpc = path === '/rpc';
  const init = isRpc
    ? { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"follow"}' }
    : { method: 'GET' };
  const type = { accept: 'text/event-stream', 'content-type': 'application/json' };
  return app.fetch(new Request(`http://x${path}`, { ...init, headers: { ...type, ...headers } }));
}

describe('a stream', () => {
  const unauthorized = '"message":"the token has expired"';
  it.each([
    ['/sse', `event: error\ndata: {"error":"Unauthorized",${unauthorized}}\n\n`],
    ['/kept', `event: error\ndata: {"error":"Unauthorized",${unauthorized}}\n\n`],
    [
      '/rest/follow',
      `event: error\ndata: {"status":401,"body":{"error":"Unauthorized",${unauthorized}}}\n\n`,
    ],
    [
      '/rpc',
      `event: error\ndata: {"code":-32001,${unauthorized},"data":{"error":"Unauthorized","status":401}}\n\n`,
    ],
  ])('of events ends with an error when the token expires: %s', async (path, expected) => {
    const { app, state } = streams();
    const text = await (await open(app, path, bearer(2))).text();
    expect(text).toContain('data: ');
    expect(text).toContain(expected);
    await vi.waitFor(() => expect(state.hasReturned).toBe(true));
    expect(state.signal?.aborted).toBe(true);
  });

  it('of other content is cut when the token expires, which no error is', async () => {
    const reported = vi.spyOn(console, 'error');
    const { app, state } = streams();
    await expect((await open(app, '/stream', bearer(2))).text()).rejects.toThrow();
    await vi.waitFor(() => expect(state.hasReturned).toBe(true));
    expect(reported).not.toHaveBeenCalled();
  });

  it('is cut on a connection, so that the client sees that it is incomplete', async () => {
    const { app } = streams();
    const server = await app.listen(0);
    try {
      await expect((await fetch(`${server.url}/stream`, { headers: bearer(2) })).text()).rejects.toThrow();
      const events = await (await fetch(`${server.url}/sse`, { headers: bearer(2) })).text();
      expect(events).toContain('event: error');
    } finally {
      await server.close();
    }
  });

  it('goes on without credentials, and with a token that lasts', async () => {
    for (const headers of [{}, bearer()]) {
      const { app } = streams();
      const reader = (await open(app, '/stream', headers)).body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
      await reader?.cancel();
    }
  });

  it('asks the store of an API key again, and ends when the key is revoked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const valid = new Set(['k1']);
    const store = { validate: async (key: string) => (valid.has(key) ? { id: 'm', scopes: [] } : undefined) };
    const { state, events } = endless();
    const app = new App().use(apiKey({ store })).get('/sse', (ctx) => ctx.sse(events(ctx)));
    const response = await open(app, '/sse', { 'x-api-key': 'k1' });
    const text = response.text();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(state.hasReturned).toBe(false);
    valid.clear();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await text).toContain('the API key is not valid any more');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stays while the store of the key fails, which is reported, or never answers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    let answer: () => unknown = () => ({ id: 'm', scopes: [] });
    const store = { validate: () => answer() as never };
    const { events } = endless();
    const app = new App().use(apiKey({ store })).get('/sse', (ctx) => ctx.sse(events(ctx)));
    const text = (await open(app, '/sse', { 'x-api-key': 'k1' })).text();
    answer = () => {
      throw new Error('away');
    };
    await vi.advanceTimersByTimeAsync(31_000);
    answer = () => Promise.reject(new Error('away, later'));
    await vi.advanceTimersByTimeAsync(31_000);
    answer = () => new Promise(() => {});
    await vi.advanceTimersByTimeAsync(61_000);
    expect(reported.mock.calls.flat().join('\n')).toContain('did not answer within 10 s');
    answer = () => undefined;
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await text).toContain('event: error');
  });

  it.each<[string, (store: MemoryStore, key: string) => unknown]>([
    ['endAll', (store) => store.endAll('ada')],
    ['end', (store, key) => store.end('ada', key)],
    ['delete', (store, key) => store.delete(key)],
  ])('ends at once when any call of the store ends its session: %s', async (_, end) => {
    const store = new MemoryStore();
    const { events } = endless();
    const app = new App()
      .use(session(store))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .get('/sse', (ctx) => ctx.sse(events(ctx)));
    const signedIn = await app.fetch(new Request('http://x/in', { method: 'POST' }));
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const text = (await open(app, '/sse', { cookie })).text();
    await new Promise(setImmediate);
    end(store, store.list('ada')[0]?.id ?? '');
    expect(await text).toContain('the session has ended');
  });

  it('leaves no timer and no watcher behind when its client leaves, or for HEAD', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const store = { validate: () => ({ id: 'm', scopes: [] }) };
    const { events } = endless();
    const app = new App()
      .use(apiKey({ store, optional: true }))
      .use(jwt.optional().build())
      .get('/sse', (ctx) => ctx.sse(events(ctx)));
    const headers = { 'x-api-key': 'k1', ...bearer() };
    const reader = (await open(app, '/sse', headers)).body?.getReader();
    await reader?.read();
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await reader?.cancel();
    expect(vi.getTimerCount()).toBe(0);
    await app.fetch(new Request('http://x/sse', { method: 'HEAD', headers }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of known length is a download, which ends by itself', async () => {
    const app = new App().use(jwt.build()).get('/file', (ctx) => {
      const response = ctx.stream(
        (async function* () {
          yield 'a';
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          yield 'b';
        })(),
      );
      response.headers.set('Content-Length', '2');
      return response;
    });
    expect(await (await open(app, '/file', bearer(2))).text()).toBe('ab');
  });
});

describe('caches', () => {
  const control = async (app: App, path: string, headers: Record<string, string> = bearer()) =>
    (await app.fetch(new Request(`http://x${path}`, { headers }))).headers.get('cache-control');
  const withJwt = () => new App().use(jwt.optional().build());

  it('keep nothing that depends on who asks', async () => {
    const app = withJwt()
      .get('/me', (ctx) => ctx.principal() ?? null)
      .get('/own', (ctx) => ctx.header('Cache-Control', 'private, max-age=5').text('x'))
      .get('/forbidden', (ctx) => ctx.requireScope('x').id ?? '')
      .get('/stream', (ctx) => ctx.stream(endless().chunks(ctx)))
      .mountRest(
        '/api',
        RpcRegistry.withMode(RpcMode.Rest).queryWithTypes('q', () => 1, '{}', 'number'),
      );
    for (const path of ['/me', '/forbidden', '/stream', '/api/q', '/none']) {
      expect([path, await control(app, path)]).toEqual([path, 'private, no-store']);
      expect([path, await control(app, path, {})]).toEqual([path, null]);
    }
    expect(await control(app, '/own')).toBe('private, max-age=5');
  });

  it('may keep what the App or the route says is the same for everybody', async () => {
    const inner = new App().noStore(false).get('/', () => 1);
    const app = withJwt()
      .route('/public', inner)
      .get(route('/shared', { noStore: false }), () => 1)
      .get('/personal', () => 1);
    expect(await control(app, '/public')).toBeNull();
    expect(await control(app, '/shared')).toBeNull();
    expect(await control(app, '/personal')).toBe('private, no-store');
    const off = withJwt()
      .noStore(false)
      .get('/', () => 1)
      .get(route('/on', { noStore: true }), () => 1);
    expect(await control(off, '/')).toBeNull();
    expect(await control(off, '/on')).toBe('private, no-store');
    expect(() => new App().noStore('no' as never)).toThrow(ConfigError);
    expect(() => route('/x', { noStore: 1 as never })).toThrow(/noStore/);
  });

  it('keep files that everybody may have, and not those behind a guard', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fw-no-store-'));
    for (const name of ['index.html', 'app.js']) writeFileSync(join(dir, name), 'page');
    try {
      const open = withJwt().serveStatic('/files', dir).serveSpa(dir, 'index.html');
      const closed = withJwt().requireAuth().serveStatic('/files', dir);
      const required = new App().use(jwt.build()).serveStatic('/files', dir);
      for (const path of ['/files/index.html', '/app.js']) expect(await control(open, path)).toBeNull();
      expect(await control(closed, '/files/index.html')).toBe('private, no-store');
      expect(await control(required, '/files/index.html')).toBe('private, no-store');
      for (const ask of [(ctx: Context) => ctx.requireAuth(), (ctx: Context) => ctx.requireAllScopes([])]) {
        const byHand = withJwt().use((ctx, next) => {
          ask(ctx);
          return next();
        });
        byHand.serveStatic('/files', dir).serveSpa(dir, 'index.html');
        for (const path of ['/files/index.html', '/app.js'])
          expect([path, await control(byHand, path)]).toEqual([path, 'private, no-store']);
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('keep no response that signs somebody in', async () => {
    const app = new App()
      .use(session(new MemoryStore()))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .post('/fail', (ctx) => {
        ctx.session().signIn('ada');
        throw FwError.badRequest('no');
      });
    for (const path of ['/in', '/fail']) {
      const response = await app.fetch(new Request(`http://x${path}`, { method: 'POST' }));
      expect(response.headers.get('cache-control')).toContain('no-store');
    }
  });
});

describe('a token without the scope', () => {
  const app = new App()
    .use(jwt.optional().fromBearer().fromCookie('t').build())
    .get('/one', (ctx) => ctx.requireScope('orders:read').id ?? '')
    .get('/all', (ctx) => ctx.requireAllScopes(['a', 'b']).id ?? '')
    .get('/any', (ctx) => ctx.requireAnyScope(['a', 'b']).id ?? '')
    .get('/odd', (ctx) => ctx.requireScope('a"b').id ?? '');
  const challenge = async (path: string, headers: Record<string, string>) => {
    const response = await app.fetch(new Request(`http://x${path}`, { headers }));
    return [response.status, response.headers.get('www-authenticate')];
  };

  it('is told what it needs (RFC 6750, section 3.1)', async () => {
    const insufficient = 'Bearer error="insufficient_scope"';
    expect(await challenge('/one', bearer())).toEqual([403, `${insufficient}, scope="orders:read"`]);
    expect(await challenge('/all', bearer())).toEqual([403, `${insufficient}, scope="a b"`]);
    expect(await challenge('/any', bearer())).toEqual([403, insufficient]);
    expect(await challenge('/odd', bearer())).toEqual([403, insufficient]);
    expect(await challenge('/one', { cookie: `t=${jwt.sign({ sub: 'ada' })}` })).toEqual([403, null]);
  });

  it('in two different cookies is none', async () => {
    const [one, other] = [jwt.sign({ sub: 'ada' }), jwt.sign({ sub: 'eve' })];
    expect((await challenge('/one', { cookie: `t=${one}; t=${other}` }))[0]).toBe(401);
    expect((await challenge('/one', { cookie: `t=${one}; t=${one}` }))[0]).toBe(403);
  });
});

describe('builders', () => {
  it('never change: what one App makes of them does not open another', async () => {
    const keys = new StaticKeys();
    const shared = Jwt.hs256(secret);
    for (const change of [
      () => shared.optional(),
      () => shared.fromCookie('t'),
      () => shared.issuer('x'),
      () => shared.audience('x'),
      () => shared.leeway(3600),
      () => shared.expiresIn(1),
      () => shared.fromBearer(),
    ]) {
      change();
    }
    const app = new App().use(shared.build()).get('/', () => 'secret');
    expect((await app.fetch(new Request('http://x/'))).status).toBe(401);
    expect((await app.fetch(new Request('http://x/', { headers: bearer() }))).status).toBe(200);
    const cookie = { cookie: `t=${jwt.sign({ sub: 'ada' })}` };
    expect((await app.fetch(new Request('http://x/', { headers: cookie }))).status).toBe(401);
    const { Jwt: ProviderJwt } = await import('../auth/oidc/index.js');
    const tokens = ProviderJwt.jwksFromSet({ keys: [] }).issuer('https://a').audience('b');
    tokens.optional();
    tokens.fromCookie('t');
    tokens.algorithms(['PS256']);
    expect((await new App().use(tokens.build()).fetch(new Request('http://x/'))).status).toBe(401);
    const { ApiKey } = await import('../auth/api-key/index.js');
    const key = new ApiKey(keys);
    key.optional();
    key.fromQuery('k');
    expect((await new App().use(key.build()).fetch(new Request('http://x/'))).status).toBe(401);
  });
});
