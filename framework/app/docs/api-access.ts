// The page about an API: who may call what, and how requests prove that they come from a page of the app.

import type { SecurityScheme } from '../../extract/description.js';
import type { CsrfMiddleware } from '../../middleware/csrf/csrf.js';
import type { ShownRoute } from '../../openapi/routes/shown-route.js';
import { urlTemplate } from '../../router/url-pattern.js';
import type { ApiAccess, ApiCsrf } from '../../rpc/api-description.js';
import { type RouteRequirement, requirementOf } from '../routes/access.js';
import type { Route } from '../routes/route-table.js';

/** The security schemes that guards name. */
export class SchemeNames {
  readonly #schemes: Record<string, SecurityScheme> = Object.create(null);

  access({ isRequired, requires, alternatives }: RouteRequirement): ApiAccess {
    const schemes = alternatives.map((one) =>
      Object.entries(one).map(([name, scheme]) => this.#nameOf(name, scheme)),
    );
    const scopes = requires.flatMap(({ scopes: names = [], match = 'all' }) =>
      names.length === 0 ? [] : [{ scopes: names, match }],
    );
    return { isRequired, scopes, schemes };
  }

  /** Another name for another scheme of the same one, such as a key in another header field. */
  #nameOf(name: string, scheme: SecurityScheme): string {
    const text = JSON.stringify(scheme);
    let own = name;
    for (let count = 2; JSON.stringify(this.#schemes[own] ?? scheme) !== text; count++) own = name + count;
    this.#schemes[own] = scheme;
    return own;
  }

  all(): Readonly<Record<string, SecurityScheme>> {
    return this.#schemes;
  }
}

/** By the method and the path behind the prefix as the document has it, with `{}` for each parameter. */
export function accessOfRoutes(
  routes: readonly Route[],
  prefix: string,
  schemes: SchemeNames,
): Readonly<Record<string, ApiAccess>> {
  const found: Record<string, ApiAccess> = Object.create(null);
  for (const route of routes) {
    if (!isListed(route)) continue;
    const path = route.pattern.source.slice(prefix.length) || '/';
    found[`${route.method} ${urlTemplate(path, () => '')}`] = schemes.access(requirementOf(route));
  }
  return found;
}

export function csrfOf(routes: readonly Route[]): ApiCsrf | null {
  for (const { layers, description } of routes) {
    for (const step of [...layers.flatMap(({ layer }) => layer.steps), ...(description?.options.use ?? [])]) {
      const { csrfNames } = step as Partial<CsrfMiddleware>;
      if (csrfNames !== undefined) return csrfNames;
    }
  }
  return null;
}

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
