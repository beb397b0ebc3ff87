// An edit: a call that changes something. While the browser is offline it waits, and the page shows it at once.
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { FwRpcMutationOptions } from '../client-queries.ts';
import { mayPass, messageOf } from '../errors.ts';
import { notify } from '../ui/notices-store.ts';

type Edit<Input> = FwRpcMutationOptions<readonly string[], Input, void>;

/** `failure` tells the user what has not happened, such as 'The task was not added.' */
export function useEdit<Input>(edit: Edit<Input>, failure: string) {
  const queries = useQueryClient();
  return useMutation({
    ...edit,
    // One after another, in their order: a task must be added before it can be changed.
    scope: { id: 'edits' },
    // Every edit may be repeated safely, because repeating it changes nothing more. While the server is away, such as during a
    // deployment, it waits as while the browser is offline.
    retry: (_, error) => mayPass(error),
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    onError: (error) => notify(`${failure} ${messageOf(error)}`),
    // The edit is pending until its effect has been loaded.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: api.lists.queryKey() }),
        queries.invalidateQueries({ queryKey: api.tasks.queryKey() }),
      ]),
  });
}

/** The inputs of the edits of one kind that are pending, the oldest first. */
export function usePending<Input>({ mutationKey }: Edit<Input>): Input[] {
  return useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Input,
  });
}
