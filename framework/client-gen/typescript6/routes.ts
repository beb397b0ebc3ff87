// Inference: the routes and sockets of Apps, with TypeScript 6.
import type * as Ts from 'typescript-6';
import type { Gathered } from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import type { SyntaxNode } from '../compiler/syntax.js';
import type { FoundCalls } from '../find/find-calls.js';
import { type AskedOfRoutes, registeredRoute } from '../find/registered-route.js';
import { registeredSocket } from '../find/registered-socket.js';
import { appPrefix } from './response.js';

interface Around {
  readonly checker: Ts.TypeChecker;
  readonly api: typeof Ts;
  readonly asked: AskedOfRoutes<Ts.Type>;
  /** Whether a document or a client of routes is made, which show their comments. */
  readonly withRoutes: boolean;
}

export function ts6Routes(
  { routes, sockets }: FoundCalls,
  source: Ts.SourceFile,
  { checker, api, asked, withRoutes }: Around,
  into: Pick<Gathered<Ts.Type>, 'routes' | 'sockets'>,
): void {
  const prefixOf = (app: SyntaxNode) =>
    appPrefix(checker.getTypeAtLocation(app as unknown as Ts.Node), checker, api);
  const place = (node: SyntaxNode) => placeOf(source.fileName, source.text, node.getStart());
  for (const call of routes) {
    const prefix = prefixOf(call.app);
    const found =
      prefix === undefined ? undefined : registeredRoute(call, prefix, asked, place(call.pathNode));
    if (found !== undefined) into.routes.push(found);
  }
  for (const call of sockets) {
    const prefix = prefixOf(call.app);
    if (prefix === undefined) continue;
    const found = registeredSocket(call, prefix, asked, place(call.pathNode), withRoutes);
    if (found !== undefined) into.sockets.push(found);
  }
}
