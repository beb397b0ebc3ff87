// Routing: finds the entry for a method and canonical path. Static paths are in a map, all others in a radix tree.
import { ConfigError } from '../config-error.js';
import type { Pattern } from './pattern.js';
import { type Match, RadixTree } from './radix.js';

/** What the router stores: a pattern, and the place that registered it. */
export interface RouteEntry {
  readonly method: string;
  readonly pattern: Pattern;
  /** Returns `file:line:column` of the registering call; formatted only when a message needs it. */
  readonly place: () => string;
}

/** Methods with a table of their own that includes the routes of `all`; other methods use the `*` table. */
const NAMED_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const ANY = '*';

/** What requests for a method and a canonical path find. */
export interface FixedRoute<T> extends Match<T> {
  readonly method: string;
  readonly path: string;
}

interface Table<T> {
  readonly fixed: Map<string, Match<T>>;
  /** `fixedLengths[n]` is 1 if there is a static path of length n: avoids hashing most other paths. */
  readonly fixedLengths: Uint8Array;
  readonly tree: RadixTree<T>;
}

const MAX_FILTERED = 256;

export class Router<T extends RouteEntry> {
  readonly #tables = new Map<string, Table<T>>();
  #get: Table<T> | undefined;
  #post: Table<T> | undefined;

  /**
   * Adds an entry; the method `*` stands for every method that has no entry of its own for the pattern.
   *
   * @throws ConfigError if the same pattern (whatever its parameter names) is already registered for the method.
   */
  add(entry: T): void {
    if (entry.method !== ANY) {
      this.#insert(entry.method, entry);
      return;
    }
    this.#insert(ANY, entry);
    for (const method of NAMED_METHODS) this.#insert(method, entry);
  }

  /** The entry for a method and a canonical path (see http/request-target.ts); HEAD uses the entries of GET. */
  find(method: string, path: string): Match<T> | undefined {
    const table = this.#tableOf(method);
    if (table === undefined) return this.#findAny(path);
    return search(table, path);
  }

  /** Methods with an entry for the path, for `Allow`: sorted, HEAD if there is GET, OPTIONS always. */
  allowed(path: string): string[] {
    const methods = new Set<string>();
    for (const [method, table] of this.#tables) {
      if (method !== ANY && search(table, path)) methods.add(method);
    }
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    methods.add('OPTIONS');
    return [...methods].sort();
  }

  /** What requests with a named method find, for all entries without parameters. */
  fixedRoutes(): FixedRoute<T>[] {
    return NAMED_METHODS.flatMap((method) => {
      const found = [...(this.#tables.get(method)?.fixed ?? [])];
      const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
      return found.flatMap(([path, match]) => methods.map((one) => ({ ...match, method: one, path })));
    });
  }

  /** Every method of the application, for `OPTIONS *`. */
  methods(): string[] {
    const methods = new Set([...this.#tables.keys()].filter((method) => method !== ANY));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].sort();
  }

  #tableOf(method: string): Table<T> | undefined {
    // Stryker disable next-line ConditionalExpression,StringLiteral: keeping the table of GET separately is only faster
    if (method === 'GET' || method === 'HEAD') return this.#get;
    // Stryker disable next-line ConditionalExpression,StringLiteral: so is that of POST
    return method === 'POST' ? this.#post : this.#tables.get(method);
  }

  #findAny(path: string): Match<T> | undefined {
    const any = this.#tables.get(ANY);
    return any === undefined ? undefined : search(any, path);
  }

  #insert(method: string, entry: T): void {
    const table = this.#table(method);
    const path = fixedPath(entry.pattern);
    const present =
      // Stryker disable next-line ConditionalExpression: a static path that is also in the tree is found too
      path === undefined ? table.tree.insert(entry.pattern, entry) : table.fixed.get(path)?.value;
    if (present !== undefined) {
      const overrides = present.method === ANY && entry.method !== ANY;
      const yields = entry.method === ANY && present.method !== ANY;
      if (yields) return;
      if (!overrides) throw conflict(entry, present);
      // Stryker disable next-line ConditionalExpression: a static path is looked up in the map first
      if (path === undefined) table.tree.replace(entry.pattern, entry);
    }
    if (path !== undefined) {
      table.fixed.set(path, { value: entry, params: [] });
      // Stryker disable next-line ConditionalExpression,EqualityOperator: a write after the end of the array has no effect
      if (path.length < MAX_FILTERED) table.fixedLengths[path.length] = 1;
    }
  }

  #table(method: string): Table<T> {
    let table = this.#tables.get(method);
    if (!table) {
      table = { fixed: new Map(), fixedLengths: new Uint8Array(MAX_FILTERED), tree: new RadixTree() };
      this.#tables.set(method, table);
      if (method === 'GET') this.#get = table;
      if (method === 'POST') this.#post = table;
    }
    return table;
  }
}

function search<T>(table: Table<T>, path: string): Match<T> | undefined {
  const length = path.length;
  // Stryker disable next-line ConditionalExpression: the filter only avoids a look-up that finds nothing
  if (length >= MAX_FILTERED || table.fixedLengths[length] === 1) {
    const found = table.fixed.get(path);
    if (found !== undefined) return found;
  }
  return table.tree.find(path);
}

// Stryker disable BlockStatement,ConditionalExpression,EqualityOperator,OptionalChaining,StringLiteral: the tree finds static paths too, and a pattern begins with static text
/** The path that the pattern stands for; undefined if it has parameters. */
function fixedPath(pattern: Pattern): string | undefined {
  const [only, second] = pattern.parts;
  return only?.kind === 'static' && second === undefined ? only.text : undefined;
}

// Stryker restore BlockStatement,ConditionalExpression,EqualityOperator,OptionalChaining,StringLiteral
function conflict(entry: RouteEntry, present: RouteEntry): Error {
  const describe = (route: RouteEntry) =>
    `${route.method === ANY ? 'ALL' : route.method} ${route.pattern.source} (${route.place()})`;
  return new ConfigError(
    'FW_ROUTE_CONFLICT',
    `route conflict: ${describe(entry)} matches the same requests as ${describe(present)}; remove or rename one of them`,
  );
}
