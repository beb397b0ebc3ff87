// The tests of the app: requests are passed to it directly, without a server or a port.
import { fuzz, TestClient } from 'fw/testing';
import { expect, test } from 'vitest';
import { app } from './app.ts';

const client = new TestClient(app);

test('the home page leads to the documentation', async () => {
  const response = await client.get('/');
  response.assertStatus(200).assertHeader('content-type', 'text/html; charset=utf-8');
  const [, link = ''] = /href="(\/docs)"/.exec(response.text()) ?? [];
  (await client.get(link)).assertStatus(200).assertHeader('content-type', /html/);
});

test('greets by name', async () => {
  const response = await client.get('/hello/Ada');
  response.assertStatus(200).assertJson({ message: 'Hello, Ada!' });
});

test('a posted note can be read again', async () => {
  const created = await client.post('/notes', { json: { text: 'Buy milk' } });
  created.assertStatus(201).assertJson({ id: 2, text: 'Buy milk' });

  const read = await client.get('/notes/2');
  read.assertStatus(200).assertJson({ id: 2, text: 'Buy milk' });
});

test('a note of more than 1 MiB is refused', async () => {
  const response = await client.post('/notes', { json: { text: 'x'.repeat(1024 * 1024) } });
  response.assertStatus(413);
});

test('a note without text is refused, with the reason', async () => {
  const response = await client.post('/notes', { json: { title: 'Buy milk' } });
  response.assertStatus(422);
  expect(response.json<{ message: string }>().message).toMatch(/^text: /);
});

test('an unknown note is not found', async () => {
  const response = await client.get('/notes/999');
  response.assertStatus(404);
});

// Last, because what it adds stays in memory. It takes requests of all kinds from the types: `npx fw docs fuzzing`.
test('no request breaks the app', async () => {
  await fuzz(app);
}, 300_000);
