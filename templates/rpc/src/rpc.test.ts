// The tests of the service: calls are passed to the app directly, without a server or a port.
import { fuzz, TestClient } from 'fw/testing';
import { expect, test } from 'vitest';
import { app } from './app.ts';
import { FwRpcClient, isErrorOf, JsonRpcClientError } from './client.ts';
import { rpc } from './rpc.ts';

// The generated client, which calls the app directly instead of over the network.
const client = new FwRpcClient('http://localhost/rpc', {
  fetch: (url, { signal, ...init }) => app.fetch(new Request(url, init)),
});

test('a task is added, found and finished', async () => {
  const { id } = await client.addTask({ title: 'Buy milk' });
  expect(await client.listTasks({ isDone: false })).toContainEqual({
    id,
    title: 'Buy milk',
    priority: 'normal',
    isDone: false,
  });
  await client.finishTask({ id });
  expect(await client.countTasks()).toEqual({ all: 2, done: 1 });
});

test('an invalid input is refused', async () => {
  const wrong = { id: 'one' } as unknown as { id: number };
  await expect(client.finishTask(wrong)).rejects.toMatchObject({ code: -32602 });
  await expect(client.addTask({ title: '' })).rejects.toBeInstanceOf(JsonRpcClientError);
});

test('a message of more than 1 MiB is refused', async () => {
  const http = new TestClient(app);
  (await http.post('/rpc', { json: { title: 'x'.repeat(1024 * 1024) } })).assertStatus(413);
});

test('a change of a task reaches its subscribers', async () => {
  const states: string[] = [];
  const changes = client.onTaskChanged({}, { onState: (state) => states.push(state) });
  const change = changes.next();
  await expect.poll(() => states).toEqual(['open']);
  const { id } = await client.addTask({ title: 'Call Ada' });
  expect((await change).value).toMatchObject({ id, title: 'Call Ada', isDone: false });
  await changes.return();
});

test('an unknown task is an error with its id', async () => {
  const error: unknown = await client.finishTask({ id: 999 }).catch((thrown: unknown) => thrown);
  if (!isErrorOf(error, 'finishTask')) throw error;
  expect(error.error).toMatchObject({ name: 'noSuchTask', data: { id: 999 } });
});

test('several calls are sent as a batch', async () => {
  const [count, missing] = await client.batch([
    { method: 'countTasks' },
    { method: 'finishTask', params: { id: 999 } },
  ]);
  expect(count.result?.all).toBeGreaterThan(0);
  expect(missing.error?.name).toBe('noSuchTask');
});

test('procedures can be called without a request, as the client calls them', async () => {
  const api = rpc.caller<FwRpcClient>();
  const { id } = await api.addTask({ title: 'Water the plants', priority: 'high' });
  expect(await api.listTasks({ priority: 'high' })).toContainEqual(expect.objectContaining({ id }));
});

test('the documentation page is served', async () => {
  (await new TestClient(app).get('/'))
    .assertStatus(200)
    .assertHeader('content-type', 'text/html; charset=utf-8');
});

// Last, because what it adds stays in memory. It takes requests of all kinds from the types: `npx fw docs fuzzing`.
test('no request breaks the app', async () => {
  await fuzz(app);
}, 300_000);
