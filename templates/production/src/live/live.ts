// The WebSocket /live: tells users of changes of their tasks, whichever process has made them.
import type { Context } from 'fw';
import { ChannelManager, type HistoryBroker, websocket } from 'fw/websocket';
import { z } from 'zod';
import type { TaskChange } from '../tasks/task-changes.ts';

const sends = {
  task: z.object({
    kind: z.enum(['added', 'changed', 'removed']),
    id: z.uuid(),
    version: z.int().optional(),
  }),
  /** Changes could not be told while Redis was away: load all tasks. */
  missed: z.object({}),
};

/** How often those are tried again who have to be told that they missed changes. */
const RETRY_MS = 1000;

/** Topics of this process or, with a broker, of all processes. Clients of `fw` that come back get what they missed. */
export class Live {
  readonly #channels: ChannelManager<typeof sends>;
  /** Topics with a change that Redis has not taken. */
  readonly #untold = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(broker?: HistoryBroker) {
    this.#channels = new ChannelManager({ sends, history: { maxMessages: 100 }, ...(broker && { broker }) });
  }

  /**
   * An event names the task and not what is in it: clients load it, by routes that check who may see it. Resolves when
   * it is told, or noted that it was not: an answer that comes after that promises it, even if the process is killed.
   */
  async tell({ kind, task: { id, ownerId, version } }: TaskChange): Promise<void> {
    const topic = topicOf(ownerId);
    const told = this.#channels.emit(topic, 'task', { kind, id, version });
    try {
      await told;
    } catch {
      // Redis is away, which is reported once in the log.
      this.#untold.add(topic);
      this.#tellLater();
    }
  }

  socket() {
    return websocket({
      data: (ctx: Context) => ({ userId: ctx.requireScope('tasks:read').id ?? '' }),
      sends,
      onOpen: (socket) => void this.#channels.subscribe(socket, topicOf(socket.data.userId)),
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#channels.close();
  }

  #tellLater(): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(() => void this.#tellMissed(), RETRY_MS).unref();
  }

  async #tellMissed(): Promise<void> {
    for (const topic of this.#untold) {
      // Noted again if that fails, and so is what is not told meanwhile.
      this.#untold.delete(topic);
      try {
        await this.#channels.emit(topic, 'missed', {});
      } catch {
        this.#untold.add(topic);
        break;
      }
    }
    this.#retry = undefined;
    if (this.#untold.size > 0) this.#tellLater();
  }
}

function topicOf(userId: string): string {
  return `tasks:${userId}`;
}
