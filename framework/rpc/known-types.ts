// RPC: the names that a type refers to.
import { visitRefs } from './types/resolve.js';
import type { NamedTypes, WireType } from './types/wire-type.js';

/**
 * Every name in a type must mean something.
 *
 * @param registered says where the procedure is that the type belongs to.
 * @throws Error naming the one that does not.
 */
export function assertKnown(
  type: WireType,
  named: NamedTypes,
  where: string,
  registered?: () => string,
): void {
  visitRefs(type, (name) => {
    if (Object.hasOwn(named, name)) return;
    throw new Error(
      `the ${where} refers to the type '${name}', which is not defined; define it by defineType('${name}', '{ … }')${registered?.() ?? ''}`,
    );
  });
}

/** Whether every name in the type means something yet. */
export function isKnown(type: WireType, named: NamedTypes): boolean {
  let isKnown = true;
  visitRefs(type, (name) => {
    isKnown &&= Object.hasOwn(named, name);
  });
  return isKnown;
}
