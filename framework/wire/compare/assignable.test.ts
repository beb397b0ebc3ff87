import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import { lookupIn } from '../resolve.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { isAssignable } from './diff-types.js';

const named: NamedTypes = {
  A: parseType('{ x: string; next?: A }'),
  B: parseType('{ x: string | null; next?: B }'),
  C: parseType('{ x: number; next?: C }'),
  List: parseType('Array<List> | null'),
  Rows: parseType('Array<Rows | string> | null'),
  Yes: parseType('true'),
  No: parseType('false'),
};
const names = lookupIn(named);

const union = (...members: WireType[]): WireType => ({ kind: 'union', members });
const ref = (name: string): WireType => ({ kind: 'ref', name });
const integer: WireType = { kind: 'integer' };
const asType = (type: string | WireType): WireType => (typeof type === 'string' ? parseType(type) : type);

function isTaken(from: string | WireType, to: string | WireType): boolean {
  return isAssignable(asType(from), asType(to), names, names);
}

describe('isAssignable', () => {
  it.each<[string | WireType, string | WireType]>([
    ['string', 'unknown'],
    ["'a'", 'string'],
    ['5', 'number'],
    ['5', integer],
    [integer, 'number'],
    ["'a'", "'a' | 'b'"],
    ['true', 'boolean'],
    ['Array<5>', 'Array<number>'],
    ['[5, 6]', 'Array<number>'],
    ['[5, ...Array<6>]', 'Array<number>'],
    ['[5, 6?]', '[number, number?]'],
    ['[5, 6]', '[number, number?]'],
    ['[5]', '[number, number?]'],
    ['[5, 6]', '[number, ...Array<number>]'],
    ['[5, ...Array<6>]', '[number, ...Array<number>]'],
    ['[5, 6?, ...Array<7>]', '[number, ...Array<number>]'],
    ['{ a: 5; b: string }', '{ a: number }'],
    ['{ a: 5 }', '{ a: number; b?: string }'],
    ['{ a: 5 }', '{ a?: 5 }'],
    ['{ a?: 5 }', '{ a?: number }'],
    ['{ a: 5; b?: 6 }', 'Record<string, number>'],
    ['Record<string, 5>', 'Record<string, number>'],
    ['Record<string, 5>', '{ a?: number }'],
    ['{ a: string; b: 5 }', '{ a: string; [key: string]: number }'],
  ])('accepts %j for %j, and not vice versa', (from, to) => {
    expect(isTaken(from, to)).toBe(true);
    expect(isTaken(to, from)).toBe(false);
  });

  it('does not distinguish objects and records if other keys are dropped', () => {
    expect(isTaken('Record<string, 5>', '{}')).toBe(true);
    expect(isTaken('{}', 'Record<string, 5>')).toBe(true);
  });

  it.each<[string | WireType, string | WireType]>([
    ['string', 'number'],
    ["'5'", '5'],
    ["'5'", 'number'],
    ['1.5', integer],
    ["'5'", integer],
    [integer, 'string'],
    [integer, '5'],
    ['null', 'void'],
    ['boolean', 'string'],
    ['boolean', union({ kind: 'literal', value: true }, { kind: 'string' })],
    ['boolean', union({ kind: 'literal', value: false }, { kind: 'string' })],
    ['string', union({ kind: 'literal', value: true }, { kind: 'literal', value: false })],
    ['{ a: 5 }', 'Array<5>'],
    ['{}', '[]'],
    ['Array<5>', '[5]'],
    ['Array<5>', '{}'],
    ['string', '{}'],
    ['string', 'Array<string>'],
    ['[5, string]', 'Array<number>'],
    ['[5, ...Array<string>]', 'Array<number>'],
    ['[5]', '[string]'],
    ['[5, 6]', '[number]'],
    ['[5, 6?]', '[number, number]'],
    ['[5?]', '[number]'],
    ['[5?, 6?]', '[number, number?]'],
    ['[string]', '[5, 6]'],
    ['{ a: 5 }', '{ b: 5 }'],
    ["{ a: 'x'; b: 5 }", '{ b: 5; [key: string]: number }'],
    ['[5, 6]', '[number, ...Array<string>]'],
    ['[5, ...Array<6>]', '[number, ...Array<string>]'],
    ['[5, ...Array<6>]', '[number]'],
    ['{ a: string }', '{ a: number }'],
    ['{ a?: string }', '{ a?: number }'],
    ['{ a: string }', 'Record<string, number>'],
    ['{ a: 5; b: string }', 'Record<string, number>'],
    ['Record<string, string>', 'Record<string, number>'],
    ['Record<string, string>', '{ a?: number }'],
    ['Record<string, string>', '{ a: string }'],
    ['{ a: 5; [key: string]: string }', '{ a: 5; [key: string]: number }'],
    ['Nobody', 'string'],
    ['string', 'Nobody'],
    ['Nobody', 'unknown'],
    ['Nobody', 'Nobody'],
  ])('does not accept %j for %j', (from, to) => {
    expect(isTaken(from, to)).toBe(false);
  });

  it('accepts boolean if both true and false are accepted, also by name', () => {
    expect(
      isTaken('boolean', union({ kind: 'literal', value: true }, { kind: 'literal', value: false })),
    ).toBe(true);
    expect(isTaken('boolean', union(ref('No'), ref('Yes')))).toBe(true);
    expect(isTaken('boolean', union(ref('No'), { kind: 'string' }))).toBe(false);
  });

  it.each([
    ['A', 'A', true],
    ['A', 'B', true],
    ['B', 'A', false],
    ['A', 'C', false],
    ['[A, C]', '[B, C]', true],
    ['List', 'Rows', true],
    ['Rows', 'List', false],
    ['A | null', 'null | B | number', true],
  ])('compares recursive types: %s as %s is %s', (from, to, isFitting) => {
    expect(isTaken(from, to)).toBe(isFitting);
  });

  it('compares each pair of names only once', () => {
    const chain = (last: string): NamedTypes =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `T${index}`,
          parseType(index === 59 ? last : `{ a: T${index + 1}; b: T${index + 1} }`),
        ]),
      );
    const [one, other] = [lookupIn(chain("'x'")), lookupIn(chain('string'))];
    expect(isAssignable(ref('T0'), ref('T0'), one, other)).toBe(true);
    expect(isAssignable(ref('T0'), ref('T0'), other, one)).toBe(false);
  });
});
