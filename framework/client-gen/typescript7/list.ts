// Inference: the shape of arrays and tuples in TypeScript 7, which are references to a generic type.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import type { Shape } from '../compiler/compiler.js';

/** Undefined for other types. */
export function listShape(type: Type, checker: Checker, api: typeof Api): Shape<Type> | undefined {
  if (!type.isTypeReference()) return undefined;
  const target = (type as TypeReference).getTarget();
  if (target.isTupleType()) {
    const { ElementFlags } = api;
    const items = checker.getTypeArguments(type as TypeReference);
    return {
      kind: 'tuple',
      items: items.map((item, index) => {
        const flag = target.elementFlags[index] ?? ElementFlags.Required;
        const isRest = (flag & (ElementFlags.Rest | ElementFlags.Variadic)) !== 0;
        return { type: item, is: isRest ? 'rest' : flag & ElementFlags.Optional ? 'optional' : 'required' };
      }),
    };
  }
  const name = type.getSymbol()?.name;
  if (name !== 'Array' && name !== 'ReadonlyArray') return undefined;
  const [items] = checker.getTypeArguments(type as TypeReference);
  return items && { kind: 'array', items };
}
