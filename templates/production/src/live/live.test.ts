// Live updates: users see changes of their own tasks, and nobody else's.

import { startServer } from 'fw/testing';
import { connectWebSocket, refusedWebSocket } from 'fw/testing/websocket';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';

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
  expect(await api.services.metrics.registry.metrics()).toMatch(/^websocket_connections 1$/m);
  await socket.close();
  await server.close();
});

test('nobody else connects, nor does a page of another site with the cookie of a user', async () => {
  await using api = await testApp();
  const server = await startServer(api.app);
  (await refusedWebSocket(server, '/live')).assertStatus(401);
  const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
  await api.anyone.post('/sign-up', { json: credentials });
  await api.anyone.get('/');
  const token = { 'x-csrf-token': api.anyone.cookie('csrf') ?? '' };
  (await api.anyone.post('/session', { json: credentials, headers: token })).assertStatus(204);
  const cookie = `sid=${api.anyone.cookie('sid')}`;
  (
    await refusedWebSocket(server, '/live', { headers: { cookie, origin: 'https://evil.example' } })
  ).assertStatus(403);
  const own = await connectWebSocket(server, '/live', { headers: { cookie, origin: server.url } });
  await own.close();
  await server.close();
});
