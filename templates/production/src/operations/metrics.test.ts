// Metrics: what Prometheus reads.
import { TestClient } from 'fw/testing';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';
import { metricsApp } from './metrics.ts';

test('requests are counted by method, pattern and status, and never by path', async () => {
  await using api = await testApp();
  const ada = await api.user();
  const { id } = (await ada.post('/tasks', { json: { title: 'Buy milk' } })).json<{ id: string }>();
  await ada.get(`/tasks/${id}`);
  await ada.get('/tasks/seven');
  await api.anyone.get('/nowhere/at/all');
  const { metrics } = api.services;
  metrics.collectProcess();
  const client = new TestClient(metricsApp(() => metrics.registry.metrics()));
  const answer = (await client.get('/metrics'))
    .assertStatus(200)
    .assertHeader('content-type', /^text\/plain; version=0\.0\.4/);
  const text = answer.text();
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{method="GET",route="\/tasks\/:id",status="200"\} 1$/m,
  );
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{method="GET",route="\/tasks\/:id",status="400"\} 1$/m,
  );
  expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1$/m);
  expect(text).toMatch(/^http_requests_in_flight 0$/m);
  expect(text).toMatch(/^websocket_connections 0$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain(id);
});

test('the app does not serve them on its own port', async () => {
  await using api = await testApp();
  (await api.anyone.get('/metrics')).assertStatus(404);
});
