// What those who run the app see: spans and metrics of its procedures.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testApp } from './test-app.ts';

test('a collector gets the spans of calls, with their queries', async () => {
  const received: string[] = [];
  const collector = createServer(async (request, response) => {
    received.push(await text(request));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const api = await testApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'lists' });
  const ada = await api.user();
  await ada.lists.add({ id: crypto.randomUUID(), name: 'Groceries' });
  // Sends the last ones.
  await api[Symbol.asyncDispose]();
  collector.close();
  const spans = received.join('');
  for (const name of ['lists', 'POST /rpc', 'lists.add', 'query insert'])
    expect(spans).toContain(`"${name}"`);
  expect(spans).not.toContain('Groceries');
});

test('metrics are those of procedures by name and outcome', async () => {
  await using api = await testApp();
  const ada = await api.user();
  await ada.lists.all();
  const metrics = await api.services.telemetry.registry.metrics();
  expect(metrics).toMatch(
    /^rpc_server_call_duration_seconds_count\{rpc_method="lists.all",rpc_response_status_code="ok"\} 1$/m,
  );
  expect(metrics).toMatch(
    /^db_client_operation_duration_seconds_count\{db_operation_name="select",outcome="ok"\} \d+$/m,
  );
});
