// Live updates: tells the windows of a user what has changed, whichever process has changed it.
import { EventEmitter, on } from 'node:events';
import type { Context } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { log } from 'fw/tracing';
import type { ChannelBroker } from 'fw/websocket';
import { currentUser } from '../auth/current-user.ts';
import { servicesOf } from '../services.ts';

/** The list with this id, or its tasks, have changed. */
export interface Change {
  listId: string;
}

const CHANNEL = 'changes';

export class Changes {
  /** An event for each user, with the id of the user as its name. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #broker: ChannelBroker | undefined;

  /** @param broker carries changes between processes; without one, they are those of this process */
  constructor(broker?: ChannelBroker) {
    this.#broker = broker;
  }

  async start(): Promise<void> {
    await this.#broker?.subscribe(CHANNEL, (message) => {
      const { userId, change } = JSON.parse(message);
      this.#events.emit(userId, change);
    });
  }

  tell(userId: string, change: Change): void {
    if (this.#broker === undefined) {
      this.#events.emit(userId, change);
      return;
    }
    // Windows load everything when their connection is back, so nothing is repeated here.
    this.#broker.publish(CHANNEL, JSON.stringify({ userId, change })).catch((err: unknown) => {
      log.warn({ err }, 'a change was not sent to the other processes');
      this.#events.emit(userId, change);
    });
  }

  async *follow(userId: string, signal: AbortSignal): AsyncGenerator<Change> {
    for await (const [change] of on(this.#events, userId, { signal }) as AsyncIterable<[Change]>)
      yield change;
  }
}

export function listChanged(ctx: Context, userId: string, listId: string): void {
  servicesOf(ctx).changes.tell(userId, { listId });
}

export const changes = RpcRegistry.group('changes').use(currentUser);

/** What changes in the lists of the user from now on. The stream ends with the session that it was opened with. */
changes.subscription('follow', (_: undefined, { ctx, user, signal }): AsyncGenerator<Change> => {
  return servicesOf(ctx).changes.follow(user.id, signal);
});
