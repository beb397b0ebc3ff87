// Registration: makes the handler of a WebSocket's handshake and its description of what it was registered with.

import { ConfigError } from '../config-error.js';
import type { RouteHandler } from '../context/handlers.js';
import { WEBSOCKET } from '../http/upgrade.js';
import { kindOf } from '../options/shown.js';
import type { RequestCall } from './context-middleware.js';
import { type RouteDescription, registerRoute } from './register-route.js';
import { type AnyPath, readPath, route as routeWith } from './route.js';
import type { WebSocketRoute } from './socket-route.js';

/**
 * @param args extractors, and the WebSocket behind them
 * @throws ConfigError if an argument is not an extractor, the last one is not a WebSocket, or the described path is
 * invalid.
 */
export function registerSocket(
  described: AnyPath,
  args: readonly unknown[],
): { path: string; handler: RouteHandler; description: RouteDescription } {
  const { path, options } = readPath(described);
  const route = args.at(-1) as WebSocketRoute | undefined;
  if (typeof route?.upgrade !== 'function') {
    throw new ConfigError(
      'FW_WEBSOCKET_ROUTE',
      `the last argument of websocket('${path}') is ${kindOf(route)}; give what websocket() of fw/websocket makes`,
    );
  }
  if (options.returns !== undefined) {
    throw new ConfigError(
      'FW_WEBSOCKET_RETURNS',
      `describeRoute('${path}') of a WebSocket has the option 'returns'; declare what it sends in websocket({ sends })`,
    );
  }
  const extractors = args.slice(0, -1);
  const upgrade = (...values: unknown[]) => {
    const call = values.at(-1) as RequestCall;
    return route.upgrade(call.ctx, options.use === undefined ? values.slice(0, -1) : values);
  };
  // With the option, a handler gets the context last, whatever its extractors are.
  const withContext = routeWith(path, { ...options, use: options.use ?? [] }) as AnyPath;
  const registered = registerRoute(WEBSOCKET, withContext, [...extractors, upgrade]);
  return { ...registered, description: { ...registered.description, options, socket: route.description } };
}
