// The tasks of a list, and the edits of tasks.
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { withPendingTasks } from './pending.ts';
import { useEdit, usePending } from './use-edit.ts';

const add = api.tasks.add.mutationOptions();
const change = api.tasks.change.mutationOptions();
const remove = api.tasks.remove.mutationOptions();

export function useTasks(listId: string) {
  // A list that was just added may not be stored yet.
  const isNew = usePending(api.lists.add.mutationOptions()).some(({ id }) => id === listId);
  const query = useQuery({ ...api.tasks.inList.queryOptions({ listId }), enabled: !isNew });
  const pending = {
    added: usePending(add).filter((task) => task.listId === listId),
    changed: usePending(change),
    removed: usePending(remove),
  };
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
