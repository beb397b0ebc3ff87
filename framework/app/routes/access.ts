// Who may call what: the routes of an App with what they require.
import type { ExtractorDescription, Requirement, SecuritySchemes } from '../../extract/description.js';
import { descriptionsOf } from '../../extract/route-guard.js';
import { toolName } from '../../mcp/tools/tool-name.js';
import { alternativesOf } from '../../openapi/security.js';
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
  /** The names of the schemes by which a caller can be authenticated: one of them; `a and b` if both are asked. */
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
  /** The schemes by which a caller can be authenticated: all of one of these. */
  readonly alternatives: readonly SecuritySchemes[];
  /** The refusals of the guards and of the middleware around the route. */
  readonly errors: readonly Pick<ExtractorDescription, 'errors'>[];
}

/**
 * What is asked before the handler of a route runs, in the order in which it is asked. Lists, documents and pages have
 * it from here; `RouteTable` puts the guards to the same places.
 */
export function requirementOf(
  route: Route,
  own: readonly ExtractorDescription[] = ownOf(route),
): RouteRequirement {
  const around = route.layers.flatMap(({ layer }) => layer.steps.flatMap(descriptionsOf));
  const guards = guardsOf(route);
  // A route asks its guards when its own methods have had their turn; a registry is behind the guards as a whole.
  const isRegistry = route.rpc !== undefined || route.mcp !== undefined;
  const place = isRegistry ? 0 : placeOfGuards(own);
  const asked = [...around, ...own.slice(0, place), ...guards.map(describedGuard), ...own.slice(place)];
  return requirementOfAll(asked, [...guards, ...around]);
}

/** Behind the last description that authenticates. */
function placeOfGuards(own: readonly ExtractorDescription[]): number {
  return own.findLastIndex(({ authenticates }) => authenticates !== undefined) + 1;
}

function describedGuard({ requirement, errors }: Guard): ExtractorDescription {
  return { requires: requirement, errors };
}

/** What these descriptions require together. @param asked in the order in which they run */
export function requirementOfAll(
  asked: readonly ExtractorDescription[],
  around: readonly Pick<ExtractorDescription, 'errors'>[] = [],
): RouteRequirement {
  const optional: SecuritySchemes[] = [];
  /** Of each group, one must be satisfied. */
  const groups: (readonly SecuritySchemes[])[] = [];
  const requires: Requirement[] = [];
  let isRequired = false;
  for (const { authenticates, acceptsEarlier, security, requires: own } of asked) {
    if (authenticates === 'required' && !(acceptsEarlier === true && isRequired)) {
      groups.push([...(acceptsEarlier === true ? optional : []), ...alternativesOf(security)]);
    }
    if (authenticates === 'optional') optional.push(...alternativesOf(security));
    // Nobody has been authenticated yet, so one of the optional methods before must have done it.
    if (own !== undefined && !isRequired) groups.push([...optional]);
    if (own !== undefined) requires.push(own);
    isRequired ||= authenticates === 'required' || own !== undefined;
  }
  const alternatives = isRequired ? combined(groups) : optional;
  return { isRequired, requires, alternatives, errors: around.map(({ errors = {} }) => ({ errors })) };
}

/** One of each group, together; nothing if a group is empty. */
function combined(groups: readonly (readonly SecuritySchemes[])[]): readonly SecuritySchemes[] {
  const all = groups.reduce<readonly SecuritySchemes[]>(
    (found, group) => found.flatMap((one) => group.map((more) => ({ ...one, ...more }))),
    [{}],
  );
  return [...new Map(all.map((one) => [Object.keys(one).sort().join(' '), one])).values()];
}

/** Of the middleware and extractors of the route, or of the one procedure that it answers. */
function ownOf({ description, rpc }: Route): readonly ExtractorDescription[] {
  return (
    description?.extractors ?? (rpc?.isShared === false ? rpc.procedures[0]?.describes : undefined) ?? []
  );
}

/** The route, or each procedure of a registry for JSON-RPC, or each tool. */
export function accessOf(route: Route): RouteAccess[] {
  const { method, pattern, rpc, mcp } = route;
  if (mcp !== undefined) {
    return mcp.procedures.map(({ name, describes, place }) =>
      entry('tool', `${pattern.source} ${toolName(name)}`, requirementOf(route, describes), place),
    );
  }
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
  const methods = [...new Set(alternatives.map((one) => Object.keys(one).join(' and ')))];
  return { method, path, who: isRequired ? 'authenticated' : 'anyone', requires, methods, place: place() };
}
