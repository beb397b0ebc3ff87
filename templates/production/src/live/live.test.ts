// Live updates: users see changes of their own tasks, and nobody else's.

import { startServer } from 'fw/testing';
import { connectWebSocket, refusedWebSocket } from 'fw/testing/websocket';
import type { HistoryBroker } from 'fw/websocket';
import { expect, test, vi } from 'vitest';
import { testApp } from '../test-app.ts';
import { Live } from './live.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

test('a user is told of changes of their tasks, by whatever client', async () => {
  await using api = await testApp();
  const server = await startServer(api.app);
  const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
  const { token } = (await api.anyone.post('/sign-up', { json: credentials })).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const socket = await connectWebSocket(server, '/live', { headers });

  const bob = await api.user();
  (await bob.post('/tasks', { json: { title: 'Of somebody else' } })).assertStatus(201);
  const { id } = (await api.anyone.post('/tasks', { json: { title: 'Buy milk' }, headers })).json<{
    id: string;
  }>();
  expect(await socket.nextEvent('task')).toEqual({ kind: 'added', id, version: 1 });
  await api.anyone.delete(`/tasks/${id}`, { headers });
  expect(await socket.nextEvent('task')).toEqual({ kind: 'removed', id });
  await socket.assertNothing();
  expect(await api.services.telemetry.registry.metrics()).toMatch(
    /^fw_websocket_connections\{http_route="\/live"\} 1$/m,
  );
  await socket.close();
  await server.close();
});

test('nobody else connects', async () => {
  await using api = await testApp();
  const server = await startServer(api.app);
  (await refusedWebSocket(server, '/live')).assertStatus(401);
  const headers = { 'x-api-key': 'fw_unknown' };
  (await refusedWebSocket(server, '/live', { headers })).assertStatus(401);
  await server.close();
});

/** Redis, which can be away. `messages` are those that it took, `tried` counts all. */
function trialBroker() {
  const state = { isAway: true, tried: 0, messages: [] as string[] };
  const away = async () => {
    throw new Error('away');
  };
  const broker: HistoryBroker = {
    async append(_channel, message) {
      state.tried += 1;
      if (state.isAway) throw new Error('away');
      state.messages.push(message);
    },
    publish: away,
    subscribe: away,
    since: away,
    follow: away,
    close: async () => {},
  };
  return { broker, state };
}
const change = () => ({ kind: 'removed', task: { id: crypto.randomUUID(), ownerId: 'ada' } }) as const;

test('users are told that they missed changes, once Redis takes messages again', async () => {
  const { broker, state } = trialBroker();
  const live = new Live(broker);
  await live.tell(change());
  await live.tell(change());
  expect(state.messages).toEqual([]);
  state.isAway = false;
  const missed = [expect.stringContaining('"event":"missed"')];
  await vi.waitFor(() => expect(state.messages).toEqual(missed), 10_000);
  live.close();
});

test('nothing is tried again after the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { broker, state } = trialBroker();
    const first = new Live(broker);
    await first.tell(change());
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.tried, vi.getTimerCount()]).toEqual([2, 1]);
    first.close();
    expect(vi.getTimerCount()).toBe(0);

    let fail: (reason: Error) => void = () => {};
    const append = () => new Promise<void>((_resolve, reject) => (fail = reject));
    const second = new Live({ ...broker, append });
    const told = second.tell(change());
    second.close();
    fail(new Error('away'));
    await told;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
