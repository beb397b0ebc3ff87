import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical.js';
import { parseType } from './read/parse-type.js';
import { lookupIn, renameRefs, resolve, visitRefs } from './resolve.js';

const places: [string, string[]][] = [
  ['A', ['A']],
  ['string', []],
  ['Array<A>', ['A']],
  ['[A, B?]', ['A', 'B']],
  ['[A, ...Array<B>]', ['A', 'B']],
  ['[string, ...Array<A>]', ['A']],
  ['{ a: A; b?: Array<B> }', ['A', 'B']],
  ['{ a: A; [key: string]: B }', ['A', 'B']],
  ['Record<string, A>', ['A']],
  ['A | B | null', ['A', 'B']],
];

describe('references', () => {
  it.each(places)('are found and renamed in %s', (text, names) => {
    const type = parseType(text);
    const found: string[] = [];
    visitRefs(type, (name) => found.push(name));
    expect(found).toEqual(names);
    const renamed = renameRefs(type, (name) => `${name}2`);
    expect(canonicalText(renamed)).toBe(canonicalText(parseType(text.replace(/\b[AB]\b/g, '$&2'))));
    expect(renameRefs(renamed, (name) => name.slice(0, -1))).toStrictEqual(type);
  });

  it('are resolved through other names', () => {
    const lookup = lookupIn({
      A: parseType('B'),
      B: parseType('string'),
      C: parseType('D'),
      D: parseType('C'),
    });
    const at = (name: string) => resolve({ kind: 'ref', name }, lookup);
    expect([at('A'), at('B')]).toEqual([{ kind: 'string' }, { kind: 'string' }]);
    expect([at('C'), at('Nobody'), at('toString')]).toEqual([undefined, undefined, undefined]);
  });
});
