// Types: unions without what says nothing.
import type { WireType } from './wire-type.js';

/** The type that no value has. */
export const NEVER: WireType = { kind: 'union', members: [] };

const TRUE = JSON.stringify({ kind: 'literal', value: true });
const FALSE = JSON.stringify({ kind: 'literal', value: false });

/**
 * One type of several, in the order given: flat, each once, `true | false` as boolean. A single one is itself,
 * none is `NEVER`, and `unknown` takes in all others.
 */
export function unionOf(types: readonly WireType[]): WireType {
  const byText = new Map<string, WireType>();
  for (const type of types.flatMap(membersOf)) {
    if (type.kind === 'unknown') return type;
    const text = JSON.stringify(type);
    if (!byText.has(text)) byText.set(text, type);
  }
  if (byText.has(TRUE) && byText.has(FALSE)) {
    byText.delete(TRUE);
    byText.delete(FALSE);
    const boolean: WireType = { kind: 'boolean' };
    byText.set(JSON.stringify(boolean), boolean);
  }
  const members = [...byText.values()];
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { kind: 'union', members };
}

/** The members of a union without a description of its own, or the type alone. */
export function membersOf(type: WireType): readonly WireType[] {
  return type.kind === 'union' ? type.members.flatMap(membersOf) : [type];
}

export function isNever(type: WireType): boolean {
  return type.kind === 'union' && type.members.length === 0;
}

/** The type without `void`, which is a key that is absent; `NEVER` where nothing remains. */
export function withoutVoid(type: WireType): WireType {
  if (type.kind === 'void') return NEVER;
  if (type.kind !== 'union' || !type.members.some(({ kind }) => kind === 'void')) return type;
  return unionOf(type.members.filter(({ kind }) => kind !== 'void'));
}

export function allowsVoid(type: WireType): boolean {
  return membersOf(type).some(({ kind }) => kind === 'void');
}

/** The type with `void` as null: so `undefined` is written in arrays. */
export function voidAsNull(type: WireType): WireType {
  if (!allowsVoid(type)) return type;
  return unionOf(membersOf(type).map((one) => (one.kind === 'void' ? { kind: 'null' } : one)));
}
