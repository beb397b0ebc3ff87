// Optimistic updates: what is shown while edits wait for their answers.
import { expect, test } from 'vitest';
import type { Task } from '../client.ts';
import { openTasksOf, withPendingLists, withPendingTasks } from './pending.ts';

const milk: Task = { id: '1', title: 'Buy milk', isDone: false };
const none = { added: [], changed: [], renamed: [], removed: [] };

test('tasks are shown with the edits that wait, in their order', () => {
  const shown = withPendingTasks([milk, { ...milk, id: '2' }], {
    added: [{ id: '3', listId: 'a', title: 'Call Bob' }],
    changed: [
      { id: '1', title: 'Buy oat milk' },
      { id: '3', isDone: true },
      { id: '1', isDone: true },
    ],
    removed: [{ id: '2' }],
  });
  expect(shown).toEqual([
    { id: '1', title: 'Buy oat milk', isDone: true },
    { id: '3', title: 'Call Bob', isDone: true },
  ]);
});

test('an edit that the server has stored already is not shown twice', () => {
  const edits = { ...none, added: [{ id: '1', listId: 'a', title: 'Buy milk' }], removed: [{ id: '9' }] };
  expect(withPendingTasks([milk], edits)).toEqual([milk]);
  expect(withPendingTasks([milk], { ...none, changed: [{ id: '9', isDone: true }] })).toEqual([milk]);
});

test('lists are shown with the edits that wait', () => {
  const work = { id: '1', name: 'Work', openTasks: 2 };
  const shown = withPendingLists([work, { ...work, id: '2' }], {
    added: [work, { id: '3', name: 'Home' }],
    renamed: [{ id: '3', name: 'House' }],
    removed: [{ id: '2' }],
  });
  expect(shown).toEqual([work, { id: '3', name: 'House', openTasks: 0 }]);
});

test('the number of open tasks is that of what is shown', () => {
  const work = { id: 'a', name: 'Work', openTasks: 1 };
  const pending = {
    ...none,
    added: [
      { id: '2', listId: 'a', title: 'Call Bob' },
      { id: '3', listId: 'b', title: 'Somewhere else' },
    ],
  };
  expect(openTasksOf(work, [milk], none)).toBe(1);
  expect(openTasksOf(work, [milk], pending)).toBe(2);
  expect(openTasksOf(work, undefined, pending)).toBe(2);
  expect(openTasksOf(work, [milk], { ...none, changed: [{ id: '1', isDone: true }] })).toBe(0);
  expect(openTasksOf(work, [milk], { ...none, removed: [{ id: '1' }] })).toBe(0);
  expect(openTasksOf(work, [milk], { ...none, changed: [{ id: '9', isDone: true }] })).toBe(1);
});
