// WebSockets end when what has authenticated their handshake does not hold any more.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { apiKey } from '../auth/api-key/index.js';
import { Jwt } from '../auth/jwt/index.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { authenticate } from '../index.js';
import { MemoryStore, session } from '../session/index.js';
import { websocket, websocketTickets } from './index.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const secret = 'a secret of at least 32 bytes, really';
const EXPIRED = { code: 1008, reason: 'the token has expired' };
const echo = (pingIntervalMs = 60_000) =>
  websocket(
    { onMessage: (socket, message) => void socket.send(message) },
    { pingIntervalMs, timeoutMs: 1_000 },
  );
const bearer = (seconds: number) => ({
  authorization: `Bearer ${Jwt.hs256(secret).expiresIn(seconds).sign({ sub: 'ada' })}`,
});

/** A store of keys, of which some are revoked. */
function keyStore() {
  const identities = new Map([['k1', { id: 'machine', scopes: ['a', 'b'] as readonly string[] }]]);
  return { identities, store: { validate: async (key: string) => identities.get(key) } };
}

describe('a WebSocket', () => {
  it('closes when its token expires', async () => {
    const app = new App().use(Jwt.hs256(secret).build()).websocket('/', echo());
    const { connect } = await serve(app);
    const [short, long] = [
      await connect('/', [], { headers: bearer(2) }),
      await connect('/', [], { headers: bearer(60) }),
    ];
    expect(await short.closed).toEqual(EXPIRED);
    long.send('here');
    await vi.waitFor(() => expect(long.received).toEqual(['here']));
  });

  it.each<[string, (identities: ReturnType<typeof keyStore>['identities']) => void]>([
    ['is revoked', (identities) => identities.delete('k1')],
    ['loses a scope', (identities) => identities.set('k1', { id: 'machine', scopes: ['a'] })],
    ['belongs to somebody else', (identities) => identities.set('k1', { id: 'other', scopes: ['a', 'b'] })],
  ])('closes with the next ping when its API key %s', async (_, change) => {
    const { identities, store } = keyStore();
    const app = new App().use(apiKey({ store })).websocket('/', echo(20));
    const { connect } = await serve(app);
    const socket = await connect('/', [], { headers: { 'x-api-key': 'k1' } });
    socket.send('here');
    await vi.waitFor(() => expect(socket.received).toEqual(['here']));
    change(identities);
    expect(await socket.closed).toEqual({ code: 1008, reason: 'the API key is not valid any more' });
  });

  it('closes at once when the application ends its session by a call of the store', async () => {
    const store = new MemoryStore();
    const app = new App()
      .use(session(store, { secure: false }))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .websocket('/', echo());
    const { url, connect } = await serve(app);
    const ends: ((key: string) => unknown)[] = [
      () => store.endAll('ada'),
      (key) => store.end('ada', key),
      (key) => store.delete(key),
    ];
    for (const end of ends) {
      const signedIn = await fetch(`${url}/in`, { method: 'POST' });
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
      const socket = await connect('/', [], { headers: { cookie } });
      end(store.list('ada')[0]?.id ?? '');
      expect(await socket.closed).toEqual({ code: 1008, reason: 'the session has ended' });
    }
  });

  it('watches its session no longer than it lives, and neither does a stream', async () => {
    const store = new MemoryStore();
    let watching = 0;
    const watch = store.watch.bind(store);
    vi.spyOn(store, 'watch').mockImplementation((...args) => {
      watching += 1;
      const stop = watch(...args);
      return () => {
        watching -= 1;
        stop();
      };
    });
    const app = new App()
      .use(session(store, { secure: false }))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .get('/stream', (ctx) =>
        ctx.stream(
          (async function* () {
            yield 'first';
            await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
          })(),
        ),
      )
      .websocket('/', echo());
    const { url, connect } = await serve(app);
    const signedIn = await fetch(`${url}/in`, { method: 'POST' });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const socket = await connect('/', [], { headers: { cookie } });
    const leaving = new AbortController();
    const response = await fetch(`${url}/stream`, { headers: { cookie }, signal: leaving.signal });
    await response.body?.getReader().read();
    await vi.waitFor(() => expect(watching).toBe(2));
    socket.ws.close();
    leaving.abort();
    await vi.waitFor(() => expect(watching).toBe(0));
  });

  it('handles no message that waited when its authorization ended', async () => {
    const store = new MemoryStore();
    const handled: unknown[] = [];
    let release = (): void => {};
    const app = new App()
      .use(session(store, { secure: false }))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .websocket(
        '/',
        websocket({
          onMessage: (_, message) => {
            handled.push(message);
            return new Promise<void>((resolve) => {
              release = resolve;
            });
          },
        }),
      );
    const { url, connect } = await serve(app);
    const signedIn = await fetch(`${url}/in`, { method: 'POST' });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const socket = await connect('/', [], { headers: { cookie } });
    for (const message of ['1', '2', '3']) socket.send(message);
    await vi.waitFor(() => expect(handled).toEqual(['1']));
    await fetch(url);
    store.endAll('ada');
    release();
    expect((await socket.closed).code).toBe(1008);
    expect(handled).toEqual(['1']);
  });

  it('of a ticket ends with what its caller was authenticated by', async () => {
    const { identities, store } = keyStore();
    const tickets = websocketTickets({ secret });
    const app = new App()
      .use(authenticate(Jwt.hs256(secret).optional().build(), apiKey({ store, optional: true })))
      .post('/ticket', (ctx) => tickets.issue(ctx))
      .websocket('/', tickets, echo(20));
    const { url, connect } = await serve(app);
    const open = async (headers: Record<string, string>) => {
      const ticket = await (await fetch(`${url}/ticket`, { method: 'POST', headers })).text();
      return connect(`/?ticket=${ticket}`, [], {});
    };
    const byToken = await open(bearer(2));
    expect((await byToken.closed).code).toBe(1008);
    const byKey = await open({ 'x-api-key': 'k1' });
    identities.delete('k1');
    expect(await byKey.closed).toEqual({ code: 1008, reason: 'the API key is not valid any more' });
    expect((await fetch(`${url}/ticket`, { method: 'POST' })).status).toBe(401);
  });
});

it('a ticket holds no longer than the first of those ends that have authenticated its caller', async () => {
  const tickets = websocketTickets({ secret });
  const cookies = Jwt.hs256('another secret of at least 32 bytes').fromCookie('t');
  const app = new App()
    .use(Jwt.hs256(secret).build())
    .use(cookies.build())
    .post('/ticket', (ctx) => tickets.issue(ctx));
  const signed = (seconds: number) =>
    `t=${Jwt.hs256('another secret of at least 32 bytes').expiresIn(seconds).sign({ sub: 'ada' })}`;
  for (const [byField, byCookie] of [
    [60, 30],
    [30, 60],
  ] as const) {
    const headers = { ...bearer(byField), cookie: signed(byCookie) };
    const ticket = await (
      await app.fetch(new Request('http://localhost/ticket', { method: 'POST', headers }))
    ).text();
    const content = JSON.parse(Buffer.from(ticket.split('.')[0] ?? '', 'base64url').toString());
    expect(content.expiresAtMs).toBeLessThanOrEqual(Date.now() + 30_000);
  }
});

describe('a handshake with a token in a cookie', () => {
  it('is refused from another origin, as one with a session is', async () => {
    const app = new App().use(Jwt.hs256(secret).fromCookie('t').fromBearer().build()).websocket('/', echo());
    const { url, connect } = await serve(app);
    const cookie = `t=${Jwt.hs256(secret).expiresIn(60).sign({ sub: 'ada' })}`;
    const evil = { origin: 'https://evil.example' };
    await expect(connect('/', [], { headers: { cookie, ...evil } })).rejects.toThrow('403');
    const own = await connect('/', [], { headers: { cookie, origin: url } });
    own.ws.close();
    const other = await connect('/', [], { headers: { ...bearer(60), ...evil } });
    other.ws.close();
  });

  it('of a session that is for HTTPS alone is refused from a page over plain HTTP', async () => {
    const app = new App()
      .use(session(new MemoryStore()))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .websocket('/', echo());
    const { url, connect } = await serve(app);
    const signedIn = await fetch(`${url}/in`, { method: 'POST' });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const from = (origin: string, host: string) => connect('/', [], { headers: { cookie, origin, host } });
    await expect(from('http://app.example', 'app.example')).rejects.toThrow('403');
    await expect(from('https://app.example:444', 'app.example')).rejects.toThrow('403');
    for (const [origin, host] of [
      ['https://app.example', 'app.example'],
      ['http://localhost:3000', 'localhost:3000'],
    ] as const) {
      (await from(origin, host)).ws.close();
    }
  });
});
