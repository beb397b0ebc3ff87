// Routing: finds the entry for a method and canonical path. Static paths are in a map, all others in a radix tree.
import { ConfigError } from '../config-error.js';
import type { Pattern } from './pattern.js';

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

/** A match: the value of the pattern, and the texts of the params in path order. */
export interface Match<T> {
  readonly value: T;
  readonly params: readonly string[];
}

const SLASH = 47;

class Node<T> {
  text: string;
  /** The first character code of the only child, or -1: most nodes have one child and need no table. */
  // Stryker disable next-line UnaryOperator: without a child, no code matches anything
  onlyCode = -1;
  onlyChild: Node<T> | null = null;
  /** The children by the first character code of their text, if there are several. */
  children: (Node<T> | undefined)[] | null = null;
  param: Node<T> | null = null;
  value: T | null = null;
  rest: T | null = null;

  constructor(text: string) {
    this.text = text;
  }
}

class RadixTree<T> {
  readonly #root = new Node<T>('');

  /** Inserts the value, or returns the value that is already stored for an equivalent pattern. */
  insert(pattern: Pattern, value: T): T | undefined {
    const node = this.#end(pattern);
    const slot = slotOf(pattern);
    const present = node[slot];
    if (present !== null) return present;
    node[slot] = value;
    return undefined;
  }

  find(path: string): Match<T> | undefined {
    return visit(this.#root, path, 0, 0);
  }

  /** Replaces the value of a pattern that is already stored. */
  replace(pattern: Pattern, value: T): void {
    this.#end(pattern)[slotOf(pattern)] = value;
  }

  #end(pattern: Pattern): Node<T> {
    let node = this.#root;
    for (const part of pattern.parts) {
      if (part.kind === 'static') node = descend(node, part.text);
      else if (part.kind === 'param') node = node.param ??= new Node<T>('');
    }
    return node;
  }
}

/** Stores the value of a pattern that ends at a node; a rest has no node of its own. */
function slotOf(pattern: Pattern): 'value' | 'rest' {
  // Stryker disable next-line OptionalChaining: a pattern has at least one part
  return pattern.parts.at(-1)?.kind === 'rest' ? 'rest' : 'value';
}

/**
 * Matches `path` from `start` below `node`. `depth` counts the params so far: the array of their texts is created
 * once, at the leaf, and filled while the recursion unwinds.
 */
function visit<T>(node: Node<T>, path: string, start: number, depth: number): Match<T> | undefined {
  const text = node.text;
  const end = start + text.length;
  for (let i = 1, at = start + 1; at < end; i++, at++) {
    if (text.charCodeAt(i) !== path.charCodeAt(at)) return undefined;
  }
  if (end === path.length) {
    if (node.value === null) return undefined;
    // Stryker disable next-line ConditionalExpression,ArrayDeclaration: a new empty array, and one that grows, give the same result
    return { value: node.value, params: depth === 0 ? none : new Array<string>(depth) };
  }
  const code = path.charCodeAt(end);
  const child = getChild(node, code);
  if (child !== undefined) {
    const found = visit(child, path, end, depth);
    if (found !== undefined) return found;
  }
  if (node.param !== null && code !== SLASH) {
    const found = visitParam(node.param, path, end, depth);
    if (found !== undefined) return found;
  }
  if (node.rest !== null) {
    // Stryker disable next-line ArrayDeclaration: the length only keeps the array from growing
    const params = new Array<string>(depth + 1);
    params[depth] = path.slice(end);
    return { value: node.rest, params };
  }
  return undefined;
}

function visitParam<T>(param: Node<T>, path: string, start: number, depth: number): Match<T> | undefined {
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  const found = visit(param, path, end, depth + 1);
  if (found !== undefined) (found.params as string[])[depth] = path.slice(start, end);
  return found;
}

const none: readonly string[] = [];

/** Walks down the static text, and splits nodes where texts differ. */
function descend<T>(from: Node<T>, text: string): Node<T> {
  let node = from;
  let rest = text;
  while (rest !== '') {
    const child = getChild(node, rest.charCodeAt(0));
    if (!child) {
      const leaf = new Node<T>(rest);
      setChild(node, leaf);
      return leaf;
    }
    const shared = commonPrefix(child.text, rest);
    node = shared === child.text.length ? child : split(node, child, shared);
    rest = rest.slice(shared);
  }
  return node;
}

function split<T>(parent: Node<T>, child: Node<T>, at: number): Node<T> {
  const upper = new Node<T>(child.text.slice(0, at));
  child.text = child.text.slice(at);
  setChild(upper, child);
  setChild(parent, upper);
  return upper;
}

function getChild<T>(node: Node<T>, code: number): Node<T> | undefined {
  if (node.onlyCode === code) return node.onlyChild ?? undefined;
  return node.children === null ? undefined : node.children[code];
}

function setChild<T>(node: Node<T>, child: Node<T>): void {
  const code = child.text.charCodeAt(0);
  // Stryker disable next-line all: a table finds the same child; doing without one for a single child only saves memory
  if (node.children === null && (node.onlyCode === -1 || node.onlyCode === code)) {
    node.onlyCode = code;
    node.onlyChild = child;
    return;
  }
  if (node.children === null) {
    node.children = [];
    node.children[node.onlyCode] = node.onlyChild ?? undefined;
    node.onlyCode = -1;
    node.onlyChild = null;
  }
  node.children[code] = child;
}

function commonPrefix(a: string, b: string): number {
  let i = 0;
  // After the end of either text the code is NaN, which is not equal to anything.
  while (a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}
