// The parts of type strings: names, punctuation and literals, and where each of them ends.
import { describe, expect, it } from 'vitest';
import { canonicalText } from '../canonical.js';
import { isTypeName } from '../known-names.js';
import { unionOf, voidAsNull, withoutVoid } from '../union-of.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { parseType } from './parse-type.js';
import { TypeSyntaxError } from './tokens.js';

const named: NamedTypes = {
  User: parseType('{ id: string; name: string }'),
  Key: parseType("'id' | 'age'"),
  Text: parseType('string'),
};

function problem(text: string): TypeSyntaxError {
  try {
    parseType(text, named);
  } catch (error) {
    if (error instanceof TypeSyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('a type string', () => {
  it.each<[string, string]>([
    ["'readonly'", '"readonly"'],
    ["'|' | '&'", '("&"|"|")'],
    ['"it\'s"', '"it\'s"'],
    ["'\\x41\\u{1f49a}\\u0041\\q\\\\'", JSON.stringify('A💚Aq\\')],
    ["'\\u{A}\\u{10ffff}'", JSON.stringify('\n\u{10ffff}')],
    ["'a\\\nb'", '"ab"'],
    ['1_000', '1000'],
    ['0x1F', '31'],
    ['0b11', '3'],
    ['.5', '0.5'],
    ['-0', '0'],
    ['- 5', '-5'],
    ['1 | 2', '(1|2)'],
    ['| string', 'string'],
    ['& { a: 1 }', '{"a":1}'],
    ['readonly [string]', '[string; tuple]'],
    ['readonly string[]', '[...string]'],
    ['(string)', 'string'],
    ['(User)', 'ref User'],
    ['(User | null)[]', '[...(null|ref User)]'],
    ['({ a: 1 })', '{"a":1}'],
    ["{ ['a']: 1; [2]: 2 }", '{"2":2,"a":1}'],
    ['{ 0x10: 1; 1_0: 2; 1.50: 3 }', '{"1.5":3,"10":2,"16":1}'],
    ['{ new: string; readonly?: 1 }', '{"new":string,"readonly"?:1}'],
    ['{ readonly readonly: 2 }', '{"readonly":2}'],
    ['{ a: 1, b: 2 }', '{"a":1,"b":2}'],
    ['{ a: 1\nb: 2\n}', '{"a":1,"b":2}'],
    ['{ a: 1 // one\r[key: string]: 1 }', '{"a":1,*:1}'],
    ['{ [key: number]: 1 }', '{*:1}'],
    ['{ [key: string]: 1; [index: number]: 2 }', '{*:(1|2)}'],
    ['{ a: never; b?: never }', '{}'],
    ['[a: string, b?: number, ...c: 5[]]', '[string,?number,...5; tuple]'],
    ['[string?, number?]', '[?string,?number; tuple]'],
    ['[undefined, null?]', '[null,?null; tuple]'],
    ['[string, ]', '[string; tuple]'],
    ['Record<number, 5>', '{*:5}'],
    ['Record<Text, 5>', '{*:5}'],
    ["Record<'a' | 5, string>", '{"5":string,"a":string}'],
    ["Record<'a', string | undefined>", '{"a"?:string}'],
    ['Record<Key, 5>', '{"age":5,"id":5}'],
    ["Pick<{ a: 1; [key: string]: 1 }, 'b'>", '{*:1}'],
    ["Omit<User, 'id' | 'nothing'>", '{"name":string}'],
    ['Omit<User, Key>', '{"name":string}'],
    ['Partial<User>', '{"id"?:string,"name"?:string}'],
    ['ReadonlyArray<undefined>', '[...null]'],
  ])('%s means %s', (text, meaning) => expect(canonicalText(parseType(text, named))).toBe(meaning));

  it.each([
    ['string => void', 'a function cannot be sent as JSON; leave it out'],
    ['string is 5', 'a function cannot be sent as JSON; leave it out'],
    ['(this: User) => void', 'a function cannot be sent as JSON'],
    ['(a?: string) => void', 'a function cannot be sent as JSON'],
    ['(a, b) => void', 'a function cannot be sent as JSON'],
    ['(a = 5) => void', 'a function cannot be sent as JSON'],
    ['(...a: string[]) => void', 'a function cannot be sent as JSON'],
    ['-', 'expected a number, found the end; write one behind the minus'],
    ["-'1'", 'expected a number, found a string'],
    ['string n', "expected the end of the type, found 'n'"],
    ['1 n', "expected the end of the type, found 'n'"],
    ['string[', 'indexed access is not supported'],
    ['string\n[0]', 'expected the end of the type'],
    ['readonly { a: 1 }', 'readonly stands before arrays and tuples only'],
    ['readonly User', 'readonly stands before arrays and tuples only'],
    ['(string', "expected ')', found the end; close the parenthesis"],
    ['{ <T>(a: T): void }', 'a function cannot be sent as JSON'],
    ['{ new (): User }', 'a function cannot be sent as JSON'],
    ['{ a<T>(): void }', "'a' is a method"],
    ['{ a?(): void }', "'a' is a method"],
    ['{ ?: string }', "expected the name of a field, found '?'"],
    ["{ ['a': string }", "expected ']', found ':'; close the bracket"],
    ['{ [|: string]: 5 }', "expected a name, such as in '[key: string]: T'"],
    ['{ [key]: 5 }', "expected ':', found ']'"],
    ["{ [key: 'string']: 5 }", 'the keys of JSON are strings'],
    ['{ [key: Text]: 5 }', 'the keys of JSON are strings'],
    ['{ [key: string: 5 }', "expected ']'"],
    ['{ [key: string] 5 }', "expected ':'"],
    ["{ a: string 'b' }", "expected ';' or '}', found a string"],
    [
      '[string number]',
      "expected ',' or ']', found 'number'; separate items with , and close the tuple with ]",
    ],
    ["['a': string]", "expected ',' or ']', found ':'"],
    ['[string', "expected ',' or ']', found the end"],
    ['[a?: string, b: number]', 'follows an optional one'],
    ['Partial<string>', 'Partial takes an object type, got another type'],
    ['Pick<User>', 'Pick takes two type arguments, got 1'],
    ['Pick<User, true>', "the keys of Pick must be string or literals such as 'a' | 'b'"],
    ['Pick<User, Nobody>', 'the keys of Pick must be string or literals'],
    ["Omit<User, 'id' | string>", 'the keys of Omit must be string or literals'],
    ['Record<Nobody, string>', 'the keys of Record must be string or literals'],
    ["'a", "the string has no end; close it with '"],
    ["'a\nb'", 'the string has no end'],
    ["'a\rb'", 'the string has no end'],
    ["'a\\", 'expected an escape'],
    ["'\\u{110000}'", 'expected an escape'],
    ["'\\u{}'", 'expected an escape'],
    ["'\\x4'", 'expected an escape'],
    ["'\\ug041'", 'expected an escape'],
    ['/', '"/" is not part of a type'],
    ['💚', '"💚" is not part of a type'],
  ])('refuses %s', (text, message) => expect(problem(text).message).toContain(message));

  it.each([
    ['string |', 8],
    ['(User) => void', 0],
    ['  Map', 2],
    ['{ a: 1; a: 2 }', 8],
    ["'abc", 0],
    ['string\n  #', 9],
    ["Pick<User, 'x'>", 0],
    ['{ a: 1 } & 5[]', 9],
  ])('reports the position of the mistake in %s', (text, at) => expect(problem(text).at).toBe(at));

  it('reads -0 as 0, because JSON does not distinguish them', () => {
    expect(parseType('-0')).toEqual({ kind: 'literal', value: 0 });
  });

  it('may be nested 100 levels deep', () => {
    const nest = (levels: number): string => `${'('.repeat(levels - 1)}string${')'.repeat(levels - 1)}`;
    expect(parseType(nest(100))).toEqual({ kind: 'string' });
    expect(problem(nest(101)).message).toContain('nested deeper than 100 levels');
    expect(parseType(`string${'[]'.repeat(99)}`).kind).toBe('array');
    expect(problem(`string${'[]'.repeat(100)}`).message).toContain('nested deeper than 100 levels');
  });
});

describe('names of types', () => {
  it.each(['User', 'user2', '_x', '$x', 'FwRp', 'JsonRpcErrors', 'of'])('%s can be one', (name) => {
    expect(isTypeName(name)).toBe(true);
  });

  it.each([
    '',
    '2x',
    'a-b',
    'a b',
    'string',
    'Date',
    'Map',
    'class',
    'Array',
    'FwRpcClient',
    'JsonRpcError',
    'ä',
  ])('%s cannot be one', (name) => expect(isTypeName(name)).toBe(false));
});

describe('unions', () => {
  const text: WireType = { kind: 'string' };
  const literal = (value: string | boolean): WireType => ({ kind: 'literal', value });
  const union = (...members: WireType[]): WireType => ({ kind: 'union', members });

  it('contain each member once', () => {
    expect(unionOf([])).toEqual(union());
    expect(unionOf([text, union(text, union(text))])).toEqual(text);
    expect(unionOf([text, { kind: 'unknown' }, { kind: 'null' }])).toEqual({ kind: 'unknown' });
    expect(unionOf([text, { kind: 'null' }, text])).toEqual(union(text, { kind: 'null' }));
    expect(unionOf([literal(true), text])).toEqual(union(literal(true), text));
    expect(unionOf([literal(false), text])).toEqual(union(literal(false), text));
    expect(unionOf([literal(true), literal('true'), literal(false)])).toEqual(
      union(literal('true'), { kind: 'boolean' }),
    );
  });

  it('keep the first of two equal members, with its description', () => {
    const [first, second] = [union(text), { ...text, description: 'A text.' }];
    expect(unionOf([first, second, first])).toEqual(union(text, second));
    const same = unionOf([text, { kind: 'string' }]);
    expect(same).toBe(text);
  });

  it('drop void in a field, and replace it by null in an item', () => {
    const nothing: WireType = { kind: 'void' };
    expect(withoutVoid(nothing)).toEqual(union());
    expect(withoutVoid(union(nothing, text))).toEqual(text);
    expect(voidAsNull(nothing)).toEqual({ kind: 'null' });
    expect(voidAsNull(union(text, nothing))).toEqual(union(text, { kind: 'null' }));
    const described = { ...union(text, { kind: 'null' }), description: 'Perhaps.' };
    expect(withoutVoid(described)).toBe(described);
    expect(voidAsNull(described)).toBe(described);
  });
});
