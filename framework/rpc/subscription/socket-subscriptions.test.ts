// Subscriptions of a registry over a WebSocket: events, errors, ends and limits.
import { EventEmitter, on } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { serve } from '../../conformance/websocket/trial-socket.js';
import { FwError } from '../../http/errors.js';
import { PubSub } from '../../streaming/pub-sub.js';
import { websocket } from '../../websocket/index.js';
import { RpcMode, RpcRegistry, tracked } from '../index.js';

function registry(mode: RpcMode = RpcMode.JsonRpc) {
  const emitter = new EventEmitter().setMaxListeners(0);
  const ended: string[] = [];
  const changes = new PubSub<number>({ capacity: 1 });
  const rpc = RpcRegistry.withMode(mode)
    .subscription('count', { input: z.object({ to: z.number() }) }, async function* ({ to }) {
      for (let n = 1; n <= to; n++) yield n;
    })
    .subscription('lines', async function* (_input: undefined, { lastEventId }) {
      for (let n = Number(lastEventId ?? 0) + 1; n <= 3; n++) yield tracked(String(n), `line ${n}`);
    })
    .subscription('forever', async function* (_input: undefined, { signal, ctx }) {
      try {
        for await (const [value] of on(emitter, 'value', { signal })) yield [ctx.req.path, value];
      } finally {
        ended.push('forever');
      }
    })
    .subscription('flood', async function* () {
      try {
        // It ends by itself, lest the test spins if nothing holds it up.
        for (let n = 0; n < 10_000; n++) {
          yield 'x'.repeat(10_000);
          ended[0] = String(n);
        }
      } finally {
        ended.push('flood');
      }
    })
    .subscription('fails', async function* () {
      yield 1;
      throw FwError.notFound('no more');
    })
    .subscription('misses', (_: undefined, { signal }) => {
      const subscription = changes.subscribe('a', { signal });
      for (const message of [1, 2]) changes.publish('a', message);
      return subscription;
    })
    .subscription('breaks', async () => {
      throw new Error('secret');
    })
    .subscription('unsendable', async function* () {
      try {
        for (const value of [1, 2n, 3]) yield value as number;
      } finally {
        ended.push('unsendable');
      }
    })
    .subscription('slow', async (_input: undefined, { signal }): Promise<AsyncIterable<number>> => {
      ended.push('begun');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push('stopped');
      throw new Error('it was stopped');
    });
  return { rpc, emitter, ended };
}

async function open(mode?: RpcMode) {
  const made = registry(mode);
  const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc: made.rpc })));
  const client = await connect('/live');
  const frames = () => client.json.map((one) => (one as { subscription: unknown }).subscription);
  return { ...made, client, frames };
}

describe('a subscription over a WebSocket', () => {
  it('has its events and its end, several at a time', async () => {
    const { client, frames } = await open();
    client.send({ subscribe: { id: 1, method: 'count', params: { to: 2 } } });
    client.send({ subscribe: { id: 2, method: 'lines', lastEventId: '1' } });
    await vi.waitFor(() => expect(frames()).toHaveLength(6));
    const of = (id: number) => frames().filter((one) => (one as { id: number }).id === id);
    expect(of(1)).toEqual([
      { id: 1, data: 1 },
      { id: 1, data: 2 },
      { id: 1, done: true },
    ]);
    expect(of(2)).toEqual([
      { id: 2, data: 'line 2', eventId: '2' },
      { id: 2, data: 'line 3', eventId: '3' },
      { id: 2, done: true },
    ]);
  });

  it('runs with the context of the handshake until the client unsubscribes', async () => {
    const { client, frames, emitter, ended } = await open();
    client.send({ subscribe: { id: 1, method: 'forever' } });
    await vi.waitFor(() => expect(emitter.listenerCount('value')).toBe(1));
    emitter.emit('value', 7);
    await vi.waitFor(() => expect(frames()).toEqual([{ id: 1, data: ['/live', 7] }]));
    client.send({ unsubscribe: { id: 1 } });
    await vi.waitFor(() => expect(ended).toEqual(['forever']));
    expect(emitter.listenerCount('value')).toBe(0);
    client.send({ subscribe: { id: 1, method: 'count', params: { to: 0 } } });
    await vi.waitFor(() => expect(frames().at(-1)).toEqual({ id: 1, done: true }));
  });

  it('ends when the client leaves', async () => {
    const { client, emitter, ended } = await open();
    client.send({ subscribe: { id: 1, method: 'forever' } });
    await vi.waitFor(() => expect(emitter.listenerCount('value')).toBe(1));
    client.ws.terminate();
    await vi.waitFor(() => expect(ended).toEqual(['forever']));
  });

  it('waits for a client that does not read, and ends when it leaves', async () => {
    const { client, ended } = await open();
    client.ws.pause();
    client.send({ subscribe: { id: 1, method: 'flood' } });
    let last = '';
    await vi.waitFor(
      () => {
        const now = ended[0] ?? '';
        const isStill = now !== '' && now === last;
        last = now;
        expect(isStill).toBe(true);
      },
      { interval: 100 },
    );
    expect(Number(last) * 10_000).toBeLessThan(16_000_000);
    client.ws.terminate();
    await vi.waitFor(() => expect(ended).toContain('flood'));
  });

  it.each([
    [
      RpcMode.JsonRpc,
      { code: -32004, message: 'no more', data: { status: 404, error: 'NotFound' } },
      { code: -32603, message: 'Internal error' },
    ],
    [
      RpcMode.Rest,
      { status: 404, body: { error: 'NotFound', message: 'no more' } },
      { status: 500, body: { error: 'Internal', message: 'internal server error' } },
    ],
  ])('fails like the procedures of its mode (%s)', async (mode, missing, internal) => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client, frames } = await open(mode);
    client.send({ subscribe: { id: 1, method: 'fails' } });
    await vi.waitFor(() =>
      expect(frames()).toEqual([
        { id: 1, data: 1 },
        { id: 1, error: missing },
      ]),
    );
    client.send({ subscribe: { id: 2, method: 'breaks' } });
    await vi.waitFor(() => expect(frames().at(-1)).toEqual({ id: 2, error: internal }));
    client.send({ subscribe: { id: 3, method: 'count', params: { to: 'x' } } });
    await vi.waitFor(() => expect(JSON.stringify(frames().at(-1))).toContain('to'));
    report.mockRestore();
  });

  it('closes the connection with "service restart" if it has missed messages: its client connects again', async () => {
    const { client, frames } = await open();
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    client.send({ subscribe: { id: 1, method: 'misses' } });
    expect(await client.closed).toEqual({ code: 1012, reason: 'connect again: messages were missed' });
    expect(frames()).toEqual([]);
    expect(report.mock.calls).toEqual([]);
    report.mockRestore();
  });

  it('ends its handler if an event of it cannot be sent', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client, frames, ended } = await open();
    client.send({ subscribe: { id: 1, method: 'unsendable' } });
    await vi.waitFor(() =>
      expect(frames()).toEqual([
        { id: 1, data: 1 },
        { id: 1, error: { code: -32603, message: 'Internal error' } },
      ]),
    );
    await vi.waitFor(() => expect(ended).toEqual(['unsendable']));
    report.mockRestore();
  });

  it('fails with an internal error, if JSON cannot represent the data of its own', async () => {
    const errors = { wrong: z.object({ n: z.bigint() }) };
    const rpc = new RpcRegistry().subscription('wrong', { errors }, async function* (_, call) {
      yield 1;
      throw call.errors.wrong({ n: 1n });
    });
    const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc })));
    const client = await connect('/live');
    client.send({ subscribe: { id: 1, method: 'wrong' } });
    await vi.waitFor(() => expect(client.json).toHaveLength(2));
    const error = { code: -32603, message: 'Internal error' };
    expect(client.json[1]).toEqual({ subscription: { id: 1, error } });
  });

  it('sends no event that is still being checked when the client unsubscribes', async () => {
    const checks: (() => void)[] = [];
    const output = z
      .number()
      .refine(() => new Promise<boolean>((resolve) => checks.push(() => resolve(true))));
    const rpc = new RpcRegistry()
      .subscription('checked', { output }, async function* () {
        yield 1;
      })
      .subscription('plain', async function* () {
        yield 2;
      });
    const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc })));
    const client = await connect('/live');
    client.send({ subscribe: { id: 1, method: 'checked' } });
    await vi.waitFor(() => expect(checks).not.toHaveLength(0));
    client.send({ unsubscribe: { id: 1 } });
    client.send({ subscribe: { id: 2, method: 'plain' } });
    await vi.waitFor(() => expect(client.json).toHaveLength(2));
    for (const check of checks) check();
    client.send({ subscribe: { id: 3, method: 'plain' } });
    await vi.waitFor(() => expect(client.json).toContainEqual({ subscription: { id: 3, done: true } }));
    expect(client.json).not.toContainEqual({ subscription: { id: 1, data: 1 } });
  });

  it('says nothing of a failure to a client that has unsubscribed', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { client, frames, ended } = await open();
    client.send({ subscribe: { id: 1, method: 'slow' } });
    await vi.waitFor(() => expect(ended).toEqual(['begun']));
    client.send({ unsubscribe: { id: 1 } });
    await vi.waitFor(() => expect(ended).toEqual(['begun', 'stopped']));
    client.send({ subscribe: { id: 2, method: 'count', params: { to: 1 } } });
    await vi.waitFor(() => expect(frames().at(-1)).toEqual({ id: 2, done: true }));
    expect(frames()).toEqual([
      { id: 2, data: 1 },
      { id: 2, done: true },
    ]);
    expect(report).not.toHaveBeenCalled();
    report.mockRestore();
  });

  it('is refused if it is unknown, runs already, or is one too many; the connection stays', async () => {
    const { client, frames } = await open();
    client.send({ subscribe: { id: 0, method: '__proto__' } });
    await vi.waitFor(() =>
      expect(frames()).toEqual([{ id: 0, error: expect.objectContaining({ code: -32601 }) }]),
    );
    for (let id = 0; id <= 100; id++) client.send({ subscribe: { id, method: 'forever' } });
    client.send({ subscribe: { id: 1, method: 'forever' } });
    await vi.waitFor(() => expect(frames()).toHaveLength(3));
    expect(frames().slice(1)).toEqual([
      { id: 100, error: expect.objectContaining({ message: 'a connection has at most 100 subscriptions' }) },
      { id: 1, error: expect.objectContaining({ message: 'the subscription 1 is running already' }) },
    ]);
    client.send({ unsubscribe: null });
    client.send({ subscribe: { id: 'x' } });
    expect(await client.closed).toMatchObject({ code: 1008 });
  });
});
