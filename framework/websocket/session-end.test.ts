// WebSockets of sessions: they close when the session ends, here, in another process, or by its time.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { MemoryStore, type SessionOptions, type SessionStore, session } from '../session/index.js';
import { websocket } from './index.js';
import type { SocketTrace } from './socket-channel.js';

const ENDED = { code: 1008, reason: 'the session has ended' };

afterEach(() => vi.useRealTimers());

async function shop(store: SessionStore, options: SessionOptions = {}, pingIntervalMs = 60_000) {
  const app = new App()
    .use(session(store, { secure: false, ...options }))
    .post('/in/:user', (ctx) => ctx.session().signIn(ctx.req.param('user')))
    .post('/out', (ctx) => ctx.session().clear())
    .post('/renew', (ctx) => ctx.session().regenerate())
    .post('/others', async (ctx) => ctx.json(await ctx.session().endOthers()))
    .get('/list', async (ctx) => ctx.json(await ctx.session().list()))
    .post('/end/:id', async (ctx) => ctx.json(await ctx.session().end(ctx.req.param('id'))))
    .websocket(
      '/',
      websocket(
        { onMessage: (socket, message) => void socket.send(message) },
        { pingIntervalMs, timeoutMs: 1_000 },
      ),
    );
  const { url, connect } = await serve(app);
  /** A browser with one cookie. */
  const browser = () => {
    let cookie = '';
    const call = async (path: string, method = 'POST') => {
      const answer = await fetch(url + path, { method, headers: { cookie } });
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return answer;
    };
    return { call, connect: () => connect('/', [], { headers: { cookie } }) };
  };
  return { browser };
}

describe('a session that ends', () => {
  it('by signing out closes its sockets at once, and no others', async () => {
    const { browser } = await shop(new MemoryStore());
    const [ada, eve] = [browser(), browser()];
    await ada.call('/in/ada');
    await eve.call('/in/eve');
    const [one, two, other] = [await ada.connect(), await ada.connect(), await eve.connect()];
    await ada.call('/out');
    expect(await Promise.all([one.closed, two.closed])).toEqual([ENDED, ENDED]);
    other.send('here');
    await vi.waitFor(() => expect(other.received).toEqual(['here']));
  });

  it('by its id or with all others closes its sockets, and not that of the caller', async () => {
    const { browser } = await shop(new MemoryStore());
    const [here, there, third] = [browser(), browser(), browser()];
    for (const one of [here, there, third]) await one.call('/in/ada');
    const sockets = [await here.connect(), await there.connect(), await third.connect()];
    const list = (await (await third.call('/list', 'GET')).json()) as { id: string; isCurrent: boolean }[];
    const own = list.find(({ isCurrent }) => isCurrent);
    await here.call(`/end/${own?.id}`);
    expect(await sockets[2]?.closed).toEqual(ENDED);
    await here.call('/others');
    expect(await sockets[1]?.closed).toEqual(ENDED);
    expect(sockets[0]?.ws.readyState).toBe(1);
  });

  it('by the sign-in of another user closes its sockets; a new id of it does not', async () => {
    const { browser } = await shop(new MemoryStore());
    const ada = browser();
    await ada.call('/in/ada');
    const socket = await ada.connect();
    await ada.call('/renew');
    await ada.call('/in/ada');
    socket.send('still');
    await vi.waitFor(() => expect(socket.received).toEqual(['still']));
    await ada.call('/in/eve');
    expect(await socket.closed).toEqual(ENDED);
  });

  it('closes a socket that is paused, since its messages wait for a handler', async () => {
    let received = 0;
    let over = (_code: number): void => {};
    const closed = new Promise<number>((resolve) => (over = resolve));
    const hear = (message: unknown): void => {
      const trace = message as SocketTrace;
      if (trace.type === 'message') received += 1;
      if (trace.type === 'close') over(trace.code);
    };
    diagnostics.subscribe('fw:websocket', hear);
    const app = new App()
      .use(session(new MemoryStore(), { secure: false }))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .post('/out', (ctx) => ctx.session().clear())
      .websocket('/', websocket({ onMessage: () => new Promise(() => {}) }));
    const { url, connect } = await serve(app);
    const signedIn = await fetch(`${url}/in`, { method: 'POST' });
    const headers = { cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const socket = await connect('/', [], { headers });
    for (let count = 0; count < 100; count++) socket.send('x');
    await vi.waitFor(() => expect(received).toBeGreaterThan(64));
    // Without the time after which both sides give up waiting for the other.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await fetch(`${url}/out`, { method: 'POST', headers });
    expect(await socket.closed).toEqual(ENDED);
    expect(await closed).toBe(1008);
    diagnostics.unsubscribe('fw:websocket', hear);
  });

  it('in another process closes its sockets with the next ping', async () => {
    const store = new MemoryStore();
    const { browser } = await shop(store, {}, 50);
    const ada = browser();
    await ada.call('/in/ada');
    const socket = await ada.connect();
    await store.endAll('ada');
    expect(await socket.closed).toEqual(ENDED);
  });

  it('by its idle time closes its sockets; messages prolong it', async () => {
    const { browser } = await shop(new MemoryStore(), { idleMs: 400 }, 50);
    const ada = browser();
    await ada.call('/in/ada');
    const [used, idle] = [await ada.connect(), await ada.connect()];
    const sending = setInterval(() => used.send('x'), 20);
    const started = Date.now();
    await vi.waitFor(() => expect(Date.now() - started).toBeGreaterThan(700), { timeout: 60_000 });
    expect([used.ws.readyState, idle.ws.readyState]).toEqual([1, 1]);
    clearInterval(sending);
    expect(await Promise.all([used.closed, idle.closed])).toEqual([ENDED, ENDED]);
  });

  it('keeps its sockets while the store fails', async () => {
    const store = new MemoryStore();
    const { browser } = await shop(store, {}, 30);
    const ada = browser();
    await ada.call('/in/ada');
    const socket = await ada.connect();
    const load = vi.spyOn(store, 'load').mockImplementation(() => {
      throw new Error('away');
    });
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    await vi.waitFor(() => expect(load.mock.calls.length).toBeGreaterThan(2));
    expect(socket.ws.readyState).toBe(1);
    expect(report.mock.calls[0]?.[0]).toContain('WEBSOCKET / → 503 Error: away');
    load.mockRestore();
    await store.endAll('ada');
    expect(await socket.closed).toEqual(ENDED);
    report.mockRestore();
  });
});
