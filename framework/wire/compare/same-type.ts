// Types: compares the types of two registries, and what a difference means for clients.
import { createHash } from 'node:crypto';
import { canonicalText } from '../canonical.js';
import type { ProcedureTypes, WireTypes } from '../wire-type.js';

export { diffTypes } from './diff-types.js';

/** 16 hexadecimal digits, equal for registries with the same types, regardless of their order. */
export function contractHash({ procedures, named }: WireTypes): string {
  const lines = [
    ...Object.entries(procedures).map(([name, { kind, input, output, errors = {} }]) =>
      [kind, JSON.stringify(name), canonicalText(input), canonicalText(output), ...errorLines(errors)].join(
        ' ',
      ),
    ),
    ...Object.entries(named).map(([name, type]) => `type ${name} ${canonicalText(type)}`),
  ];
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 16);
}

function errorLines(errors: NonNullable<ProcedureTypes['errors']>): string[] {
  return Object.entries(errors)
    .map(([name, { data }]) => `throws ${name} ${canonicalText(data)}`)
    .sort();
}
