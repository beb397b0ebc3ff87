// The lists of the user, and the edits of lists.
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { withPendingLists } from './pending.ts';
import { useEdit, usePending } from './use-edit.ts';

const add = api.lists.add.mutationOptions();
const rename = api.lists.rename.mutationOptions();
const remove = api.lists.remove.mutationOptions();

export function useLists() {
  const query = useQuery(api.lists.all.queryOptions());
  const pending = { added: usePending(add), renamed: usePending(rename), removed: usePending(remove) };
  return { ...query, lists: query.data && withPendingLists(query.data, pending) };
}

export function useListEdits() {
  return {
    add: useEdit(add, 'The list was not added.').mutate,
    rename: useEdit(rename, 'The list was not renamed.').mutate,
    remove: useEdit(remove, 'The list was not deleted.').mutate,
  };
}
