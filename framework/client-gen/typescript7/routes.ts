// Inference: the routes and sockets of Apps, and the responses of fw, with TypeScript 7.
import type * as Ast from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import type { Compiler, Gathered, SocketRegistration } from '../compiler/compiler.js';
import { placeOf } from '../compiler/place-of.js';
import type { SyntaxNode } from '../compiler/syntax.js';
import type { FoundCalls } from '../find/find-calls.js';
import { type AskedOfRoutes, registeredRoute } from '../find/registered-route.js';
import { registeredSocket } from '../find/registered-socket.js';
import type { Ts7Pipeline } from './pipeline.js';
import { isInstance } from './symbol.js';

type Responded = ReturnType<Compiler<Type>['response']>;

interface Around {
  readonly checker: Checker;
  readonly api: typeof Api;
  readonly pipeline: Ts7Pipeline;
  readonly asked: AskedOfRoutes<Type>;
  /** Whether a document or a client of routes is made, which show their comments. */
  readonly withRoutes: boolean;
}

/** Adds the routes and the sockets that these calls register on Apps. */
export function ts7Routes(
  { routes, sockets }: FoundCalls,
  source: Ast.SourceFile,
  { checker, api, pipeline, asked, withRoutes }: Around,
  into: Pick<Gathered<Type>, 'routes' | 'sockets'>,
): void {
  const apps = [...routes, ...sockets].map(({ app }) => app as unknown as Ast.Node);
  const types = apps.length === 0 ? [] : checker.getTypeAtLocation(apps);
  const distinct = [...new Set(types)];
  const prefixes = pipeline.each(distinct, (app) => app && appPrefix(app, checker, api));
  const prefixOf = new Map(distinct.map((app, index) => [app, prefixes[index]]));
  const place = (node: SyntaxNode) => placeOf(source.fileName, source.text, node.getStart());
  const onApps = <Call>(calls: readonly Call[], from: number) =>
    calls.flatMap((call, index) => {
      const prefix = prefixOf.get(types[from + index]);
      return prefix === undefined ? [] : [{ call, prefix }];
    });
  const foundRoutes = pipeline.each(onApps(routes, 0), ({ call, prefix }) =>
    registeredRoute(call, prefix, asked, place(call.pathNode)),
  );
  const foundSockets = pipeline.each(onApps(sockets, routes.length), ({ call, prefix }) =>
    registeredSocket(call, prefix, asked, place(call.pathNode), withRoutes),
  );
  into.routes.push(...foundRoutes.filter((one) => one !== undefined));
  into.sockets.push(...foundSockets.filter((one) => one !== undefined));
}

/** The types of the data of a socket's events. */
export function eventDataOf({ receives = [], sends = [] }: SocketRegistration<Type>): readonly Type[] {
  return [...receives, ...sends].map(({ type }) => type);
}

/** The types that are sent as JSON; the contents of a response itself are not queried. */
export function bodiesOf(type: Type, responseOf: (type: Type) => Responded): readonly Type[] {
  const response = responseOf(type);
  if (response === 'opaque') return [];
  if (response !== undefined) return [response.body];
  return type.isUnionType() ? type.getTypes().flatMap((one) => bodiesOf(one, responseOf)) : [type];
}

/** The prefix in the type of an App, such as `App<'/orgs/:org'>`; undefined if it is not an App. */
function appPrefix(type: Type, checker: Checker, api: typeof Api): string | undefined {
  if (!isInstance(type, 'App', checker, api)) return undefined;
  const [prefix] = type.isTypeReference() ? checker.getTypeArguments(type as TypeReference) : [];
  return prefix?.isLiteralType() && typeof prefix.value === 'string' ? prefix.value : '';
}
