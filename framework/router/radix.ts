// Look-up of paths with parameters: a radix tree; static text takes precedence over a param, a param over the rest.
import type { Pattern } from './pattern.js';

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

export class RadixTree<T> {
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
