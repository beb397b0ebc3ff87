// Inference: the routes of Apps, and the responses of fw, with TypeScript 7.
import type * as Ast from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import type { Compiler, RouteRegistration } from './compiler.js';
import type { RouteCall } from './find-routes.js';
import { placeOf } from './place-of.js';
import { type AskedOfRoutes, registeredRoute } from './registered-route.js';
import { isDeclared, isInstance } from './ts7-symbol.js';

type Responded = ReturnType<Compiler<Type>['response']>;

/** The types of all Apps are queried at once, because each query is a round trip. */
export function ts7Routes(
  calls: readonly RouteCall[],
  source: Ast.SourceFile,
  checker: Checker,
  api: typeof Api,
  asked: AskedOfRoutes<Type>,
): RouteRegistration<Type>[] {
  const apps = calls.map(({ app }) => app as unknown as Ast.Node);
  const types = apps.length === 0 ? [] : checker.getTypeAtLocation(apps);
  return calls.flatMap((call, index) => {
    const app = types[index];
    const prefix = app && appPrefix(app, checker, api);
    if (prefix === undefined) return [];
    const place = placeOf(source.fileName, source.text, call.pathNode.getStart());
    return registeredRoute(call, prefix, asked, place) ?? [];
  });
}

/** The types that are sent as JSON; the contents of a response itself are not queried. */
export function bodiesOf(type: Type, responseOf: (type: Type) => Responded): readonly Type[] {
  const response = responseOf(type);
  if (response === 'opaque') return [];
  if (response !== undefined) return [response.body];
  return type.isUnionType() ? type.getTypes().flatMap((one) => bodiesOf(one, responseOf)) : [type];
}

/** The prefix in the type of an App, such as `App<'/orgs/:org'>`; undefined if it is no App. */
function appPrefix(type: Type, checker: Checker, api: typeof Api): string | undefined {
  if (!isInstance(type, 'App', checker, api)) return undefined;
  const [prefix] = type.isTypeReference() ? checker.getTypeArguments(type as TypeReference) : [];
  return prefix?.isLiteralType() && typeof prefix.value === 'string' ? prefix.value : '';
}

/** The response that a type stands for; see `Compiler.response`. */
export function responseOf(type: Type, checker: Checker, api: typeof Api): Responded {
  if (!type.isObjectType() || !isDeclared(type, api)) return undefined;
  if (type.isTypeReference() && type.getSymbol()?.name === 'JsonResponse') {
    const [body, status] = checker.getTypeArguments(type as TypeReference);
    if (body !== undefined && status !== undefined) return { body, status };
  }
  return isInstance(type, 'FwResponse', checker, api) ? 'opaque' : undefined;
}
