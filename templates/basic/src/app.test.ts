import { TestClient } from 'fw/testing';
import { expect, test } from 'vitest';
import { app } from './app.ts';

const client = new TestClient(app);

test('the home page is HTML', async () => {
  const response = await client.get('/');
  response.assertStatus(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('greets by name', async () => {
  const response = await client.get('/hello/Ada');
  expect(await response.json()).toEqual({ message: 'Hello, Ada!' });
});

test('a posted note can be read again', async () => {
  const created = await client.post('/notes', { json: { text: 'Buy milk' } });
  created.assertStatus(201);
  const { id } = await created.json<{ id: number }>();

  const read = await client.get(`/notes/${id}`);
  expect(await read.json()).toEqual({ id, text: 'Buy milk' });
});

test('a note without text is refused', async () => {
  const response = await client.post('/notes', { json: { title: 'Buy milk' } });
  response.assertStatus(400);
  expect(await response.json()).toEqual({ error: 'BadRequest', message: 'text must be a string' });
});

test('an unknown note is not found', async () => {
  const response = await client.get('/notes/999');
  response.assertStatus(404);
});
