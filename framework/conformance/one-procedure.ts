// Types of a registry with one procedure, written as type strings, and what differs between two of them.

import { diffTypes } from '../wire/compare/same-type.js';
import { parseType } from '../wire/read/parse-type.js';
import type { WireTypes } from '../wire/wire-type.js';

/** Types of one procedure `p`, or of none. */
export function types(
  input: string,
  output: string,
  named: Record<string, string> = {},
  kind: 'query' | 'mutation' = 'query',
): WireTypes {
  return {
    procedures: { p: { kind, input: parseType(input), output: parseType(output) } },
    named: Object.fromEntries(Object.entries(named).map(([name, text]) => [name, parseType(text)])),
  };
}

export const none: WireTypes = { procedures: {}, named: {} };

/** `!` where it breaks, `+` where it exposes, then path and what. */
export function changes(before: WireTypes, after: WireTypes): string[] {
  return diffTypes(before, after).map(
    ({ path, what, isBreaking, isExposed }) =>
      `${isBreaking ? '!' : ''}${isExposed ? '+' : ''}${path}: ${what}`,
  );
}
