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
    /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/tasks\/:id",http_response_status_code="200"\} 1$/m,
  );
  expect(text).toMatch(
    /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/tasks\/:id",http_response_status_code="400"\} 1$/m,
  );
  expect(text).toMatch(
    /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="",http_response_status_code="404"\} 1$/m,
  );
  expect(text).toMatch(/^http_server_active_requests\{http_request_method="GET"\} 0$/m);
  expect(text).toMatch(
    /^db_client_operation_duration_seconds_count\{db_operation_name="select",outcome="ok"\} \d+$/m,
  );
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain(id);
});

test('the app does not serve them on its own port', async () => {
  await using api = await testApp();
  (await api.anyone.get('/metrics')).assertStatus(404);
});
