// RPC: the names that a type refers to.

import { visitRefs } from '../../wire/resolve.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import { TypeFaultError } from './type-faults.js';

/**
 * Every name in a type must be defined.
 *
 * @throws TypeFaultError with the name that is not
 */
export function assertKnown(type: WireType, named: NamedTypes, where: string): void {
  visitRefs(type, (name) => {
    if (Object.hasOwn(named, name)) return;
    throw new TypeFaultError(
      `the ${where} refers to the type '${name}', which is not defined; define it by defineType('${name}', '{ … }')`,
    );
  });
}

/** Like `assertKnown`, also for the types that the names stand for. */
export function assertKnownThrough(type: WireType, named: NamedTypes, where: string): void {
  const seen = new Set<string>();
  const open = [{ type, where }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    assertKnown(next.type, named, next.where);
    visitRefs(next.type, (name) => {
      const target = named[name];
      if (target !== undefined && !seen.has(name)) open.push({ type: target, where: `type '${name}'` });
      seen.add(name);
    });
  }
}

/** Whether every name in the type is already defined. */
export function isKnown(type: WireType, named: NamedTypes): boolean {
  let isKnown = true;
  visitRefs(type, (name) => {
    isKnown &&= Object.hasOwn(named, name);
  });
  return isKnown;
}
