// The WebSocket /live: tells users of changes of their tasks, whichever process has made them.
import type { Context } from 'fw';
import { type ChannelBroker, ChannelManager, websocket } from 'fw/websocket';
import { z } from 'zod';
import type { TaskChange } from '../tasks/task-changes.ts';

const sends = {
  task: z.object({
    kind: z.enum(['added', 'changed', 'removed']),
    id: z.uuid(),
    version: z.int().optional(),
  }),
};

/** Topics of this process or, with a broker, of all processes. */
export class Live {
  readonly #channels: ChannelManager<typeof sends>;

  constructor(broker?: ChannelBroker) {
    this.#channels = new ChannelManager({ sends, ...(broker && { broker }) });
  }

  /** An event names the task and not what is in it: clients load it, by routes that check who may see it. */
  tell({ kind, task: { id, ownerId, version } }: TaskChange): void {
    // While Redis is away nobody is told, which is reported once in the log; clients load everything when they reconnect.
    this.#channels.emit(topicOf(ownerId), 'task', { kind, id, version }).catch(() => {});
  }

  socket() {
    return websocket({
      data: (ctx: Context) => ({ userId: ctx.requireScope('tasks:read').id ?? '' }),
      sends,
      onOpen: (socket) => void this.#channels.subscribe(socket, topicOf(socket.data.userId)),
    });
  }

  close(): void {
    this.#channels.close();
  }
}

function topicOf(userId: string): string {
  return `tasks:${userId}`;
}
