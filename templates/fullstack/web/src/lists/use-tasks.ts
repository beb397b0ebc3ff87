// The tasks of a list, and the edits of tasks.
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { withPendingTasks } from './pending.ts';
import { useEdit, usePending } from './use-edit.ts';

const add = api.tasks.add.mutationOptions();
const change = api.tasks.change.mutationOptions();
const remove = api.tasks.remove.mutationOptions();

/** The edits of tasks that the server has not answered. */
export function usePendingTasks() {
  return { added: usePending(add), changed: usePending(change), removed: usePending(remove) };
}

export function useTasks(listId: string) {
  // A list that was just added may not be stored yet.
  const isNew = usePending(api.lists.add.mutationOptions()).some(({ id }) => id === listId);
  const query = useQuery({ ...api.tasks.inList.queryOptions({ listId }), enabled: !isNew });
  const all = usePendingTasks();
  const pending = { ...all, added: all.added.filter((task) => task.listId === listId) };
  const known = isNew ? [] : query.data;
  return {
    ...query,
    tasks: known && withPendingTasks(known, pending),
    /** The tasks whose last edit the server has not answered. */
    waiting: new Set([...pending.added, ...pending.changed].map(({ id }) => id)),
  };
}

export function useTaskEdits() {
  return {
    add: useEdit(add, 'The task was not added.').mutate,
    change: useEdit(change, 'The task was not changed.').mutate,
    remove: useEdit(remove, 'The task was not deleted.').mutate,
  };
}
