// The page about an API: the routes of an App as they are served, maybe under a prefix.
import type { ShownRoute } from '../../openapi/routes/shown-route.js';
import type { Route } from '../routes/route-table.js';

/** The routes of `own` with their whole patterns; `own` itself if the App that listens does not have them. */
export function routesOf(own: readonly Route[], served: readonly Route[]): readonly Route[] {
  const places = new Set(own.map(({ place }) => place));
  const found = served.filter(({ place }) => places.has(place));
  return found.length === 0 ? own : found;
}

/** The prefix under which routes are served. */
export function prefixOf(own: readonly Route[], served: readonly Route[]): string {
  const [first] = own;
  const same = first && served.find(({ place, method }) => place === first.place && method === first.method);
  if (first === undefined || same === undefined) return '';
  const [inner, whole] = [first.pattern.source, same.pattern.source];
  if (inner === '/') return whole === '/' ? '' : whole;
  return whole.endsWith(inner) ? whole.slice(0, -inner.length) : '';
}

/** Unlike a document that is made for other programs, the page of an App lists also routes that say nothing. */
export function isListed(route: Route): route is ShownRoute {
  const { method, description } = route;
  if (method === '*' || description === undefined) return false;
  return description.options.hidden !== true && description.socket === undefined;
}
