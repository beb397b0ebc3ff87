// API keys: machines reach the tasks of the user who made the key, as far as its scopes allow.
import { TestClient } from 'fw/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

let api: TestApp;
let ada: TestClient;
beforeAll(async () => {
  api = await testApp();
  ada = await api.user();
});
afterAll(() => api[Symbol.asyncDispose]());

async function makeKey(scopes: string[]): Promise<{ id: string; machine: TestClient; key: string }> {
  const made = await ada.post('/api-keys', { json: { label: 'reports', scopes } });
  const { id, key } = made
    .assertStatus(201)
    .assertHeader('cache-control', 'no-store')
    .json<{ id: string; key: string }>();
  return { id, key, machine: new TestClient(api.app, { headers: { 'x-api-key': key } }) };
}

test('a key with a scope to read reads the tasks of its user, and no more', async () => {
  (await ada.post('/tasks', { json: { title: 'Buy milk' } })).assertStatus(201);
  const { machine } = await makeKey(['tasks:read']);
  const { items } = (await machine.get('/tasks')).assertStatus(200).json<{ items: { title: string }[] }>();
  expect(items.map(({ title }) => title)).toEqual(['Buy milk']);
  (await machine.post('/tasks', { json: { title: 'Call Ada' } })).assertStatus(403);
});

test('a key with a scope to write adds tasks, which are those of its user', async () => {
  const { machine } = await makeKey(['tasks:write']);
  const added = await machine.post('/tasks', { json: { title: 'Water the plants' } });
  (await ada.get(added.assertStatus(201).header('location') ?? '')).assertStatus(200);
  (await machine.get('/tasks')).assertStatus(403);
});

test('a key cannot make another key, nor see the account', async () => {
  const { machine } = await makeKey(['tasks:read', 'tasks:write']);
  (await machine.post('/api-keys', { json: { label: 'more', scopes: ['tasks:read'] } })).assertStatus(403);
  (await machine.get('/me')).assertStatus(403);
});

test('a key is shown once, and its digest alone is stored', async () => {
  const { id, key } = await makeKey(['tasks:read']);
  const listed = (await ada.get('/api-keys')).assertStatus(200);
  expect(listed.json<{ items: object[] }>().items).toContainEqual({
    id,
    label: 'reports',
    scopes: ['tasks:read'],
    createdAt: expect.any(String),
  });
  expect(listed.text()).not.toContain(key);
  expect(JSON.stringify(await sql`select * from tokens`.execute(api.db))).not.toContain(key);
});

test('a revoked key is refused', async () => {
  const { id, machine } = await makeKey(['tasks:read']);
  (await ada.delete(`/api-keys/${id}`)).assertStatus(204);
  (await machine.get('/tasks')).assertStatus(401);
  (await ada.delete(`/api-keys/${id}`)).assertStatus(404);
});

test('nobody else sees or revokes a key', async () => {
  const { id, machine } = await makeKey(['tasks:read']);
  const bob = await api.user();
  (await bob.get('/api-keys')).assertJson({ items: [] });
  (await bob.delete(`/api-keys/${id}`)).assertStatus(404);
  (await machine.get('/tasks')).assertStatus(200);
});

test('scopes that keys cannot have, and labels with control characters, are refused', async () => {
  (await ada.post('/api-keys', { json: { label: 'x', scopes: ['account'] } })).assertStatus(422);
  (await ada.post('/api-keys', { json: { label: 'x', scopes: [] } })).assertStatus(422);
  (await ada.post('/api-keys', { json: { label: '\0', scopes: ['tasks:read'] } })).assertStatus(422);
});
