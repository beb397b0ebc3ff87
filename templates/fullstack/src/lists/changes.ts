// Live updates: tells the windows of a user what has changed, whichever process has changed it.
import { EventEmitter, on } from 'node:events';
import type { Context } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import type { HistoryBroker } from 'fw/websocket';
import { currentUser } from '../auth/current-user.ts';
import { servicesOf } from '../services.ts';

/** The list with this id, or its tasks, have changed. */
export interface Change {
  listId: string;
}

const CHANNEL = 'changes';

/** What a process can catch up on after it was cut off. */
const KEPT = { messages: 1000, maxAgeMs: 60 * 60 * 1000 };

/** Told in place of too many changes: all windows load everything. */
const EVERYTHING = '{}';

/** How often what the broker did not do is tried again. */
const RETRY_MS = 1000;

export class Changes {
  /** An event for each user, with the id of the user as its name. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #broker: HistoryBroker | undefined;
  #isFollowing = false;
  /** Changes that the broker has not taken. */
  readonly #untold = new Set<string>();
  /** Aborts when windows may have missed changes. */
  #missing = new AbortController();
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param broker carries changes between processes; without one, they are those of this process */
  constructor(broker?: HistoryBroker) {
    this.#broker = broker;
  }

  /** While the broker is away, windows hear of the changes of this process, and of all others when it is back. */
  async start(): Promise<void> {
    if (this.#broker === undefined || (await this.#catchUp(this.#broker))) return;
    this.#tryLater(this.#broker);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  tell(userId: string, change: Change): void {
    const broker = this.#broker;
    if (broker === undefined || !this.#isFollowing) this.#events.emit(userId, change);
    if (broker === undefined) return;
    const message = JSON.stringify({ userId, change });
    broker.append(CHANNEL, message, KEPT).catch(() => {
      // It is away, which is reported once in the log.
      if (this.#isFollowing) this.#events.emit(userId, change);
      if (this.#untold.size >= KEPT.messages) {
        this.#untold.clear();
        this.#untold.add(EVERYTHING);
      }
      this.#untold.add(message);
      this.#tryLater(broker);
    });
  }

  /** Ends when windows may have missed something: they follow again, and load everything then. */
  async *follow(userId: string, signal: AbortSignal): AsyncGenerator<Change> {
    const missing = this.#missing.signal;
    const options = { signal: AbortSignal.any([signal, missing]) };
    try {
      for await (const [change] of on(this.#events, userId, options) as AsyncIterable<[Change]>) yield change;
    } catch (error) {
      if (signal.aborted || !missing.aborted) throw error;
    }
  }

  /** Whether nothing is left to do. */
  async #catchUp(broker: HistoryBroker): Promise<boolean> {
    try {
      if (!this.#isFollowing) {
        await broker.follow(CHANNEL, {
          onMessage: ({ message }) => this.#heard(message),
          onLost: () => this.#reload(),
        });
        this.#isFollowing = true;
        this.#reload();
      }
      for (const message of this.#untold) {
        await broker.append(CHANNEL, message, KEPT);
        this.#untold.delete(message);
      }
      return true;
    } catch {
      // It is away, which is reported once in the log.
      return false;
    }
  }

  #tryLater(broker: HistoryBroker): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(async () => {
      const isDone = await this.#catchUp(broker);
      this.#retry = undefined;
      if (!isDone || this.#untold.size > 0) this.#tryLater(broker);
    }, RETRY_MS).unref();
  }

  #heard(message: string): void {
    const { userId, change } = JSON.parse(message);
    if (userId === undefined) this.#reload();
    else this.#events.emit(userId, change);
  }

  #reload(): void {
    this.#missing.abort();
    this.#missing = new AbortController();
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
