// Start-up: reports procedures that accept any input, because the types of their inputs are not known.
import { warnUnchecked } from '../../tracing/event.js';
import type { Contract } from '../contract/contract.js';
import type { Procedure } from '../procedure/procedure.js';

const MOST_NAMES = 10;

/** Reports once: on `fw:event` if it has a subscriber, else on stderr. */
export function reportUnchecked(procedures: readonly Procedure[], contract: Contract | undefined): void {
  const names = procedures
    .filter(({ name, input }) => input.from === 'signature' && !contract?.has(name))
    .map(({ name }) => name);
  if (names.length === 0) return;
  const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`);
  if (names.length > MOST_NAMES) shown.push(`and ${names.length - MOST_NAMES} more`);
  const message = `the input of ${shown.join(', ')} is not checked: run fw generate and load its contract by useContract(), or give a schema`;
  warnUnchecked(message, { procedures: names });
}
