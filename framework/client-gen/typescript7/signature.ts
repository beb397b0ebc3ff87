// Inference: what the signature of a handler says, in TypeScript 7.
import type * as Api from 'typescript/unstable/sync';
import type { Checker, Symbol as TsSymbol, Type } from 'typescript/unstable/sync';
import { typeOrAny } from './panic.js';

export interface ReadSignature {
  /** How many signatures there are; only a single one is read. */
  readonly count: number;
  readonly output?: Type;
  readonly parameter?: TsSymbol;
  /** True for a rest parameter. */
  readonly isRest: boolean;
}

export function ts7Signature(handler: Type | undefined, checker: Checker, api: typeof Api): ReadSignature {
  const signatures = handler ? checker.getSignaturesOfType(handler, api.SignatureKind.Call) : [];
  const [signature] = signatures;
  const count = signatures.length;
  if (signature === undefined || count > 1) return { count, isRest: false };
  const output = typeOrAny(checker, () => checker.getReturnTypeOfSignature(signature));
  const [parameter, ...others] = signature.getParameters();
  const isRest = signature.hasRestParameter && others.length === 0;
  return { count, isRest, ...(output && { output }), ...(parameter && { parameter }) };
}
