// When sockets of generated clients connect again, and what they leave behind: on a transport without a network.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rest } from '../conformance/checked-client.js';
import { loadClient, socketsAlone, type TrialModule } from '../conformance/socket-client.js';
import { FakeTransport } from '../conformance/socket-server.js';
import { printClient } from './print-client.js';

let module: TrialModule;

beforeAll(async () => {
  module = await loadClient(printClient(socketsAlone, rest));
});
beforeEach(() => {
  FakeTransport.made = [];
  FakeTransport.fault = undefined;
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const feed = (options: object = {}, url = 'https://example.org/') =>
  new module.FwRpcClient(url, { sockets: { WebSocket: FakeTransport } }).feed(options);
/** Whether it connects after this time, and not before. */
const connectsAfter = (ms: number) => {
  const before = FakeTransport.made.length;
  vi.advanceTimersByTime(ms - 1);
  expect(FakeTransport.made).toHaveLength(before);
  vi.advanceTimersByTime(1);
  expect(FakeTransport.made).toHaveLength(before + 1);
};
const cut = (code = 1006) => FakeTransport.last.tell('close', { code });

describe('a socket that lost its connection', () => {
  it('waits a random part of a time that doubles', () => {
    feed();
    for (const ms of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      cut();
      connectsAfter(ms);
    }
    vi.mocked(Math.random).mockReturnValue(0.1);
    cut();
    connectsAfter(3_000);
  });

  it('waits as its options say', () => {
    feed({ reconnect: { minDelayMs: 10, maxDelayMs: 15 } });
    for (const ms of [10, 15, 15]) {
      cut();
      connectsAfter(ms);
    }
  });

  it('goes on counting if the server was ready only for a moment', () => {
    feed();
    for (const ms of [1_000, 2_000]) {
      FakeTransport.last.tell('open');
      FakeTransport.last.frame({ event: 'early' });
      FakeTransport.last.frame({ ready: { heartbeatMs: 30_000 } });
      vi.advanceTimersByTime(4_999);
      cut();
      connectsAfter(ms);
    }
  });

  it.each<[string, () => void]>([
    ['an event', () => FakeTransport.last.frame({ event: 'a' })],
    ['a heartbeat', () => FakeTransport.last.frame({})],
    ['five seconds', () => vi.advanceTimersByTime(5_000)],
  ])('begins anew after %s', (_name, lives) => {
    feed();
    for (let round = 0; round < 2; round += 1) {
      FakeTransport.last.ready();
      lives();
      cut();
      connectsAfter(1_000);
    }
  });

  it('returns soon to a server that restarts, unless that was never ready', () => {
    feed();
    for (let round = 0; round < 2; round += 1) {
      FakeTransport.last.ready();
      cut(1012);
      connectsAfter(100);
    }
    cut(1012);
    connectsAfter(4_000);
  });

  it('returns at once when the browser is online again', () => {
    const listeners = new Map<string, () => void>();
    vi.stubGlobal('addEventListener', (type: string, listener: () => void) => listeners.set(type, listener));
    vi.stubGlobal('removeEventListener', (type: string, listener: () => void) => {
      if (listeners.get(type) === listener) listeners.delete(type);
    });
    const socket = feed();
    listeners.get('online')?.();
    expect(FakeTransport.made).toHaveLength(1);
    cut();
    listeners.get('online')?.();
    expect(FakeTransport.made).toHaveLength(2);
    listeners.get('online')?.();
    vi.advanceTimersByTime(5_000);
    expect(FakeTransport.made).toHaveLength(2);
    socket.close();
    expect(listeners.size).toBe(0);
  });

  it('keeps the events that fit, and says which do not', () => {
    const room = new module.FwRpcClient('ws://h', {
      sockets: { WebSocket: FakeTransport, maxQueued: 2 },
    }).rooms.join({
      room: 'a',
    });
    expect([1, 2, 3].map((n) => room.emit('say', n))).toEqual([true, true, false]);
    FakeTransport.last.ready();
    expect(FakeTransport.last.sent.slice(1)).toEqual([
      { event: 'say', data: 1 },
      { event: 'say', data: 2 },
    ]);
    // A transport that is closing takes nothing, although it has not told so.
    FakeTransport.last.readyState = 2;
    expect([1, 2, 3].map((n) => room.emit('say', n))).toEqual([true, true, false]);
    expect(FakeTransport.last.sent).toHaveLength(3);
    room.close();
    expect(room.emit('say', 1)).toBe(false);
  });

  it('holds 100 events by default', () => {
    const room = feed();
    const taken = Array.from({ length: 101 }, (_, n) => room.emit('a', n));
    expect(taken.filter((one) => one)).toHaveLength(100);
    expect(taken.at(-1)).toBe(false);
  });

  it('remembers the last ids of 1,000 topics', () => {
    feed();
    FakeTransport.last.ready();
    for (let n = 0; n < 1_000; n += 1) FakeTransport.last.frame({ event: 'a', topic: `t${n}`, id: '1' });
    FakeTransport.last.frame({ event: 'a', topic: 't0', id: '2' });
    FakeTransport.last.frame({ event: 'a', topic: 'new', id: '3' });
    cut();
    connectsAfter(1_000);
    FakeTransport.last.tell('open');
    const [{ resume } = {}] = FakeTransport.last.sent as { resume?: Record<string, string> }[];
    expect(Object.keys(resume ?? {})).toHaveLength(1_000);
    expect(resume).toMatchObject({ t0: '2', new: '3', t999: '1' });
    expect(resume).not.toHaveProperty('t1');
  });
});

describe('a connection', () => {
  it('is given up if nothing arrives for two and a half heartbeats', () => {
    const onState = vi.fn();
    feed({ onState });
    const silent = FakeTransport.last;
    silent.ready(1_000);
    vi.advanceTimersByTime(2_499);
    silent.frame({});
    vi.advanceTimersByTime(2_499);
    expect(silent.closes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(silent.closes).toEqual([[]]);
    expect(onState.mock.lastCall).toEqual([
      'lost',
      expect.objectContaining({
        message: 'the connection to wss://example.org/feed was silent for 2500 ms (1006)',
      }),
    ]);
    connectsAfter(1_000);
  });

  it.each([0, -1, 1e300, 'a', null])('is kept if the server tells %j as its heartbeat', (heartbeatMs) => {
    feed();
    FakeTransport.last.tell('open');
    FakeTransport.last.frame({ ready: { heartbeatMs } });
    vi.advanceTimersByTime(1e9);
    expect(FakeTransport.last.closes).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is given up if the server is not ready in time', () => {
    feed({ timeoutMs: 50 });
    FakeTransport.last.tell('open');
    vi.advanceTimersByTime(50);
    expect(FakeTransport.last.closes).toEqual([[]]);
    connectsAfter(1_000);
  });

  it('has any time if there is no limit', () => {
    feed({ timeoutMs: Number.POSITIVE_INFINITY });
    vi.advanceTimersByTime(1e9);
    expect(FakeTransport.last.closes).toEqual([]);
  });

  it('is given up if there is no token in time, which then comes too late', async () => {
    let give = (_token: string): void => {};
    const token = vi.fn(() => new Promise<string>((resolve) => (give = resolve)));
    feed({ timeoutMs: 50, token });
    vi.advanceTimersByTime(50);
    const late = give;
    vi.advanceTimersByTime(1_000);
    expect(token).toHaveBeenCalledTimes(2);
    late('late');
    give('now');
    await Promise.resolve();
    expect(FakeTransport.made).toHaveLength(1);
    expect(FakeTransport.last.protocols).toEqual(['fw.events', 'fw.bearer.bm93']);
  });

  it('that fails without a close is lost', () => {
    const onState = vi.fn();
    feed({ onState });
    FakeTransport.last.tell('error', { error: new Error('refused') });
    expect(onState.mock.lastCall?.[1]).toMatchObject({ code: 1006, cause: new Error('refused') });
    connectsAfter(1_000);
  });

  it('that is silent is closed, also without another attempt', () => {
    const socket = feed({ reconnect: false });
    FakeTransport.last.ready(10);
    vi.advanceTimersByTime(25);
    expect(socket.state).toBe('closed');
    expect(FakeTransport.last.closes).toEqual([[]]);
  });

  it('that cannot be made closes the socket', () => {
    FakeTransport.fault = new SyntaxError('an invalid URL');
    const onState = vi.fn();
    expect(feed({ onState }).state).toBe('closed');
    expect(onState.mock.calls).toEqual([['closed', expect.objectContaining({ cause: FakeTransport.fault })]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a loop over events', () => {
  it.each<[string, (events: AsyncGenerator<unknown, void, undefined>) => Promise<unknown>]>([
    ['never began', (events) => events.return()],
    [
      'fails',
      async (events) => {
        for (let n = 0; n < 1_001; n += 1) FakeTransport.last.frame({ event: 'said', data: n });
        for (let n = 0; n < 1_000; n += 1) await events.next();
        await expect(events.next()).rejects.toThrow('more than 1000');
      },
    ],
  ])('that %s leaves no listener', async (_name, end) => {
    const removed = vi.spyOn(Map.prototype, 'delete');
    const forgotten = vi.spyOn(Set.prototype, 'delete');
    const events = feed().events('said');
    await end(events);
    expect(removed.mock.calls).toContainEqual(['said']);
    // The entry of the listener, and what would end the loop with the socket.
    expect(forgotten.mock.calls.map(([one]) => typeof one)).toEqual(
      expect.arrayContaining(['object', 'function']),
    );
  });
});

describe('a socket that is closed', () => {
  const nothingLeft = () => {
    expect(vi.getTimerCount()).toBe(0);
    for (const { listened } of FakeTransport.made) expect(listened).toEqual(['error']);
    vi.advanceTimersByTime(1e9);
    expect(FakeTransport.made).toHaveLength(1);
  };

  it.each<[string, () => void]>([
    ['while it connects', () => {}],
    ['while it waits for the server', () => FakeTransport.last.tell('open')],
    ['while it is open', () => FakeTransport.last.ready()],
    ['while it waits for its next attempt', () => cut()],
  ])('%s leaves nothing behind', (_name, before) => {
    const socket = feed();
    before();
    const wasCut = FakeTransport.last.readyState === 3;
    socket.close();
    expect(FakeTransport.last.closes).toEqual([wasCut ? [] : [1000, '']]);
    nothingLeft();
  });

  it('in its own callbacks leaves nothing behind', () => {
    const socket = feed({ onState: () => socket.close() });
    cut();
    expect(socket.state).toBe('closed');
    nothingLeft();
  });

  it.each(['is', 'cannot be'])('while its token %s made connects no more', async (outcome) => {
    let give = (_token: string | Promise<string>): void => {};
    const onState = vi.fn();
    const token = () => new Promise<string>((resolve) => (give = resolve));
    const socket = feed({ token, onState });
    socket.close();
    give(outcome === 'is' ? 'a' : Promise.reject(new Error('offline')));
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeTransport.made).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(onState.mock.calls).toEqual([['closed', undefined]]);
  });

  it.each(['of the call', 'of all sockets', 'of the client'])(
    'by the signal %s leaves nothing behind',
    (whose) => {
      const controller = new AbortController();
      const { signal } = controller;
      const removed = vi.spyOn(signal, 'removeEventListener');
      const onState = vi.fn();
      const common = { WebSocket: FakeTransport, ...(whose === 'of all sockets' && { signal }) };
      const client = new module.FwRpcClient('http://h', {
        sockets: common,
        ...(whose === 'of the client' && { signal }),
      });
      const socket = client.feed({ onState, ...(whose === 'of the call' && { signal }) });
      FakeTransport.last.ready();
      const reason = new Error('enough');
      controller.abort(reason);
      expect(socket.state).toBe('closed');
      expect(onState.mock.lastCall).toEqual(['closed', reason]);
      expect(FakeTransport.last.closes[0]).toEqual([1000]);
      expect(removed).toHaveBeenCalled();
      nothingLeft();
    },
  );

  it('removes its listener from the signal', () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    feed({ signal }).close();
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it('by an aborted signal never connects', () => {
    expect(feed({ signal: AbortSignal.abort() }).state).toBe('closed');
    expect(FakeTransport.made).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the URL of a socket', () => {
  it.each([
    ['https://example.org/', 'wss://example.org/feed'],
    ['HTTP://h:1/api', 'ws://h:1/api/feed'],
    ['wss://h', 'wss://h/feed'],
  ])('under %s is %s', (base, url) => {
    feed({}, base);
    expect(FakeTransport.last.url).toBe(url);
  });

  it('is at the origin of the page by default', () => {
    const client = () => new module.FwRpcClient('', { sockets: { WebSocket: FakeTransport } }).feed();
    expect(client).toThrow("a socket needs an absolute URL, not '/feed'");
    vi.stubGlobal('location', { protocol: 'https:', host: 'example.org:8' });
    client();
    expect(FakeTransport.last.url).toBe('wss://example.org:8/feed');
    vi.stubGlobal('location', { protocol: 'http:', host: 'localhost' });
    client();
    expect(FakeTransport.last.url).toBe('ws://localhost/feed');
  });

  it('needs a WebSocket', () => {
    vi.stubGlobal('WebSocket', undefined);
    expect(() => new module.FwRpcClient('http://h').feed()).toThrow(
      'there is no global WebSocket; give the option WebSocket, such as that of the package ws',
    );
    vi.stubGlobal('WebSocket', FakeTransport);
    new module.FwRpcClient('http://h').feed().close();
    expect(FakeTransport.made).toHaveLength(1);
  });
});
