// WebSocket: a session that ends closes the connections that it has opened.
import type { Context } from '../context/context.js';
import { isPromise } from '../promises.js';
import { reportError } from '../tracing/error-channel.js';
import type { Inbox } from './inbox.js';
import type { WebSocketConnection } from './websocket-connection.js';

/** RFC 6455, section 7.4.1. */
const POLICY = 1008;

/**
 * At once if this process ends the session, else with the next ping: another process may have ended it, or its time
 * may be over. Messages of the client prolong the session, as requests do.
 */
export function watchSession(ctx: Context, connection: WebSocketConnection, inbox: Inbox): void {
  const ended = (): void => connection.close(POLICY, 'the session has ended');
  const watch = ctx.ownSession?.watch?.(ended);
  if (watch === undefined) return;
  const { path } = ctx.target;
  // The connection stays: the store may be back with the next ping.
  const failed = (error: unknown): void => reportError({ error, status: 503, method: 'WEBSOCKET', path });
  const settle = (isThere: boolean): void => {
    if (!isThere) ended();
  };
  inbox.atBeat((hasReceived) => {
    try {
      const isThere = watch.check(hasReceived);
      if (isPromise(isThere)) (isThere as Promise<boolean>).then(settle, failed);
      else settle(isThere as boolean);
    } catch (error) {
      failed(error);
    }
  });
  inbox.atEnd(() => watch.stop());
}
