// RPC: finds what validates a procedure's input.

import { visitRefs } from '../../wire/resolve.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import type { Contract } from '../contract/contract.js';
import type { KnownTypes } from '../registry/registry-types.js';
import { type InputRules, zodKind } from './input-check.js';
import type { Procedure } from './procedure.js';

const none: NamedTypes = Object.create(null);

/** The schema, else the type string, else the contract; neither if there is only the signature. */
export function inputRules({ name, input }: Procedure, { contract, defined }: KnownTypes): InputRules {
  switch (input.from) {
    case 'schema': {
      const { type, named = none } = input.described?.() ?? {};
      return { schema: input.schema, type, named };
    }
    case 'text':
      return { schema: undefined, type: input.type, named: reached(input.type, defined, contract) };
    case 'signature':
      return { schema: undefined, type: undefined, named: none, ...contract?.inputType(name) };
  }
}

/**
 * Whether the rules are not needed before the first call, because the input is an object for sure. A query string has
 * more demands on its type.
 */
export function isDeferred({ name, input }: Procedure, { contract }: KnownTypes, isRest: boolean): boolean {
  if (isRest) return false;
  if (input.from === 'schema') return zodKind(input.schema) === 'object';
  return input.from === 'signature' && contract?.hasObject(name) === true;
}

/** The defined types, with those of a contract that a type refers to through any of them. */
function reached(type: WireType, defined: NamedTypes, contract: Contract | undefined): NamedTypes {
  const named: Record<string, WireType> = Object.assign(Object.create(null), defined);
  const open = [type];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visitRefs(next, (name) => {
      if (seen.has(name)) return;
      seen.add(name);
      const target = Object.hasOwn(named, name) ? named[name] : contract?.named[name];
      if (target === undefined) return;
      named[name] = target;
      open.push(target);
    });
  }
  return named;
}

/** The types that the schemas of inputs name, to which type strings may refer. */
export function describedNames(procedures: readonly Procedure[]): NamedTypes {
  const names: Record<string, WireType> = Object.create(null);
  for (const { input } of procedures)
    if (input.from === 'schema') Object.assign(names, input.described?.()?.named);
  return names;
}
