// Jobs, by the example of the webhook: there is one for each change that is stored, and it is tried until it succeeds.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { subscribe, type TracingEvent } from 'fw/tracing';
import { afterEach, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

vi.setConfig({ testTimeout: 30_000 });

const WEBHOOK_SECRET = 's'.repeat(32);

interface Call {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  answer(status: number, headers?: OutgoingHttpHeaders): void;
}

/** A server that gets the events; the test answers each. */
class Receiver {
  readonly server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, fields?: OutgoingHttpHeaders) =>
      void response.writeHead(status, fields).end();
    this.server.emit('call', { path: request.url, headers: request.headers, body, answer } satisfies Call);
  });

  async next(): Promise<Call> {
    const [call] = await once(this.server, 'call');
    return call;
  }
}

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function start(): Promise<{ api: TestApp; receiver: Receiver }> {
  const receiver = new Receiver();
  receiver.server.listen(0, '127.0.0.1');
  await once(receiver.server, 'listening');
  const url = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}/events`;
  const api = await testApp({ WEBHOOK_URL: url, WEBHOOK_SECRET });
  open.push(api, {
    async [Symbol.asyncDispose]() {
      receiver.server.closeAllConnections();
      receiver.server.close();
    },
  });
  return { api, receiver };
}

test('an event is signed, and delivered again under the same key until it is taken', async () => {
  const { api, receiver } = await start();
  const ada = await api.user();
  const first = receiver.next();
  const { id } = (await ada.post('/tasks', { json: { title: 'Buy milk' } })).json<{ id: string }>();
  const refused = await first;
  const second = receiver.next();
  refused.answer(503);
  const taken = await second;
  taken.answer(204);
  expect(JSON.parse(taken.body)).toMatchObject({ event: 'task.added', taskId: id });
  expect(taken.body).toBe(refused.body);
  expect(taken.headers['idempotency-key']).toBe(refused.headers['idempotency-key']);
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(taken.body).digest('hex');
  expect(taken.headers['x-signature']).toBe(`sha256=${signature}`);
  await api.services.jobs.close();
  const text = await api.services.telemetry.registry.metrics();
  expect(text).toMatch(/^jobs_total\{job="webhook",outcome="failed"\} 1$/m);
  expect(text).toMatch(/^jobs_total\{job="webhook",outcome="done"\} 1$/m);
});

test('a job logs with the id of the request that asked for it', async () => {
  const lines: TracingEvent[] = [];
  const { api, receiver } = await start();
  const unsubscribe = subscribe((event) => lines.push(event));
  const next = receiver.next();
  const answer = await (await api.user()).post('/tasks', { json: { title: 'Buy milk' } });
  (await next).answer(204);
  await api.services.jobs.close();
  unsubscribe();
  const done = lines.find(({ message }) => message === 'job webhook done');
  expect(done?.span).toMatchObject({ job: 'webhook', request_id: answer.header('x-request-id') });
});

test('a redirect is not followed, which could send the event to somebody else', async () => {
  const { api, receiver } = await start();
  const first = receiver.next();
  await (await api.user()).post('/tasks', { json: { title: 'Buy milk' } });
  const refused = await first;
  const second = receiver.next();
  refused.answer(307, { location: '/elsewhere' });
  const again = await second;
  again.answer(204);
  expect(again.path).toBe('/events');
});

test('a change that is refused leaves no job', async () => {
  const { api, receiver } = await start();
  const ada = await api.user();
  const added = receiver.next();
  const { id } = (await ada.post('/tasks', { json: { title: 'Buy milk' } })).json<{ id: string }>();
  (await added).answer(204);
  const stale = { json: { status: 'done' }, headers: { 'if-match': '"7"' } };
  (await ada.patch(`/tasks/${id}`, stale)).assertStatus(412);
  const next = receiver.next();
  (await ada.delete(`/tasks/${id}`)).assertStatus(204);
  const call = await next;
  call.answer(204);
  expect(JSON.parse(call.body)).toMatchObject({ event: 'task.removed', taskId: id });
});

test('the end waits for the job that runs', async () => {
  const { api, receiver } = await start();
  const ada = await api.user();
  const next = receiver.next();
  await ada.post('/tasks', { json: { title: 'Buy milk' } });
  const call = await next;
  const seen: string[] = [];
  const closed = api.services.jobs.close().then(() => seen.push('closed'));
  // A request to the app and its answer: closing had the time to go on.
  await ada.get('/tasks');
  seen.push('answered');
  call.answer(204);
  await closed;
  expect(seen).toEqual(['answered', 'closed']);
  expect(await api.services.telemetry.registry.metrics()).toMatch(/outcome="done"\} 1$/m);
});
