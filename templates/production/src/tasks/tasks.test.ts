// Tasks: from the first to the last request on one, pages, and changes at the same time.
import type { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

interface Task {
  id: string;
  title: string;
  status: string;
  version: number;
}

let api: TestApp;
let ada: TestClient;
beforeAll(async () => {
  api = await testApp();
  ada = await api.user();
});
afterAll(() => api[Symbol.asyncDispose]());

async function add(title: string, more: object = {}): Promise<Task> {
  return (await ada.post('/tasks', { json: { title, ...more } })).assertStatus(201).json<Task>();
}

test('a task is added, read, changed and removed', async () => {
  const added = await ada.post('/tasks', { json: { title: ' Buy milk ' } });
  const { id } = added.assertStatus(201).assertHeader('etag', '"1"').json<Task>();
  added.assertHeader('location', `/tasks/${id}`);

  const read = await ada.get(`/tasks/${id}`);
  expect(read.assertStatus(200).json()).toMatchObject({
    title: 'Buy milk',
    notes: '',
    status: 'open',
    version: 1,
  });
  expect(read.json()).not.toHaveProperty('ownerId');

  const changed = await ada.patch(`/tasks/${id}`, {
    json: { status: 'done' },
    headers: { 'if-match': '"1"' },
  });
  expect(changed.assertStatus(200).assertHeader('etag', '"2"').json()).toMatchObject({
    title: 'Buy milk',
    status: 'done',
    version: 2,
  });

  (await ada.delete(`/tasks/${id}`)).assertStatus(204);
  (await ada.get(`/tasks/${id}`)).assertStatus(404);
});

test('a client that has the newest version is not sent it again', async () => {
  const { id } = await add('Buy milk');
  for (const known of ['"1"', 'W/"1"', '"7", "1"', '*']) {
    const answer = await ada.get(`/tasks/${id}`, { headers: { 'if-none-match': known } });
    answer.assertStatus(304).assertHeader('etag', '"1"').assertText('');
  }
  (await ada.get(`/tasks/${id}`, { headers: { 'if-none-match': '"2"' } })).assertStatus(200);
});

test('of two changes of one version, one wins', async () => {
  const { id } = await add('Buy milk');
  const change = (title: string) =>
    ada.patch(`/tasks/${id}`, { json: { title }, headers: { 'if-match': '"1"' } });
  const answers = await Promise.all([change('Buy oat milk'), change('Buy soy milk')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  const winner = answers.find(({ status }) => status === 200)?.json<Task>();
  (await ada.get(`/tasks/${id}`)).assertJson(winner);
  answers
    .find(({ status }) => status === 412)
    ?.assertHeader('etag', '"2"')
    .assertJson({ error: 'PreconditionFailed', message: 'the task has changed; its ETag is "2" now' });
});

test('a change says which version it is of', async () => {
  const { id } = await add('Buy milk');
  const change = (ifMatch?: string) =>
    ada.patch(`/tasks/${id}`, {
      json: { title: 'x' },
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  (await change()).assertStatus(428);
  (await change('1')).assertStatus(400);
  (await change('W/"1"')).assertStatus(412);
  (await change('"99999999999"')).assertStatus(412);
  (await change('"7", "1"')).assertStatus(200);
  (await change('*')).assertStatus(200);
});

test('a task that was changed meanwhile is not removed', async () => {
  const { id } = await add('Buy milk');
  (await ada.delete(`/tasks/${id}`, { headers: { 'if-match': '"2"' } })).assertStatus(412);
  (await ada.delete(`/tasks/${id}`, { headers: { 'if-match': '"1"' } })).assertStatus(204);
});

test('the tasks of somebody else do not exist', async () => {
  const { id } = await add('Buy milk');
  const bob = await api.user();
  (await bob.get('/tasks')).assertJson({ items: [], nextCursor: null });
  (await bob.get(`/tasks/${id}`)).assertStatus(404);
  (await bob.patch(`/tasks/${id}`, { json: { title: 'x' }, headers: { 'if-match': '*' } })).assertStatus(404);
  (await bob.delete(`/tasks/${id}`)).assertStatus(404);
  (await ada.get(`/tasks/${id}`)).assertStatus(200);
});

test.each([
  [{}, 'title'],
  [{ title: '   ' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ title: 'x', status: 'lost' }, 'status'],
  [{ title: 'a\0b' }, 'title'],
  [{ title: 'a\nb' }, 'title'],
  [{ title: 'x', notes: 'a\u007fb' }, 'notes'],
])('the task %j is refused', async (json, field) => {
  const refused = await ada.post('/tasks', { json });
  const { issues } = refused.assertStatus(422).json<{ issues: { path: string[] }[] }>();
  expect(issues.map(({ path }) => path.join('.'))).toEqual([field]);
});

test('an empty change and an id that is none are refused', async () => {
  const { id } = await add('Buy milk');
  (await ada.patch(`/tasks/${id}`, { json: {}, headers: { 'if-match': '*' } })).assertStatus(422);
  (await ada.get('/tasks/seven')).assertStatus(400);
});

test('pages have every task once, also while tasks are added', async () => {
  const eve = await api.user();
  const now = Date.now();
  const { id: ownerId } = (await eve.get('/me')).json<{ id: string }>();
  // Several of one millisecond, which only the id tells apart.
  const rows = Array.from({ length: 25 }, (_, index) => {
    const createdAt = new Date(now - 1000 + Math.floor(index / 4)).toISOString();
    const status = 'open' as const;
    const title = `Task ${index}`;
    return {
      id: crypto.randomUUID(),
      ownerId,
      title,
      notes: '',
      status,
      version: 1,
      createdAt,
      updatedAt: createdAt,
    };
  });
  await api.db.insertInto('tasks').values(rows).execute();

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? { limit: '7' } : { limit: '7', cursor };
    const page = (await eve.get('/tasks', { query })).assertStatus(200);
    const { items, nextCursor } = page.json<{ items: Task[]; nextCursor: string | null }>();
    seen.push(...items.map(({ id }) => id));
    cursor = nextCursor;
    (await eve.post('/tasks', { json: { title: 'In between' } })).assertStatus(201);
  } while (cursor !== null);
  const newestFirst = rows.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1));
  expect(seen).toEqual(newestFirst.map(({ id }) => id));
});

test('a full last page has no next one', async () => {
  const eve = await api.user();
  for (const title of ['one', 'two']) (await eve.post('/tasks', { json: { title } })).assertStatus(201);
  const page = (await eve.get('/tasks?limit=2')).json<{ items: Task[]; nextCursor: string | null }>();
  expect(page).toMatchObject({ items: [{}, {}], nextCursor: null });
});

test('the list is filtered by status and by a part of the title', async () => {
  const eve = await api.user();
  for (const [title, status] of [
    ['Buy milk', 'open'],
    ['Buy 100% juice', 'done'],
    ['Call Ada', 'done'],
  ]) {
    (await eve.post('/tasks', { json: { title, status } })).assertStatus(201);
  }
  // Tasks of one millisecond are in the order of their ids.
  const titles = async (query: Record<string, string>) =>
    (await eve.get('/tasks', { query }))
      .json<{ items: Task[] }>()
      .items.map(({ title }) => title)
      .sort();
  expect(await titles({ status: 'done' })).toEqual(['Buy 100% juice', 'Call Ada']);
  expect(await titles({ q: 'buy' })).toEqual(['Buy 100% juice', 'Buy milk']);
  expect(await titles({ q: 'buy', status: 'done' })).toEqual(['Buy 100% juice']);
  // % is a character like any other.
  expect(await titles({ q: '0% j' })).toEqual(['Buy 100% juice']);
  expect(await titles({ q: '%' })).toEqual(['Buy 100% juice']);
});

test('notes have lines and tabs', async () => {
  const notes = 'one\n\ttwo\r\nthree';
  expect(await add('x', { notes })).toMatchObject({ notes });
});

test.each([
  'limit=0',
  'limit=101',
  'limit=many',
  'status=lost',
  'q=%00',
  'cursor=x',
  `cursor=${btoa('["a","b"]')}`,
])('the query %s is refused', async (query) => {
  (await ada.get(`/tasks?${query}`)).assertStatus(400);
});
