// Look-up of parameterised paths: a radix tree in which static text wins over a param, and a param over the rest.
import type { Pattern } from './pattern.js';

/** A found route: the value stored under the pattern and the params' texts in path order. */
export interface Match<T> {
  readonly value: T;
  readonly params: readonly string[];
}

const SLASH = 47;

class Node<T> {
  text: string;
  /** Most nodes lead to one child only: its first character code, or -1, spares them a table. */
  // Stryker disable next-line UnaryOperator: without a child, any code leads nowhere
  onlyCode = -1;
  onlyChild: Node<T> | null = null;
  /** Two children and more, by the first character code of their text. */
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

  /** Inserts, or returns the value already stored where this pattern leads. */
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

  /** Replaces the value under a pattern that is already there. */
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

/** Where a node keeps the value of a pattern that ends there; the rest of a path has no node of its own. */
function slotOf(pattern: Pattern): 'value' | 'rest' {
  // Stryker disable next-line OptionalChaining: a pattern has at least one part
  return pattern.parts.at(-1)?.kind === 'rest' ? 'rest' : 'value';
}

/**
 * Matches `path` from `start` below `node`. `depth` counts the params taken so far: the array of their
 * texts is made once, at the leaf, and filled while the recursion unwinds.
 */
function visit<T>(node: Node<T>, path: string, start: number, depth: number): Match<T> | undefined {
  const text = node.text;
  const end = start + text.length;
  for (let i = 1, at = start + 1; at < end; i++, at++) {
    if (text.charCodeAt(i) !== path.charCodeAt(at)) return undefined;
  }
  if (end === path.length) {
    if (node.value === null) return undefined;
    // Stryker disable next-line ConditionalExpression,ArrayDeclaration: an empty array of its own, and one that grows, are the same
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
    // Stryker disable next-line ArrayDeclaration: the length spares the array its growth
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

/** Walks down the static text, splitting nodes where texts part. */
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
  // Stryker disable next-line all: a table finds the same child; that the only one is kept without it spares memory
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
  // Past the end of either text the code is NaN, which equals nothing.
  while (a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}
