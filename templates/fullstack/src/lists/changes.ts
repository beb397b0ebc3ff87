// Live updates: tells the windows of a user what has changed, whichever process has changed it.
import type { Context } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { currentUser } from '../auth/current-user.ts';
import { servicesOf } from '../services.ts';

/** The list with this id, or its tasks, have changed. */
export interface Change {
  listId: string;
}

export function listChanged(ctx: Context, userId: string, listId: string): void {
  servicesOf(ctx).changes.publish(userId, { listId });
}

export const changes = RpcRegistry.group('changes').use(currentUser);

/** What changes in the lists of the user from now on. The stream ends with the session that it was opened with. */
changes.subscription('follow', (_: undefined, { ctx, user, signal }): AsyncIterable<Change> => {
  return servicesOf(ctx).changes.subscribe(user.id, { signal });
});
