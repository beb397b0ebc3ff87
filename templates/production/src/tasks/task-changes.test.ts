// Watchers of tasks: told of every change, with the power to undo it.
import { App, FwError } from 'fw';
import { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authentication, tokens } from '../auth/auth.ts';
import { type TestApp, testApp } from '../test-app.ts';
import type { TaskWatcher } from './task-changes.ts';
import { tasks } from './tasks.ts';

let api: TestApp;
let token: string;
beforeAll(async () => {
  api = await testApp();
  const { id } = (await (await api.user()).get('/me')).json<{ id: string }>();
  token = jwt.sign({ sub: id, scope: 'tasks:read tasks:write' });
});
afterAll(() => api[Symbol.asyncDispose]());

const jwt = tokens('x'.repeat(32));

function watchedBy(watcher: TaskWatcher): TestClient {
  const app = new App().withKysely(api.db).use(authentication(jwt, api.db)).route('/tasks', tasks(watcher));
  return new TestClient(app, { headers: { authorization: `Bearer ${token}` } });
}

test('a watcher is told of every change, when it is stored', async () => {
  const seen: string[] = [];
  const client = watchedBy({ changed: ({ kind, task }) => seen.push(`${kind} ${task.id}`) });
  const { id } = (await client.post('/tasks', { json: { title: 'Buy milk' } })).json<{ id: string }>();
  const headers = { 'if-match': '"1"' };
  (await client.patch(`/tasks/${id}`, { json: { status: 'done' }, headers })).assertStatus(200);
  (await client.patch(`/tasks/${id}`, { json: { status: 'open' }, headers })).assertStatus(412);
  (await client.delete(`/tasks/${id}`)).assertStatus(204);
  expect(seen).toEqual([`added ${id}`, `changed ${id}`, `removed ${id}`]);
});

test('what a watcher writes is stored with the change, or neither is', async () => {
  let isRefused = false;
  const seen: string[] = [];
  const client = watchedBy({
    async changing(trx, { task }) {
      await trx.updateTable('tasks').set({ notes: 'seen' }).where('id', '=', task.id).execute();
      if (isRefused) throw FwError.conflict('not now');
    },
    changed: ({ kind }) => seen.push(kind),
  });
  const added = await client.post('/tasks', { json: { title: 'Buy milk' } });
  const { id } = added.assertStatus(201).json<{ id: string }>();
  isRefused = true;
  (await client.post('/tasks', { json: { title: 'Call Ada' } })).assertStatus(409);
  (await client.delete(`/tasks/${id}`)).assertStatus(409);

  const { items } = (await client.get('/tasks')).json<{ items: object[] }>();
  expect(items).toMatchObject([{ id, title: 'Buy milk', notes: 'seen' }]);
  expect(seen).toEqual(['added']);
});

test('an answer waits for the watcher', async () => {
  let isTold = false;
  const client = watchedBy({
    async changed() {
      await new Promise(setImmediate);
      isTold = true;
    },
  });
  (await client.post('/tasks', { json: { title: 'Buy milk' } })).assertStatus(201);
  expect(isTold).toBe(true);
});
