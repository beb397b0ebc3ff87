// Inference: finds the calls in a source file that register procedures, routes and sockets, by their syntax only.

import type { Syntax, SyntaxNode } from '../compiler/syntax.js';
import { findProcedure, PROCEDURE_CALL, type RegistrationCall } from './find-registrations.js';
import { findRoute, ROUTE_CALL, type RouteCall } from './find-routes.js';
import { findSocket, SOCKET_CALL, type SocketCall } from './find-sockets.js';

/** Calls that may register something; the type of what they are called on decides whether they do. */
export interface FoundCalls {
  readonly procedures: readonly RegistrationCall[];
  readonly routes: readonly RouteCall[];
  readonly sockets: readonly SocketCall[];
}

/**
 * @param roots the nodes that are looked at
 * @param withRoutes whether routes are looked for
 */
export function findCalls(
  roots: readonly SyntaxNode[],
  text: string,
  syntax: Syntax,
  withRoutes: boolean,
): FoundCalls {
  const procedures: RegistrationCall[] = [];
  const routes: RouteCall[] = [];
  const sockets: SocketCall[] = [];
  const patterns = [PROCEDURE_CALL, SOCKET_CALL, ...(withRoutes ? [ROUTE_CALL] : [])];
  const words = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index));
  words.sort((a, b) => a - b);
  const visit = (node: SyntaxNode): void => {
    // Nodes are created when they are visited, so parts without a registration are skipped.
    if (!hasBetween(words, node.pos, node.end)) return;
    syntax.forEachChild(node, visit);
    if (node.kind !== syntax.SyntaxKind.CallExpression) return;
    const procedure = findProcedure(node, text, syntax);
    if (procedure !== undefined) procedures.push(procedure);
    const route = withRoutes ? findRoute(node, text, syntax) : undefined;
    if (route !== undefined) routes.push(route);
    const socket = findSocket(node, text, syntax);
    if (socket !== undefined) sockets.push(socket);
  };
  for (const root of roots) visit(root);
  return { procedures, routes, sockets };
}

/** @param sorted in ascending order */
function hasBetween(sorted: readonly number[], start: number, end: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] as number) < end;
}
