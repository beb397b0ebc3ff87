// What a subscription of a WebSocket alone has accepted is watched for as long as it runs, and no longer.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiKey } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { serve } from '../../conformance/websocket/trial-socket.js';
import { App, type Context, provide } from '../../index.js';
import { websocket } from '../../websocket/index.js';
import { RpcRegistry } from '../index.js';

const reports: unknown[] = [];
const report = (message: unknown) => reports.push((message as { error: unknown }).error);

beforeEach(() => {
  reports.length = 0;
  diagnostics.subscribe('fw:error', report);
});
afterEach(() => {
  vi.useRealTimers();
  diagnostics.unsubscribe('fw:error', report);
});

const secret = 'a secret of at least 32 bytes, really';
const identity = { id: 'machine', scopes: ['read'] as readonly string[] };

async function* once(ctx: Context, signal: AbortSignal) {
  yield ctx.principal()?.id ?? 'nobody';
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

async function byKey() {
  let answer: () => typeof identity | undefined = () => identity;
  const asked = vi.fn(async () => answer());
  const key = provide({ key: apiKey({ store: { validate: asked } }) });
  const rpc = new RpcRegistry()
    .subscription('byKey', { use: [key] }, (_, { ctx, signal }) => once(ctx, signal))
    .subscription('short', { use: [key] }, async function* () {
      yield 1;
    });
  const { connect } = await serve(new App().websocket('/', websocket({}, { rpc, pingIntervalMs: 0 })));
  const client = await connect('/', [], { headers: { 'x-api-key': 'k1' } });
  // The connection has a timer too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return {
    client,
    asked,
    answers: (next: typeof answer) => {
      answer = next;
    },
  };
}

it('asks the store of API keys every half a minute, and ends when the key is revoked', async () => {
  const { client, asked, answers } = await byKey();
  client.send({ subscribe: { id: 1, method: 'byKey' } });
  await vi.waitFor(() => expect(client.json).toEqual([{ subscription: { id: 1, data: 'machine' } }]));
  asked.mockClear();
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  const away = new Error('the store is away');
  answers(() => {
    throw away;
  });
  // One that is due while the answer to the last one is on its way is left out.
  await vi.waitFor(() => {
    vi.advanceTimersByTime(30_000);
    expect(reports).toContain(away);
  });
  expect(client.json).toHaveLength(1);
  answers(() => undefined);
  const error = expect.objectContaining({ code: -32001, message: 'the API key is not valid any more' });
  await vi.waitFor(() => {
    vi.advanceTimersByTime(30_000);
    expect(client.json[1]).toEqual({ subscription: { id: 1, error } });
  });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});

it.each([
  ['it has ended', 'short', undefined],
  ['its client has unsubscribed', 'byKey', { unsubscribe: { id: 1 } }],
])('asks no more when %s', async (_, method, last) => {
  const { client, asked } = await byKey();
  client.send({ subscribe: { id: 1, method } });
  await vi.waitFor(() => expect(client.json).not.toHaveLength(0));
  if (last !== undefined) {
    expect(vi.getTimerCount()).toBe(1);
    client.send(last);
  }
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  asked.mockClear();
  vi.advanceTimersByTime(90_000);
  expect(asked).not.toHaveBeenCalled();
});

it('leaves to the connection what the handshake has shown', async () => {
  const key = apiKey({ store: { validate: async () => identity } });
  const rpc = new RpcRegistry().subscription('plain', (_: unknown, { ctx, signal }) => once(ctx, signal));
  const { connect } = await serve(
    new App().use(key).websocket('/', websocket({}, { rpc, pingIntervalMs: 0 })),
  );
  const client = await connect('/', [], { headers: { 'x-api-key': 'k1' } });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  client.send({ subscribe: { id: 1, method: 'plain' } });
  await vi.waitFor(() => expect(client.json).toEqual([{ subscription: { id: 1, data: 'machine' } }]));
  expect(vi.getTimerCount()).toBe(0);
});

it('tells nothing of a token that expires after the subscription has ended, and aborts the signals of others', async () => {
  const reasons: unknown[] = [];
  const person = provide({ person: Jwt.hs256(secret).build() });
  const rpc = new RpcRegistry()
    .subscription('short', { use: [person] }, async function* () {
      yield 1;
    })
    .subscription('long', { use: [person] }, async function* (_, { ctx, signal }) {
      for (const one of [ctx.signal, signal]) one.addEventListener('abort', () => reasons.push(one.reason));
      yield 2;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
  const { connect } = await serve(new App().websocket('/', websocket({}, { rpc })));
  const exp = Math.floor(Date.now() / 1000) + 2;
  const authorization = `Bearer ${Jwt.hs256(secret).sign({ sub: 'ada', exp })}`;
  const client = await connect('/', [], { headers: { authorization } });
  client.send({ subscribe: { id: 1, method: 'short' } });
  await vi.waitFor(() => expect(client.json).toContainEqual({ subscription: { id: 1, done: true } }));
  client.send({ subscribe: { id: 2, method: 'long' } });
  await vi.waitFor(() => expect(client.json).toHaveLength(4));
  expect(client.json.map((one) => Object.keys((one as { subscription: object }).subscription))).toEqual([
    ['id', 'data'],
    ['id', 'done'],
    ['id', 'data'],
    ['id', 'error'],
  ]);
  expect(client.json[3]).toMatchObject({ subscription: { id: 2 } });
  const expired = expect.objectContaining({ message: 'the token has expired' });
  await vi.waitFor(() => expect(reasons).toEqual([expired, expired]));
});
