// Subscriptions of generated clients that travel over a socket, against a server of ws.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { options, rest } from '../conformance/checked-client.js';
import {
  loadClient,
  type TrialClient,
  type TrialModule,
  type TrialSocket,
  withSubscriptions,
} from '../conformance/socket-client.js';
import { type SocketServer, socketServer } from '../conformance/socket-server.js';
import { printClient } from './print-client.js';

const reconnect = { minDelayMs: 1, maxDelayMs: 5 };
const bad = { code: -32000, message: 'gone', name: 'gone', data: { why: 'late' } };

describe.each([
  ['JSON-RPC', options, 'JsonRpcClientError', bad],
  [
    'REST',
    rest,
    'FwRpcHttpError',
    { status: 410, body: { error: 'gone', message: 'gone', code: -32000, data: { why: 'late' } } },
  ],
] as const)('a subscription over a socket, in mode %s', (_name, mode, errorName, failure) => {
  let module: TrialModule;
  let server: SocketServer;
  let client: TrialClient;
  let room: TrialSocket;

  beforeAll(async () => {
    module = await loadClient(printClient(withSubscriptions, mode));
  });
  beforeEach(async () => {
    server = await socketServer();
    client = new module.FwRpcClient(`${server.url}/rpc`, { sockets: { WebSocket, reconnect } });
    room = client.rooms.join({ room: 'a' });
    await vi.waitFor(() => expect(room.state).toBe('open'));
  });
  afterEach(async () => {
    room.close();
    await server.close();
  });

  const connection = (count = 1) => {
    const found = server.connections[count - 1];
    if (found === undefined) throw new Error('there is no connection');
    return found;
  };
  const framesOf = async (most: number, count = 1) => {
    await vi.waitFor(() => expect(server.connections[count - 1]?.frames.length).toBeGreaterThanOrEqual(most));
    return connection(count).frames;
  };
  const errorOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error,
    );

  it('gets its events, and is ended by a break', async () => {
    const events = client.onTaskDone({ most: 2 }, { socket: room, lastEventId: '3' });
    expect(connection().frames).toHaveLength(1);
    const first = events.next();
    expect((await framesOf(2))[1]).toEqual({
      subscribe: { id: 1, method: 'onTaskDone', params: { most: 2 }, lastEventId: '3' },
    });
    connection().send({ subscription: { id: 9, data: 'of another one' } });
    connection().send({ subscription: { id: 1, data: { id: 7 } } });
    expect(await first).toEqual({ done: false, value: { id: 7 } });
    await events.return();
    expect((await framesOf(3))[2]).toEqual({ unsubscribe: { id: 1 } });
    const loop = (async () => {
      for await (const event of client.onTaskDone({ most: 1 }, { socket: room })) return event;
      return undefined;
    })();
    await framesOf(4);
    connection().send({ subscription: { id: 2, data: 'b' } });
    expect(await loop).toBe('b');
    expect((await framesOf(5))[4]).toEqual({ unsubscribe: { id: 2 } });
  });

  it('ends at once when it is left while it waits', async () => {
    const events = client.onTaskDone({ most: 1 }, { socket: room });
    const next = events.next();
    await framesOf(2);
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect((await framesOf(3))[2]).toEqual({ unsubscribe: { id: 1 } });
  });

  it('gets its events until it is done', async () => {
    const got: unknown[] = [];
    const loop = (async () => {
      for await (const event of client.onTaskDone({ most: 2 }, { socket: room })) got.push(event);
    })();
    await framesOf(2);
    connection().send({ subscription: { id: 1, data: 1 } });
    connection().send({ subscription: { id: 1, data: 2 } });
    connection().send({ subscription: { id: 1, done: true } });
    await loop;
    expect(got).toEqual([1, 2]);
    room.emit('typing-now');
    expect((await framesOf(3)).slice(2)).toEqual([{ event: 'typing-now' }]);
  });

  it('fails with the error of a call', async () => {
    const failing = errorOf(client.onTaskDone({ most: 1 }, { socket: room }).next());
    await framesOf(2);
    connection().send({ subscription: { id: 1, error: failure } });
    const error = await failing;
    expect(error).toMatchObject({ name: errorName, message: expect.stringContaining('gone') });
    expect(module.isErrorOf(error, 'onTaskDone')).toBe(true);
    for (const odd of [null, 'text', {}, []]) {
      const other = errorOf(client.onTaskDone({ most: 1 }, { socket: room }).next());
      const [{ subscribe } = {}] = (await framesOf(connection().frames.length + 1)).slice(-1);
      connection().send({ subscription: { id: (subscribe as { id: number }).id, error: odd } });
      expect(await other).toMatchObject({ name: errorName });
    }
  });

  it('continues after the last event when the socket connects again', async () => {
    const onState = vi.fn();
    const events = client.onTaskDone({ most: 1 }, { socket: room, onState });
    const first = events.next();
    await framesOf(2);
    connection().send({ subscription: { id: 1, data: 1, eventId: '41' } });
    connection().send({ subscription: { id: 1, data: 2, eventId: 5 } });
    await first;
    await events.next();
    const third = events.next();
    connection().socket.terminate();
    expect((await framesOf(2, 2))[1]).toEqual({
      subscribe: { id: 1, method: 'onTaskDone', params: { most: 1 }, lastEventId: '41' },
    });
    connection(2).send({ subscription: { id: 1, data: 3 } });
    expect((await third).value).toBe(3);
    expect(onState.mock.calls.map(([state]) => state)).toEqual(['open', 'lost', 'open']);
    await events.return();
  });

  it('that is made while the socket is away begins with the connection', async () => {
    const late = client.rooms.join({ room: 'b' });
    const next = client.onTaskDone({ most: 1 }, { socket: late }).next();
    const frames = await framesOf(2, 2);
    expect(frames.map((frame) => Object.keys(frame)[0])).toEqual(['resume', 'subscribe']);
    late.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('goes on beside a callback that throws, whose error is reported', async () => {
    const reported = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
    const onState = () => {
      throw new Error('of the callback');
    };
    const next = client.onTaskDone({ most: 1 }, { socket: room, onState }).next();
    await framesOf(2);
    connection().send({ subscription: { id: 1, data: 'a' } });
    expect((await next).value).toBe('a');
    const [report = () => {}] = reported.mock.calls[0] ?? [];
    reported.mockRestore();
    expect(report).toThrow('of the callback');
  });

  it('ends with a lost connection if it does not want another one', async () => {
    const failing = errorOf(client.onTaskDone({ most: 1 }, { socket: room, reconnect: false }).next());
    await framesOf(2);
    connection().socket.terminate();
    expect(await failing).toMatchObject({ name: 'FwSocketError', code: 1006 });
    await vi.waitFor(() => expect(room.state).toBe('open'));
    room.emit('typing-now');
    expect((await framesOf(2, 2))[1]).toEqual({ event: 'typing-now' });
  });

  it('fails with the reason why the socket was closed', async () => {
    const failing = errorOf(client.onTaskDone({ most: 1 }, { socket: room }).next());
    await framesOf(2);
    connection().socket.close(1008, 'no');
    expect(await failing).toMatchObject({ code: 1008, reason: 'no' });
    expect(await errorOf(client.onTaskDone({ most: 1 }, { socket: room }).next())).toMatchObject({
      message: expect.stringContaining('is closed'),
    });
  });

  it('is ended by its signal, without the events that wait', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const events = client.onTaskDone({ most: 1 }, { socket: room, signal: controller.signal });
    const first = events.next();
    await framesOf(2);
    const heard = new Promise<void>((resolve) => void room.on('mark', () => resolve()));
    for (const data of [1, 2]) connection().send({ subscription: { id: 1, data } });
    connection().send({ event: 'mark' });
    await first;
    await heard;
    controller.abort(new Error('enough'));
    await expect(events.next()).rejects.toThrow('enough');
    expect((await framesOf(3))[2]).toEqual({ unsubscribe: { id: 1 } });
    expect(removed).toHaveBeenCalledTimes(1);
    const none = client.onTaskDone({ most: 1 }, { socket: room, signal: controller.signal });
    await expect(none.next()).rejects.toThrow('enough');
    expect(connection().frames).toHaveLength(3);
  });

  it('takes the socket of the client by default', async () => {
    const asked = vi.fn();
    const common = new module.FwRpcClient(`${server.url}/rpc`, {
      socket: (own: unknown) => {
        asked(own);
        return room;
      },
    });
    const events = common.onTaskDone({ most: 1 });
    void events.next();
    await framesOf(2);
    expect(asked.mock.calls).toEqual([[common]]);
    await events.return();
    const fixed = new module.FwRpcClient(`${server.url}/rpc`, { socket: room }).onTaskDone({ most: 1 });
    void fixed.next();
    await framesOf(4);
    await fixed.return();
  });
});
