// Inference: the shape of an object type in TypeScript 7.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type, TypeReference } from 'typescript/unstable/sync';
import type { ObjectShape, Property, Shape } from '../compiler/compiler.js';
import { builtInName, isPlainObject } from './symbol.js';

/** @param properties lists those of the type; not called before they are needed, because that is a round trip */
export function ts7Object(
  type: Type,
  properties: () => readonly Property<Type>[],
  checker: Checker,
  api: typeof Api,
): ObjectShape<Type> {
  const { SignatureKind, TypeFlags } = api;
  const has = (kind: Api.SignatureKind) => checker.getSignaturesOfType(type, kind).length > 0;
  // Classes have a property `prototype`; only such types are worth a second query.
  const mayBeClass = () => properties().length === 0 || properties().some(({ name }) => name === 'prototype');
  let isCallable: boolean | undefined;
  return {
    kind: 'object',
    isCallable() {
      isCallable ??=
        !isPlainObject(type, api) &&
        (has(SignatureKind.Call) || (mayBeClass() && has(SignatureKind.Construct)));
      return isCallable;
    },
    builtIn: builtInName(type, checker, api),
    properties,
    values: checker
      .getIndexInfosOfType(type)
      .filter(({ keyType }) => (keyType.flags & TypeFlags.ESSymbolLike) === 0)
      .map(({ valueType }) => valueType),
  };
}

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
