// OpenAPI: the names of operations, each unique in the document.
import { openApiError } from '../openapi-error.js';
import { routeName, type ShownRoute } from './shown-route.js';

/**
 * The `operationId` of each route: its own, else the name of its handler if no other route has that handler, else
 * one of method and path.
 *
 * @throws ConfigError if two routes give the same `operationId`.
 */
export function operationIds(routes: readonly ShownRoute[]): ReadonlyMap<ShownRoute, string> {
  const taken = new Map<string, ShownRoute>();
  const ids = new Map<ShownRoute, string>();
  const take = (id: string, route: ShownRoute) => {
    taken.set(id, route);
    ids.set(route, id);
  };
  for (const route of routes) {
    const { operationId } = route.description.options;
    if (operationId === undefined) continue;
    const other = taken.get(operationId);
    if (other !== undefined) {
      throw openApiError(
        'FW_OPENAPI_OPERATION_ID',
        `${routeName(other)} and ${routeName(route)} both have the operationId '${operationId}'; change one of them`,
      );
    }
    take(operationId, route);
  }
  const unnamed = routes.filter((route) => !ids.has(route));
  for (const route of unnamed) {
    const name = handlerName(route, unnamed);
    if (name !== undefined && !taken.has(name)) take(name, route);
  }
  for (const route of unnamed) {
    if (!ids.has(route)) take(unused(fromRoute(route), taken), route);
  }
  return ids;
}

/** The name of a handler that answers this route alone; that of a WebSocket is not of the app. */
function handlerName({ description }: ShownRoute, routes: readonly ShownRoute[]): string | undefined {
  const { handlerName: name, socket } = description;
  if (socket !== undefined) return undefined;
  const others = routes.filter((other) => other.description.socket === undefined);
  const isShared = others.filter((other) => other.description.handlerName === name).length > 1;
  return isShared || !/^[A-Za-z][A-Za-z0-9]*$/.test(name) ? undefined : name;
}

/** `getUsersById` for `GET /users/:id`. */
function fromRoute({ method, pattern }: ShownRoute): string {
  const segments = pattern.source.split('/').filter((segment) => segment !== '');
  const words = segments.map((segment) => (/^[:*]/.test(segment) ? `By${pascal(segment)}` : pascal(segment)));
  return method.toLowerCase() + (words.join('') || 'Root');
}

function pascal(segment: string): string {
  const words = segment.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function unused(id: string, taken: ReadonlyMap<string, unknown>): string {
  let count = 1;
  while (taken.has(count === 1 ? id : id + count)) count++;
  return count === 1 ? id : id + count;
}

/** `Get users by id` for `getUsersById`, and `List users` for `users.list`. */
export function summaryOf(id: string): string {
  const parts = id.split('.');
  const text = [...parts.slice(-1), ...parts.slice(0, -1)].join(' ');
  const words = text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
