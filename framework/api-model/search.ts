// A model of an API: searches the list.
import type { Operation } from './operations.js';

export interface Group {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The groups with the operations that have all words of the query, of the given kind if there is one. */
export function searched(operations: readonly Operation[], query: string, kind: string): readonly Group[] {
  const words = query.toLowerCase().split(' ').filter(Boolean);
  const groups: { name: string; operations: Operation[] }[] = [];
  for (const one of operations) {
    if (kind !== '' && one.kind !== kind) continue;
    if (words.length > 0 && !words.every((word) => textOf(one).includes(word))) continue;
    const last = groups.at(-1);
    if (last?.name === one.group) last.operations.push(one);
    else groups.push({ name: one.group, operations: [one] });
  }
  return groups;
}

const texts = new WeakMap<Operation, string>();

function textOf(one: Operation): string {
  const known = texts.get(one) ?? `${one.kind} ${one.name} ${one.summary} ${one.group}`.toLowerCase();
  texts.set(one, known);
  return known;
}

/** The kinds that there are, in the order in which they first occur. */
export function kindsOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.map(({ kind }) => kind))];
}
