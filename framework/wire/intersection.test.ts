import { describe, expect, it } from 'vitest';
import { intersectionOf } from './intersection.js';
import { printType } from './print/print-typescript.js';
import { parseType } from './read/parse-type.js';
import { lookupIn } from './resolve.js';
import type { WireType } from './wire-type.js';

const names = lookupIn({
  User: parseType('{ id: string }'),
  Name: parseType('string'),
  Node: parseType('{ name?: string; next?: Node }'),
  Maybe: parseType('User | null'),
});
const asType = (type: string | WireType): WireType => (typeof type === 'string' ? parseType(type) : type);

/** The printed intersection of both types; undefined if it cannot be determined. */
function both(a: string | WireType, b: string | WireType): string | undefined {
  const type = intersectionOf(asType(a), asType(b), names);
  return type && printType(type).replace(/\s+/g, ' ');
}

const integer: WireType = { kind: 'integer' };

describe('intersectionOf', () => {
  it.each<[string | WireType, string | WireType, string | undefined]>([
    ['unknown', 'string', 'string'],
    ['User', 'unknown', 'User'],
    ['User', 'User', 'User'],
    ['Nobody', 'Nobody', 'Nobody'],
    ['Nobody', 'User', undefined],
    ['string', 'string', 'string'],
    ['string', 'number', 'never'],
    ['string', 'null', 'never'],
    ["'a'", 'string', "'a'"],
    ["'a'", 'number', 'never'],
    ["'a'", "'a'", "'a'"],
    ["'a'", "'b'", 'never'],
    ['5', integer, '5'],
    ['1.5', integer, 'never'],
    ["'5'", integer, 'never'],
    [integer, 'number', 'number'],
    [integer, 'string', 'never'],
    ['Name', "{ brand: 'x' }", 'Name'],
    ['5', "{ brand: 'x' }", '5'],
    ['Array<string>', "Array<'a'>", "Array<'a'>"],
    ['Array<User>', 'Array<{ age: 5 }>', 'Array<{ age: 5; id: string; }>'],
    ['Array<[string]>', 'Array<string>', undefined],
    ['Array<string>', '{ a: string }', undefined],
    ['Array<string>', 'string', undefined],
    ['[string]', '[string]', undefined],
    ['[string]', '{ a: string }', undefined],
    ['void', '{ a: string }', undefined],
    ['User', '{ age?: number }', '{ age?: number; id: string; }'],
    ['{ a?: string }', '{ a?: string }', '{ a?: string; }'],
    ['{ a?: string }', '{ a: string }', '{ a: string; }'],
    ['{ a: string | null }', "{ a: 'x' | 'y' }", "{ a: 'x' | 'y'; }"],
    ['{ a: [string] }', '{ a: string }', undefined],
    ['Record<string, string>', "Record<string, 'a'>", "Record<string, 'a'>"],
    ['Record<string, string>', 'Record<string, [string]>', undefined],
    ['Record<string, 5>', '{ a: 5 }', '{ a: 5; [key: string]: 5; }'],
    ["'a' | 'b' | null", "'b' | 'c' | null", "'b' | null"],
    ['Maybe', '{ age: 5 }', '{ age: 5; id: string; }'],
    ['string | null', 'string | [string]', 'string'],
    ['null | Array<string>', 'null | [string]', undefined],
    ['null | { a: 5 }', 'Array<string> | { b: 5 }', '{ a: 5; b: 5; }'],
    ['void | { a: 5 }', 'null | { b: 5 }', '{ a: 5; b: 5; }'],
    ['{ a: 5 } | string', 'void | string', 'string'],
    ['{ a: 5 } | Array<5>', '{ b: 5 } | null', '{ a: 5; b: 5; }'],
    ['User | Array<5>', '[5]', undefined],
  ])('of %j and %j is %s, in either order', (a, b, expected) => {
    expect(both(a, b)).toBe(expected);
    expect(both(b, a)).toBe(expected);
  });

  it('joins a recursive type with one that is not', () => {
    const joined = '{ name?: string; next: { name?: string; next?: Node; z: 5; }; }';
    expect(both('Node', '{ next: { z: 5 } }')).toBe(joined);
    expect(both('{ next: { z: 5 } }', 'Node')).toBe(joined);
  });

  it('cannot be determined for a union with a name for unknown', () => {
    const any = lookupIn({ Any: { kind: 'unknown' } });
    const ref: WireType = { kind: 'ref', name: 'Any' };
    const union: WireType = { kind: 'union', members: [{ kind: 'null' }] };
    const more: WireType = { kind: 'union', members: [ref, { kind: 'null' }] };
    expect(intersectionOf(union, more, any)).toBeUndefined();
    expect(intersectionOf(more, union, any)).toBeUndefined();
  });

  it('is limited to 256 combinations of members', () => {
    const literals = (count: number): WireType => ({
      kind: 'union',
      members: Array.from({ length: count }, (_, value) => ({ kind: 'literal', value })),
    });
    expect(intersectionOf(literals(16), literals(16), names)).toEqual(literals(16));
    expect(intersectionOf(literals(17), literals(16), names)).toBeUndefined();
  });

  it('keeps the rules and the descriptions of both', () => {
    const ruled = (type: WireType, rules: WireType['rules'], description?: string): WireType => ({
      ...type,
      ...(rules && { rules }),
      ...(description !== undefined && { description }),
    });
    const list: WireType = { kind: 'array', items: { kind: 'string' } };
    const object = parseType('{ a: string }');
    for (const type of [{ kind: 'string' } as const, list, object]) {
      const [one, other] = [ruled(type, { minLength: 1 }, 'One.'), ruled(type, { maxLength: 2 })];
      const joined = ruled(type, { minLength: 1, maxLength: 2 }, 'One.');
      expect(intersectionOf(one, other, names)).toStrictEqual(joined);
      expect(intersectionOf(one, type, names)).toStrictEqual(one);
      expect(intersectionOf(type, type, names)).toStrictEqual(type);
    }
    const least = ruled(integer, { minimum: 1 });
    const most = ruled({ kind: 'number' }, { maximum: 2 });
    expect(intersectionOf(least, most, names)).toStrictEqual(ruled(integer, { minimum: 1, maximum: 2 }));
    expect(intersectionOf(most, least, names)).toStrictEqual(ruled(integer, { minimum: 1, maximum: 2 }));
    expect(intersectionOf(integer, most, names)).toStrictEqual(ruled(integer, { maximum: 2 }));
    expect(intersectionOf(most, integer, names)).toStrictEqual(ruled(integer, { maximum: 2 }));
  });

  it('of two closed objects accepts the keys of both', () => {
    const closed = (text: string): WireType => ({
      ...parseType(text),
      rules: { additionalProperties: false },
    });
    expect(intersectionOf(closed('{ a: string }'), closed('{ b: string }'), names)).toStrictEqual(
      parseType('{ a: string; b: string }'),
    );
  });
});
