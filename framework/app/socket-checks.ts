// The WebSockets of an App when it is sealed: the checks of what clients send, from the contract of `fw generate`, and
// the limits of a server that speaks the protocol itself.
import type { SocketLimits } from '../runtime/node/listen.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import { warnUnchecked } from '../tracing/event.js';
import type { Route } from './routes/route-table.js';
import type { Settings } from './settings/settings.js';

/** Called once, when all routes are registered. */
export function checkSockets(routes: readonly Route[], settings: Settings): void {
  const unchecked = routes.filter((route) => route.description?.socket?.useChecks !== undefined);
  // Workers answer handshakes with 426.
  if (unchecked.length === 0 || THIS_RUNTIME === 'Workers') return;
  if (settings.contract === undefined) reportUnchecked(unchecked);
  else settings.load(useContract(settings.contract, unchecked));
}

/** The most that any of them takes: servers that speak the protocol themselves have one limit. */
export function limitsOf(routes: readonly Route[]): SocketLimits {
  const sockets = routes.flatMap(({ description }) => description?.socket ?? []);
  return {
    maxMessageSize: Math.max(0, ...sockets.map(({ maxMessageSize }) => maxMessageSize)),
    isCompressed: sockets.some(({ isCompressed }) => isCompressed),
  };
}

async function useContract(contract: unknown, routes: readonly Route[]): Promise<void> {
  const { SocketContract } = await import('../rpc/contract/socket-contract.js');
  const sockets = new SocketContract(contract);
  const unknown = routes.filter(({ pattern, description }) => {
    const checks = sockets.checks(pattern.source, description?.path);
    if (checks !== undefined) description?.socket?.useChecks?.(checks);
    return checks === undefined;
  });
  if (unknown.length > 0) reportUnchecked(unknown);
}

/** On `fw:event` if it has a subscriber, else on stderr. */
function reportUnchecked(routes: readonly Route[]): void {
  const paths = routes.map(({ pattern }) => pattern.source);
  const shown = paths.map((path) => `'${path}'`).join(', ');
  const message = `what clients send to the WebSocket ${shown} is not checked: run fw generate and load its contract by app.useContract(), or give schemas`;
  warnUnchecked(message, { sockets: paths });
}
