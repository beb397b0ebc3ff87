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

test('users are told that they missed changes, once Redis takes messages again', async () => {
  const messages: string[] = [];
  let isAway = true;
  const away = async () => {
    throw new Error('away');
  };
  const broker: HistoryBroker = {
    async append(_channel, message) {
      if (isAway) throw new Error('away');
      messages.push(message);
    },
    publish: away,
    subscribe: away,
    since: away,
    follow: away,
    close: async () => {},
  };
  const live = new Live(broker);
  const change = { kind: 'removed', task: { id: crypto.randomUUID(), ownerId: 'ada' } } as const;
  await live.tell(change);
  await live.tell(change);
  expect(messages).toEqual([]);
  isAway = false;
  await vi.waitFor(() => expect(messages).toEqual([expect.stringContaining('"event":"missed"')]), 10_000);
  live.close();
});
