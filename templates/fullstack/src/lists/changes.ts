// Live updates: tells the windows of a user what has changed. It works within this process; several processes need a
// channel between them, such as that of Redis.
import { EventEmitter, on } from 'node:events';
import { FwError } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { currentUser } from '../auth/current-user.ts';

/** The list with this id, or its tasks, have changed. */
export interface Change {
  listId: string;
}

type Event = Change | { endedSession: string };

// An event for each user, with the id of the user as its name.
const events = new EventEmitter().setMaxListeners(0);

export function listChanged(userId: string, listId: string): void {
  events.emit(userId, { listId } satisfies Event);
}

export function sessionEnded(userId: string, sessionId: string): void {
  events.emit(userId, { endedSession: sessionId } satisfies Event);
}

export const changes = RpcRegistry.group('changes').use(currentUser);

/** What changes in the lists of the user from now on. */
changes.subscription('follow', async function* (_: undefined, { user, ctx, signal }): AsyncGenerator<Change> {
  const session = ctx.session().id;
  for await (const [event] of on(events, user.id, { signal }) as AsyncIterable<[Event]>) {
    if ('listId' in event) yield event;
    // The stream of a window must not outlive the session that it was opened with.
    else if (event.endedSession === session) throw FwError.unauthorized('the session has ended');
  }
});
