// Inference: the shape of an object type in TypeScript 7.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Type } from 'typescript/unstable/sync';
import type { ObjectShape, Property } from '../compiler/compiler.js';
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
