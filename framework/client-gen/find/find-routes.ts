// Inference: finds calls such as `get('/users/:id', …)` in a source file, by their syntax only.

import { literalText, type Syntax, type SyntaxNode } from '../compiler/syntax.js';
import type { DocComment } from '../walk/doc-comment.js';
import { callComment, isNamed } from './call-comment.js';

/** A call that may register a route; the type of `app` decides whether it does. */
export interface RouteCall {
  /** As HTTP writes it. */
  readonly method: string;
  readonly app: SyntaxNode;
  /** Undefined if it is not a string literal, or `route()` with one. */
  readonly path: string | undefined;
  readonly pathNode: SyntaxNode;
  /** Whether it has extractors or a described path, so that documents may show it without a comment. */
  readonly isDescribed: boolean;
  /** Whether it declares what it answers, so that nothing is inferred. */
  readonly hasReturns: boolean;
  readonly handler: SyntaxNode;
  /** Whether the handler is only named here. */
  readonly isDeclared: boolean;
  /** Whether the handler may set the status of plain values. */
  readonly setsStatus: boolean;
  readonly comment: DocComment | undefined;
}

/** The methods of an App that register a route which documents show. */
const METHODS: ReadonlyMap<string, string> = new Map(
  ['get', 'post', 'put', 'patch', 'delete', 'options'].map((name) => [name, name.toUpperCase()]),
);

export const ROUTE_CALL: RegExp = /\.\s*(?:get|post|put|patch|delete|options)\s*[<(]/g;

const LITERAL = /\.\s*(?:get|post|put|patch|delete|options)\s*\(\s*(?:['"`]\/|route\s*[(<])/;
const CONSTANT = /\.\s*(?:get|post|put|patch|delete|options)\s*\(\s*[\w$.]+\s*,/;

/** Whether a file may register a route: many objects have a method `get`, but few with a path and an argument more. */
export function mayRegisterRoute(text: string): boolean {
  return LITERAL.test(text) || (CONSTANT.test(text) && /\bapp\b/i.test(text));
}

export function findRoute(node: SyntaxNode, text: string, syntax: Syntax): RouteCall | undefined {
  const { SyntaxKind } = syntax;
  const { expression, arguments: args = [] } = node;
  if (expression?.kind !== SyntaxKind.PropertyAccessExpression || expression.expression === undefined)
    return undefined;
  const method = METHODS.get(expression.name?.text ?? '');
  const [pathNode] = args;
  const handler = args.at(-1);
  if (method === undefined || pathNode === undefined || handler === undefined || args.length < 2)
    return undefined;
  const [path, options] = readPathNode(pathNode, syntax);
  // A text that is not a path is not worth the question for its type.
  if (path === 'none') return undefined;
  return {
    method,
    app: expression.expression,
    path,
    pathNode,
    isDescribed: args.length > 2 || literalText(pathNode, syntax) === undefined,
    hasReturns: (options?.properties ?? []).some(({ name }) => name?.text === 'returns'),
    handler,
    isDeclared: isNamed(handler, syntax),
    setsStatus: setsStatus(text.slice(handler.pos, handler.end)),
    comment: callComment(node, handler, text, syntax, (name) => METHODS.has(name)),
  };
}

/** The path of a literal or of `describeRoute()`, `none` for a literal that is not a path; and its options. */
export function readPathNode(
  pathNode: SyntaxNode,
  syntax: Syntax,
): readonly [path: string | undefined, options: SyntaxNode | undefined] {
  const isRoute =
    pathNode.kind === syntax.SyntaxKind.CallExpression && DESCRIBING.has(pathNode.expression?.text ?? '');
  const [routePath, options] = isRoute ? (pathNode.arguments ?? []) : [pathNode];
  const literal = routePath && literalText(routePath, syntax);
  return [literal?.startsWith('/') === false ? 'none' : literal, options];
}

/** What describes a route; `route` is the name of before. */
const DESCRIBING: ReadonlySet<string> = new Set(['describeRoute', 'route']);

/** Whether the code of a handler calls `ctx.status()`, whose status the types do not show. */
export function setsStatus(code: string): boolean {
  return /\.\s*status\s*\(/.test(code);
}
