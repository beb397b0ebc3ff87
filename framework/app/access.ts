// Who may call what: the routes of an App with what they require.
import type { ExtractorDescription, Requirement, SecuritySchemes } from '../extract/description.js';
import { alternativesOf } from '../rpc/openapi/security.js';
import { type Guard, guardsOf } from './guard.js';
import type { Route } from './route-table.js';

/** Who may call a route or a procedure. */
export interface RouteAccess {
  /** `*` for all methods. */
  readonly method: string;
  /** The pattern of the route, or the name of the procedure. */
  readonly path: string;
  /** `anyone`, or `authenticated` with the scopes below. */
  readonly who: 'anyone' | 'authenticated';
  /** Scopes that the caller needs, beside those that the handler itself asks for. */
  readonly requires: readonly Requirement[];
  /** The names of the schemes by which a caller can be authenticated: one of them. */
  readonly methods: readonly string[];
  /** `file:line:column` of the registration. */
  readonly place: string;
}

/** All routes with who may call them; as text, a table. */
export class AccessList {
  readonly routes: readonly RouteAccess[];

  constructor(routes: readonly RouteAccess[]) {
    this.routes = routes;
  }

  /** The routes that anyone may call. */
  get open(): readonly RouteAccess[] {
    return this.routes.filter(({ who }) => who === 'anyone');
  }

  /** A table for people: method, path, who may call it. */
  toString(): string {
    const rows = this.routes.map((one) => [one.method, one.path, shown(one)] as const);
    const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => (row[column] as string).length)));
    return rows
      .map(
        ([method, path, who]) => `${method.padEnd(widths[0] ?? 0)}  ${path.padEnd(widths[1] ?? 0)}  ${who}`,
      )
      .join('\n');
  }
}

function shown({ who, requires, methods }: RouteAccess): string {
  if (who === 'anyone') return 'anyone';
  const scopes = requires.flatMap(({ scopes = [], match }) =>
    scopes.length === 0 ? [] : [scopes.join(match === 'any' ? ' or ' : ' and ')],
  );
  const by = methods.length === 0 ? '' : ` (${methods.join(' or ')})`;
  return `${scopes.length === 0 ? 'authenticated' : `scope ${scopes.join(', and ')}`}${by}`;
}

/** What a route requires, of its guards, the middleware around it, and its own middleware and extractors. */
export interface RouteRequirement {
  readonly isRequired: boolean;
  readonly requires: readonly Requirement[];
  /** The schemes by which the middleware around the route, and its own, authenticate: one of them. */
  readonly alternatives: readonly SecuritySchemes[];
  /** The refusals of the guards and of the middleware around the route. */
  readonly errors: readonly Pick<ExtractorDescription, 'errors'>[];
}

export function requirementOf(
  route: Route,
  own: readonly ExtractorDescription[] = ownOf(route),
): RouteRequirement {
  const around = route.layers.flatMap(({ layer }) => layer.steps.flatMap(describing));
  const guards = authenticatesItself(route) ? [] : guardsOf(route);
  return requirementOfAll(own, around, guards);
}

/** What these descriptions require together: of the route itself, of the middleware around it, and of its guards. */
export function requirementOfAll(
  own: readonly ExtractorDescription[],
  around: readonly ExtractorDescription[] = [],
  guards: readonly Guard[] = [],
): RouteRequirement {
  const all = [...around, ...own];
  const requires = [
    ...guards.map(({ requirement }) => requirement),
    ...all.flatMap((one) => one.requires ?? []),
  ];
  const isRequiring = ({ authenticates }: ExtractorDescription) => authenticates === 'required';
  const ownRequired = own.filter(isRequiring);
  const methods =
    ownRequired.length > 0 ? ownRequired : all.filter(({ authenticates }) => authenticates !== undefined);
  return {
    isRequired: requires.length > 0 || all.some(isRequiring),
    requires,
    alternatives: methods.flatMap(({ security }) => alternativesOf(security)),
    errors: [...guards.map(({ errors }) => ({ errors })), ...around],
  };
}

/** Of the middleware and extractors of the route, or of the one procedure that it answers. */
function ownOf({ description, rpc }: Route): readonly ExtractorDescription[] {
  return (
    description?.extractors ?? (rpc?.isShared === false ? rpc.procedures[0]?.describes : undefined) ?? []
  );
}

/** Whether the route itself, or the registry behind it, refuses requests that are not authenticated. */
export function authenticatesItself({ description, rpc }: Pick<Route, 'description' | 'rpc'>): boolean {
  if (rpc?.isGuarded === true) return true;
  return description?.extractors.some(({ authenticates }) => authenticates === 'required') ?? false;
}

/** What middleware says about itself. */
function describing(step: object): ExtractorDescription[] {
  const { describes } = step as { describes?: ExtractorDescription };
  return describes === undefined ? [] : [describes];
}

/** The route, or each procedure of a registry for JSON-RPC. */
export function accessOf(route: Route): RouteAccess[] {
  const { method, pattern, rpc } = route;
  if (rpc?.isShared !== true) return [entry(method, pattern.source, requirementOf(route), route.place)];
  return rpc.procedures.map(({ kind, name, describes, place }) =>
    entry(kind, `${pattern.source} ${name}`, requirementOf(route, describes), place),
  );
}

function entry(
  method: string,
  path: string,
  { isRequired, requires, alternatives }: RouteRequirement,
  place: () => string,
): RouteAccess {
  const methods = [...new Set(alternatives.flatMap((one) => Object.keys(one)))];
  return { method, path, who: isRequired ? 'authenticated' : 'anyone', requires, methods, place: place() };
}
