// Lists and their tasks: what a user does with them, in several windows, and what nobody else can do.

import { randomUUID } from 'node:crypto';
import { RpcErrorCode } from 'fw/rpc';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Change, type FwRpcClient, JsonRpcClientError } from '../../web/src/client.ts';
import { password, type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 30_000 });

let api: TestApp;
let ada: FwRpcClient;
beforeAll(async () => {
  api = await testApp();
  ada = await api.user('ada@example.org');
});
afterAll(() => api[Symbol.asyncDispose]());

test('a list is added, renamed and removed with its tasks', async () => {
  const id = await newList(ada, 'Groceries');
  expect(await ada.lists.all()).toContainEqual({ id, name: 'Groceries', openTasks: 0 });
  await ada.lists.rename({ id, name: 'Shopping' });
  await newTask(ada, id, 'Buy milk');
  expect(await ada.lists.all()).toContainEqual({ id, name: 'Shopping', openTasks: 1 });
  await ada.lists.remove({ id });
  expect(await ada.lists.all()).not.toContainEqual(expect.objectContaining({ id }));
  await expect(ada.tasks.inList({ listId: id })).rejects.toMatchObject({ code: RpcErrorCode.NotFound });
});

test('a task is added, changed and removed', async () => {
  const listId = await newList(ada, 'Work');
  const id = await newTask(ada, listId, '  Call Bob ');
  await newTask(ada, listId, 'Write a test');
  expect(await ada.tasks.inList({ listId })).toMatchObject([
    { id, title: 'Call Bob', isDone: false },
    { title: 'Write a test', isDone: false },
  ]);
  await ada.tasks.change({ id, isDone: true });
  await ada.tasks.change({ id, title: 'Call Carol' });
  expect(await ada.tasks.inList({ listId })).toContainEqual({ id, title: 'Call Carol', isDone: true });
  expect(await ada.lists.all()).toContainEqual({ id: listId, name: 'Work', openTasks: 1 });
  await expect(ada.tasks.change({ id })).rejects.toMatchObject({ message: 'give a title or isDone' });
  await ada.tasks.remove({ id });
  expect(await ada.tasks.inList({ listId })).toHaveLength(1);
  await expect(ada.tasks.change({ id })).rejects.toMatchObject({ code: RpcErrorCode.NotFound });
});

test('a call that is repeated adds nothing twice', async () => {
  const list = { id: randomUUID(), name: 'Once' };
  await ada.lists.add(list);
  await ada.lists.add(list);
  const task = { id: randomUUID(), listId: list.id, title: 'Once' };
  await ada.tasks.add(task);
  await ada.tasks.add(task);
  expect((await ada.lists.all()).filter(({ id }) => id === list.id)).toHaveLength(1);
  expect(await ada.tasks.inList({ listId: list.id })).toHaveLength(1);
});

test.each([
  ['an empty title', ''],
  ['a title of spaces', '  '],
  ['a title of 201 characters', 'x'.repeat(201)],
  ['a title with NUL', 'a\0b'],
  ['a title of two lines', 'a\nb'],
])('a task cannot have %s', async (_name, title) => {
  const listId = await newList(ada, 'Titles');
  await expect(newTask(ada, listId, title)).rejects.toMatchObject({ code: RpcErrorCode.InvalidParams });
});

test('what belongs to somebody else is as if it did not exist', async () => {
  const eve = await api.user();
  const listId = await newList(ada, 'Private');
  const id = await newTask(ada, listId, 'Secret');
  expect(await eve.lists.all()).toEqual([]);
  const own = await newList(eve, 'Mine');
  const attempts = {
    inList: () => eve.tasks.inList({ listId }),
    rename: () => eve.lists.rename({ id: listId, name: 'Mine' }),
    addList: () => eve.lists.add({ id: listId, name: 'Mine' }),
    addTask: () => newTask(eve, listId, 'Mine'),
    addTaskWithId: () => newTask(eve, own, 'Mine', id),
    change: () => eve.tasks.change({ id, isDone: true }),
    remove: () => eve.tasks.remove({ id }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    await expect(attempt(), name).rejects.toMatchObject({ code: RpcErrorCode.NotFound });
  }
  await eve.lists.remove({ id: listId });
  expect(await ada.tasks.inList({ listId })).toEqual([{ id, title: 'Secret', isDone: false }]);
});

test('a change reaches the other windows of the user, and nobody else', async () => {
  const [window, eve] = [await follow(ada), await follow(await api.user())];
  const id = await newList(ada, 'Live');
  expect(await window.next).toEqual({ listId: id });
  // Nothing has come for Eve if the first thing that comes is her own.
  const own = await newList(eve.client, 'Own');
  expect(await eve.next).toEqual({ listId: own });
  await Promise.all([window.close(), eve.close()]);
});

test('whatever a user does with a list and its tasks reaches the other windows', async () => {
  const [id, taskId] = [randomUUID(), randomUUID()];
  const steps = [
    () => ada.lists.add({ id, name: 'Live' }),
    () => ada.lists.rename({ id, name: 'Living' }),
    () => ada.tasks.add({ id: taskId, listId: id, title: 'Buy milk' }),
    () => ada.tasks.change({ id: taskId, isDone: true }),
    () => ada.tasks.remove({ id: taskId }),
    () => ada.lists.remove({ id }),
  ];
  for (const step of steps) {
    const window = await follow(ada);
    await step();
    expect(await window.next).toEqual({ listId: id });
    await window.close();
  }
});

test('signing out ends the stream of every window of that session, and of no other', async () => {
  const first = await api.user('frank@example.org');
  const second = await api.browser();
  await second.accounts.signIn({ email: 'frank@example.org', password });
  const [ended, kept] = [await follow(first), await follow(second)];
  const error = expect(ended.next).rejects.toBeInstanceOf(JsonRpcClientError);
  await first.accounts.signOut();
  await error;
  const listId = await newList(second, 'Still here');
  expect(await kept.next).toEqual({ listId });
  await kept.close();
});

test('nothing is kept for a window that was closed', async () => {
  const user = await ada.accounts.current();
  const count = () => api.services.changes.count(user?.id);
  const before = count();
  const window = await follow(ada);
  expect(count()).toBe(before + 1);
  await window.close();
  await expect.poll(count).toBe(before);
});

async function newList(client: FwRpcClient, name: string): Promise<string> {
  const id = randomUUID();
  await client.lists.add({ id, name });
  return id;
}

async function newTask(client: FwRpcClient, listId: string, title: string, id: string = randomUUID()) {
  await client.tasks.add({ id, listId, title });
  return id;
}

/** Opens the stream of changes, and waits for the first one. */
async function follow(client: FwRpcClient) {
  const states: string[] = [];
  const changes = client.changes.follow({ onState: (state) => states.push(state) });
  const next = changes.next().then(({ value }) => value as Change);
  await expect.poll(() => states).toEqual(['open']);
  return { client, next, close: () => changes.return(undefined) };
}
