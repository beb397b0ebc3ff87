// What those who run the app see: spans reach a collector by OTLP over HTTP, with the right parents, and metrics are those of
// all parts.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { subscribe } from 'fw/tracing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from './test-app.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const exports: Export[] = [];
let deliver: (call: IncomingMessage) => void;
const delivered = new Promise<IncomingMessage>((resolve) => {
  deliver = resolve;
});
const server = createServer(async (request, response) => {
  if (request.url === '/v1/traces') exports.push(JSON.parse(await text(request)));
  else deliver(request);
  response.end('{}');
}).listen(0, '127.0.0.1');

let api: TestApp;
beforeAll(async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = await testApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_SERVICE_NAME: 'tasks',
    WEBHOOK_URL: `${url}/hook`,
    WEBHOOK_SECRET: 'x'.repeat(32),
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a request continues the trace of its client, and its job and webhook continue that', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const logged: unknown[] = [];
  const unsubscribe = subscribe(({ span }) => logged.push(span.trace_id));
  const ada = await api.user();
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  (await ada.post('/tasks', { json: { title: 'Buy milk' }, headers })).assertStatus(201);
  (await ada.get('/tasks/seven', { headers })).assertStatus(400);
  const call = await delivered;
  unsubscribe();
  // Waits for the job that runs, then for the last export.
  await api[Symbol.asyncDispose]();

  const spans = exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
  const named = (name: string) => spans.find((span) => span.name === name && span.traceId === traceId);
  const request = named('POST /tasks');
  expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331' });
  expect(named('job webhook')?.parentSpanId).toBe(request?.spanId);
  expect(named('POST webhook')?.parentSpanId).toBe(named('job webhook')?.spanId);
  const queries = spans.filter(
    ({ name, parentSpanId }) => name === 'query insert' && parentSpanId === request?.spanId,
  );
  expect(queries.length).toBeGreaterThan(0);
  expect(JSON.stringify(queries)).not.toContain('Buy milk');
  expect(call.headers.traceparent).toBe(`00-${traceId}-${named('POST webhook')?.spanId}-01`);
  expect(logged).toContain(traceId);

  // What a client has done wrong is not an error of the server.
  expect(named('GET /tasks/:id')?.status.code ?? 0).toBe(0);
  expect(named('GET /tasks/:id')?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 400 },
  });
  expect(exports[0]?.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'tasks' },
  });
});

test('metrics are those of requests by method, pattern and status, of queries and of the process', async () => {
  await using tasks = await testApp();
  const ada = await tasks.user();
  const { id } = (await ada.post('/tasks', { json: { title: 'Buy milk' } })).json<{ id: string }>();
  await ada.get(`/tasks/${id}`);
  await tasks.anyone.get('/nowhere/at/all');
  const metrics = await tasks.services.telemetry.registry.metrics();
  const requests = 'http_server_request_duration_seconds_count';
  for (const line of [
    `${requests}{http_request_method="GET",http_route="/tasks/:id",http_response_status_code="200"} 1`,
    `${requests}{http_request_method="GET",http_route="",http_response_status_code="404"} 1`,
    'http_server_active_requests{http_request_method="GET"} 0',
  ]) {
    expect(metrics.split('\n')).toContain(line);
  }
  expect(metrics).toMatch(
    /^db_client_operation_duration_seconds_count\{db_operation_name="select",outcome="ok"\} \d+$/m,
  );
  expect(metrics).not.toContain(id);
});

test('the app does not serve metrics on its own port', async () => {
  await using tasks = await testApp();
  (await (await tasks.user()).get('/metrics')).assertStatus(404);
});

test('it is not ready while the database is away, and alive all the same', async () => {
  await using tasks = await testApp();
  await tasks.db.destroy();
  (await tasks.anyone.get('/health')).assertStatus(503).assertJson({ status: 'unavailable' });
  (await tasks.anyone.get('/health/live')).assertStatus(200);
});
