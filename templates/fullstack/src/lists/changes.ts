// Live updates: tells the windows of a user what has changed. It works within this process; several processes need a
// channel between them, such as that of Redis.
import { EventEmitter, on } from 'node:events';
import { RpcRegistry } from 'fw/rpc';
import { currentUser } from '../auth/current-user.ts';

/** The list with this id, or its tasks, have changed. */
export interface Change {
  listId: string;
}

// An event for each user, with the id of the user as its name.
const events = new EventEmitter().setMaxListeners(0);

export function listChanged(userId: string, listId: string): void {
  events.emit(userId, { listId } satisfies Change);
}

export const changes = RpcRegistry.group('changes').use(currentUser);

/** What changes in the lists of the user from now on. The stream ends with the session that it was opened with. */
changes.subscription('follow', async function* (_: undefined, { user, signal }): AsyncGenerator<Change> {
  for await (const [change] of on(events, user.id, { signal }) as AsyncIterable<[Change]>) yield change;
});
