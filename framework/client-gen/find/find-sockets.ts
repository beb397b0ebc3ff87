// Inference: finds calls such as `websocket('/rooms/:room', …)` in a source file, by their syntax only.

import type { Syntax, SyntaxNode } from '../compiler/syntax.js';
import type { DocComment } from '../walk/doc-comment.js';
import { callComment, isNamed } from './call-comment.js';
import { readPathNode } from './find-routes.js';

/** The directions of events, as the server names them. */
const DIRECTIONS = ['receives', 'sends'] as const;
export type EventDirection = (typeof DIRECTIONS)[number];

/** A call that may register a socket; the type of `app` decides whether it does. */
export interface SocketCall {
  readonly app: SyntaxNode;
  /** Undefined if it is not a string literal, or `route()` with one. */
  readonly path: string | undefined;
  readonly pathNode: SyntaxNode;
  /** The last argument, whose type has those of the events. */
  readonly socket: SyntaxNode;
  /** Whether it is only named here. */
  readonly isDeclared: boolean;
  /** The directions that its syntax shows to have schemas, or no events. */
  readonly known: ReadonlySet<EventDirection>;
  readonly comment: DocComment | undefined;
}

export const SOCKET_CALL: RegExp = /\.\s*websocket\s*[<(]/g;

const ANY_CALL = /\.\s*websocket\s*[<(]/;

/** Whether a file may register a socket; other files need not be parsed. */
export function mayRegisterSocket(text: string): boolean {
  return ANY_CALL.test(text);
}

export function findSocket(node: SyntaxNode, text: string, syntax: Syntax): SocketCall | undefined {
  const { SyntaxKind } = syntax;
  const { expression, arguments: args = [] } = node;
  if (expression?.kind !== SyntaxKind.PropertyAccessExpression || expression.expression === undefined)
    return undefined;
  const [pathNode] = args;
  const socket = args.at(-1);
  if (expression.name?.text !== 'websocket' || pathNode === undefined || socket === undefined)
    return undefined;
  if (args.length < 2) return undefined;
  const [path] = readPathNode(pathNode, syntax);
  if (path === 'none') return undefined;
  return {
    app: expression.expression,
    path,
    pathNode,
    socket,
    isDeclared: isNamed(socket, syntax),
    known: knownDirections(socket, syntax),
    comment: callComment(node, socket, text, syntax, (name) => name === 'websocket'),
  };
}

/** Those of `websocket({ receives: { … } })`, whose types are not needed. */
function knownDirections({ arguments: args = [] }: SyntaxNode, { SyntaxKind }: Syntax): Set<EventDirection> {
  const [handlers] = args;
  if (handlers?.kind !== SyntaxKind.ObjectLiteralExpression) return new Set();
  const properties = handlers.properties ?? [];
  // A spread has no name, and may add either.
  const isWhole = properties.every(({ name }) => name?.text !== undefined);
  const known = DIRECTIONS.filter((direction) => {
    const property = properties.find(({ name }) => name?.text === direction);
    if (property === undefined) return isWhole;
    return property.initializer?.kind === SyntaxKind.ObjectLiteralExpression;
  });
  return new Set(known);
}

/** The same from the code of the declaration that a name leads to. */
export function knownInCode(code: string): Set<EventDirection> {
  return new Set(DIRECTIONS.filter((direction) => new RegExp(`\\b${direction}\\s*:\\s*\\{`).test(code)));
}
