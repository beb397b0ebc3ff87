// Live updates: users see changes of their own tasks, and nobody else's.

import { startServer, TestClient } from 'fw/testing';
import { connectWebSocket, refusedWebSocket } from 'fw/testing/websocket';
import { expect, test, vi } from 'vitest';
import { testApp } from '../test-app.ts';

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
  expect(await api.services.metrics.registry.metrics()).toMatch(
    /^fw_websocket_connections\{http_route="\/live"\} 1$/m,
  );
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

test('a page that came over HTTP does not connect with a session of HTTPS', async () => {
  const publicUrl = new URL('https://127.0.0.1:3000');
  await using api = await testApp({ PUBLIC_URL: publicUrl });
  const server = await startServer(api.app);
  const browser = new TestClient(api.app, { origin: publicUrl.origin });
  const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
  (await browser.post('/sign-up', { json: credentials })).assertStatus(201);
  await browser.get('/');
  const token = { 'x-csrf-token': browser.cookie('__Host-csrf') ?? '' };
  (await browser.post('/session', { json: credentials, headers: token })).assertStatus(204);
  const headers = (scheme: string) => ({
    cookie: `__Host-sid=${browser.cookie('__Host-sid')}`,
    origin: server.url.replace('http:', scheme),
  });
  (await refusedWebSocket(server, '/live', { headers: headers('http:') })).assertStatus(403);
  await (await connectWebSocket(server, '/live', { headers: headers('https:') })).close();
  await server.close();
});
