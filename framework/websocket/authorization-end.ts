// WebSocket: a connection ends when what has authenticated its handshake does not hold any more.
import { AuthorizationWatch } from '../context/authorization-watch.js';
import type { Context } from '../context/context.js';
import { reportError } from '../tracing/error-channel.js';
import type { Inbox } from './inbox.js';

/**
 * With the close code 1008 (RFC 6455, section 7.4.1): at once when a token expires, or this process ends a session; else with the next ping, which asks the stores of
 * sessions and API keys. Messages of the client prolong a session, as requests do.
 */
export function endWithCredentials(ctx: Context, inbox: Inbox): void {
  const { path } = ctx.target;
  const watch = AuthorizationWatch.begin(ctx.credentials, {
    ended: (reason) => inbox.refuse(reason),
    failed: (error) => reportError({ error, status: 503, method: 'WEBSOCKET', path }),
  });
  if (watch === undefined) return;
  inbox.atBeat((hasReceived) => watch.check(hasReceived));
  inbox.atEnd(() => watch.stop());
}
