// The lists of the user, and the edits of lists.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { Task } from '../client.ts';
import { openTasksOf, withPendingLists } from './pending.ts';
import { useEdit, usePending } from './use-edit.ts';
import { usePendingTasks } from './use-tasks.ts';

const add = api.lists.add.mutationOptions();
const rename = api.lists.rename.mutationOptions();
const remove = api.lists.remove.mutationOptions();

export function useLists() {
  const query = useQuery(api.lists.all.queryOptions());
  const pending = { added: usePending(add), renamed: usePending(rename), removed: usePending(remove) };
  const queries = useQueryClient();
  const tasks = usePendingTasks();
  const lists = query.data && withPendingLists(query.data, pending);
  return {
    ...query,
    lists: lists?.map((list) => {
      const known = queries.getQueryData<Task[]>(api.tasks.inList.queryKey({ listId: list.id }));
      return { ...list, openTasks: openTasksOf(list, known, tasks) };
    }),
  };
}

export function useListEdits() {
  return {
    add: useEdit(add, 'The list was not added.').mutate,
    rename: useEdit(rename, 'The list was not renamed.').mutate,
    remove: useEdit(remove, 'The list was not deleted.').mutate,
  };
}
