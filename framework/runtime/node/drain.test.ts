// Graceful shutdown, with fake timers and connections.
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect as connectTo, Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Drain } from './listen.js';

/** Stands for an http.Server; `calls` records what was closed. */
class TestServer extends Server {
  readonly calls: string[] = [];

  closeIdleConnections(): void {
    this.calls.push('idle closed');
  }

  override close(done?: (error?: Error) => void): this {
    this.calls.push('closed');
    return super.close(done);
  }
}

class TestSocket extends EventEmitter {
  destroyed = false;
  closed = false;
  bytesRead: number;
  writableLength: number;

  constructor(bytesRead: number, writableLength: number) {
    super();
    this.bytesRead = bytesRead;
    this.writableLength = writableLength;
  }

  destroy(): void {
    this.destroyed = true;
    this.closed = true;
    this.emit('close');
  }
}

const GRACE_MS = 10_000;

function start() {
  const server = new TestServer();
  const drain = new Drain(server, GRACE_MS);
  const connect = (bytesRead = 1, writableLength = 0) => {
    const socket = new TestSocket(bytesRead, writableLength);
    server.emit('connection', socket as unknown as Socket);
    return socket;
  };
  return { server, drain, connect };
}

/** Returns a function that says whether the drain is done. */
function watch(drained: Promise<void>): () => Promise<boolean> {
  let isDone = false;
  void drained.then(() => {
    isDone = true;
  });
  return async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    return isDone;
  };
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
);
afterEach(() => void vi.useRealTimers());

describe('a drain', () => {
  it('is done immediately if there are no connections, and leaves no timer', async () => {
    const { server, drain, connect } = start();
    connect().destroy();
    expect(drain.isRunning).toBe(false);
    await drain.run();
    expect(drain.isRunning).toBe(true);
    expect(server.calls).toEqual(['closed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for every connection, and for those that are opened meanwhile', async () => {
    const { server, drain, connect } = start();
    const [first, second] = [connect(), connect()];
    const isDone = watch(drain.run());
    const third = connect();
    for (const socket of [first, second, third]) {
      expect(await isDone()).toBe(false);
      socket.destroy();
    }
    expect(await isDone()).toBe(true);
    expect(server.calls).toEqual(['closed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not done before a connection that was just destroyed has emitted close', async () => {
    const { server, drain } = start();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connectTo((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const events: string[] = [];
    socket.on('close', () => events.push('closed'));
    socket.destroy();
    await drain.run();
    expect([...events, 'drained']).toEqual(['closed', 'drained']);
    client.destroy();
  });

  it('takes no listener of a connection before it runs', () => {
    expect(start().connect().eventNames()).toEqual([]);
  });

  it('runs once', async () => {
    const { server, drain } = start();
    expect(drain.run()).toBe(drain.run());
    await drain.run();
    expect(server.calls).toEqual(['closed']);
  });

  it('closes the server that accepts connections, if it is another one', async () => {
    const { drain } = start();
    const listener = new Server();
    const closed = new Promise((resolve) => listener.once('close', resolve));
    await drain.run(listener);
    await vi.advanceTimersByTimeAsync(0);
    await closed;
  });

  it('gives a connection one second for its next request, unless it never sent one', async () => {
    const { server, drain, connect } = start();
    const [silent, kept] = [connect(0), connect()];
    void drain.run();
    await vi.advanceTimersByTimeAsync(999);
    expect([silent.destroyed, server.calls]).toEqual([false, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([silent.destroyed, kept.destroyed, server.calls]).toEqual([true, false, ['idle closed']]);
  });

  it('does not close a connection whose response is not sent completely', async () => {
    const { server, drain, connect } = start();
    const [sending] = [connect(1, 5), connect()];
    void drain.run();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(server.calls).toEqual([]);
    sending.writableLength = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.calls).toEqual(['idle closed']);
  });

  it('closes all connections at the end of the grace period', async () => {
    const { drain, connect } = start();
    const [sending, waiting] = [connect(1, 5), connect()];
    const isDone = watch(drain.run());
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    expect([sending.destroyed, waiting.destroyed, await isDone()]).toEqual([false, false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([sending.destroyed, waiting.destroyed, await isDone()]).toEqual([true, true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an event stream', () => {
  const stream = () => {
    const outgoing = new EventEmitter();
    return { outgoing, response: outgoing as unknown as ServerResponse, end: vi.fn() };
  };

  it('is ended when a drain begins, unless it has already ended', async () => {
    const { drain } = start();
    const [open, over] = [stream(), stream()];
    for (const { response, end } of [open, over]) drain.endsAtOnce(response, end);
    over.outgoing.emit('close');
    expect(open.end).not.toHaveBeenCalled();
    await drain.run();
    expect(open.end).toHaveBeenCalledTimes(1);
    expect(over.end).not.toHaveBeenCalled();
  });

  it('that begins during a drain is ended immediately', async () => {
    const { drain } = start();
    await drain.run();
    const { outgoing, response, end } = stream();
    drain.endsAtOnce(response, end);
    expect(end).toHaveBeenCalledTimes(1);
    expect(outgoing.listenerCount('close')).toBe(0);
  });
});

it('tells a connection that was upgraded of a drain, unless that is over', async () => {
  const { drain } = start();
  const [open, over] = [new PassThrough(), new PassThrough()];
  const [told, untold, late] = [vi.fn(), vi.fn(), vi.fn()];
  drain.goesAway(open, { goAway: told });
  drain.goesAway(over, { goAway: untold });
  over.emit('close');
  expect(told).not.toHaveBeenCalled();
  await drain.run();
  drain.goesAway(open, { goAway: late });
  expect([told, untold, late].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1]);
});
