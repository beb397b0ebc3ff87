// Optimistic updates: what is shown while edits wait for their answers.
import { expect, test } from 'vitest';
import { withPendingLists, withPendingTasks } from './pending.ts';

const milk = { id: '1', title: 'Buy milk', isDone: false };
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
