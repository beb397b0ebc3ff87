// Inference: Apps and responses of fw among the types of TypeScript 6.
import type * as Ts from 'typescript-6';
import { isDeclared, isInstance } from './symbol.js';

/** The prefix in the type of an App, such as `App<'/orgs/:org'>`; undefined if it is not an App. */
export function appPrefix(type: Ts.Type, checker: Ts.TypeChecker, api: typeof Ts): string | undefined {
  if (!isInstance(type, 'App', checker, api)) return undefined;
  const isReference = ((type as Ts.ObjectType).objectFlags & api.ObjectFlags.Reference) !== 0;
  const [prefix] = isReference ? checker.getTypeArguments(type as Ts.TypeReference) : [];
  return prefix?.isStringLiteral() ? prefix.value : '';
}

/** The response that a type stands for; see `Compiler.response`. */
export function responseOf(
  type: Ts.Type,
  checker: Ts.TypeChecker,
  api: typeof Ts,
): { readonly body: Ts.Type; readonly status: Ts.Type } | 'opaque' | undefined {
  if ((type.flags & api.TypeFlags.Object) === 0 || !isDeclared(type, api)) return undefined;
  if (type.getSymbol()?.name === 'JsonResponse') {
    const [body, status] = checker.getTypeArguments(type as Ts.TypeReference);
    if (body !== undefined && status !== undefined) return { body, status };
  }
  return isInstance(type, 'FwResponse', checker, api) ? 'opaque' : undefined;
}
