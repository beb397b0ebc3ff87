import type { Route } from '../../app/routes/route-table.js';
import type { RouteDescription } from '../../extract/register-route.js';
import type { SocketDescription } from '../../extract/socket-route.js';
import type { RouteTypes } from '../../rpc/contract/route-types.js';

/** A route that a document shows. */
export interface ShownRoute extends Route {
  readonly description: RouteDescription;
}

/** True for routes with a described path, an extractor that describes itself, or a comment. */
export function isShown(route: Route, hasComment: boolean): route is ShownRoute {
  const { method, description } = route;
  if (method === '*' || description === undefined || description.options.hidden === true) return false;
  if (description.socket !== undefined) return false;
  return hasComment || description.extractors.length > 0 || Object.keys(description.options).length > 0;
}

/** A WebSocket with events, which clients show. */
export interface ShownSocket extends ShownRoute {
  readonly socket: SocketDescription;
}

/** The WebSocket of a route, unless it is hidden, or has neither events nor subscriptions. */
export function shownSocket(route: Route): ShownSocket | undefined {
  const { description } = route;
  const socket = description?.socket;
  if (description === undefined || socket === undefined || description.options.hidden === true)
    return undefined;
  const hasEvents = socket.receives !== undefined || socket.sends !== undefined;
  return hasEvents || socket.hasRpc ? { ...route, description, socket } : undefined;
}

/** `GET /users/:id`, as messages name a route. */
export function routeName({ method, pattern }: Route): string {
  return `${method} ${pattern.source}`;
}

/** Whether `fw generate` found a comment of the route. */
export function hasComment(types: RouteTypes | undefined): boolean {
  return types?.description !== undefined || types?.deprecated !== undefined;
}
