// The WebSocket /live: tells users of changes of their tasks, whichever process has made them.
import { type Context, FwError } from 'fw';
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

  /** @param publicUrl where the pages are from that may connect with a session */
  socket(publicUrl: URL) {
    return websocket({
      data(ctx: Context) {
        requireOwnScheme(ctx, publicUrl);
        return { userId: ctx.requireScope('tasks:read').id ?? '' };
      },
      sends,
      onOpen: (socket) => void this.#channels.subscribe(socket, topicOf(socket.data.userId)),
    });
  }

  close(): void {
    this.#channels.close();
  }
}

/**
 * With a session, `websocket` has compared the host of the Origin and not its scheme, which only the proxy knows. A page
 * that came over HTTP may have been changed on its way, and must not use a session. The option `allowedOrigins` would
 * refuse machines as well, which send no Origin.
 */
function requireOwnScheme(ctx: Context, publicUrl: URL): void {
  const origin = ctx.req.header('origin');
  if (ctx.session().userId === undefined || origin === undefined) return;
  if (!origin.startsWith(`${publicUrl.protocol}//`)) throw FwError.forbidden('this page may not connect');
}

function topicOf(userId: string): string {
  return `tasks:${userId}`;
}
