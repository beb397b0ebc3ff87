import { describe, expect, it } from 'vitest';
import { canonicalText } from '../canonical.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { parseType } from './parse-type.js';
import { TypeSyntaxError } from './tokens.js';

const string: WireType = { kind: 'string' };
const number: WireType = { kind: 'number' };

function object(fields: Record<string, WireType>, values?: WireType): WireType {
  return {
    kind: 'object',
    fields: Object.entries(fields).map(([key, type]) => ({
      name: key.replace(/\?$/, ''),
      type,
      isOptional: key.endsWith('?'),
    })),
    ...(values && { values }),
  };
}

function problem(text: string, named?: NamedTypes): string {
  try {
    parseType(text, named);
  } catch (error) {
    if (error instanceof TypeSyntaxError) return error.message;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('parseType', () => {
  const literal = (value: string | number | boolean): WireType => ({ kind: 'literal', value });
  const union = (...members: WireType[]): WireType => ({ kind: 'union', members });

  it.each<[string, WireType]>([
    ['string', string],
    ['any', { kind: 'unknown' }],
    ['void', { kind: 'void' }],
    ['never', union()],
    ['Date', { kind: 'string', rules: { format: 'date-time' } }],
    ['{}', object({})],
    ['object', object({}, { kind: 'unknown' })],
    ['{ a: number; b?: string }', object({ a: number, 'b?': string })],
    [
      "{ 1: string, readonly a: number, 'b-c': string, readonly: number }",
      object({ a: number, 'b-c': string, readonly: number, '1': string }),
    ],
    [
      '{\n  a: number[]\n  [key: string]: unknown\n}',
      object({ a: { kind: 'array', items: number } }, { kind: 'unknown' }),
    ],
    ['{ a: string | undefined; b: undefined }', object({ 'a?': string })],
    ['{ /* one */ a: string // two\n }', object({ a: string })],
    ['string[][]', { kind: 'array', items: { kind: 'array', items: string } }],
    ['readonly string[]', { kind: 'array', items: string }],
    ['Array<ReadonlyArray<string>>', { kind: 'array', items: { kind: 'array', items: string } }],
    ['Array<string | undefined>', { kind: 'array', items: union(string, { kind: 'null' }) }],
    [
      '[a: string, b?: number, ...rest: string[]]',
      { kind: 'tuple', items: [string, number], required: 1, rest: string },
    ],
    [
      '[string, (number | null)?]',
      { kind: 'tuple', items: [string, union(number, { kind: 'null' })], required: 1 },
    ],
    ['[]', { kind: 'tuple', items: [] }],
    [
      '| \'a\' | "b" | -1 | 1e3 | true',
      union(literal('a'), literal('b'), literal(-1), literal(1000), literal(true)),
    ],
    ['true | string | false', union(string, { kind: 'boolean' })],
    ['string | (string | null)', union(string, { kind: 'null' })],
    ['unknown | null', { kind: 'unknown' }],
    ['{ a: string } & { b: number } & { a?: string }', object({ a: string, b: number })],
    ["string & { readonly __brand: 'Id' }", string],
    ["('a' | null) & string", literal('a')],
    ['Record<string, number>', object({}, number)],
    ['Record<string, never>', object({})],
    ["Record<'a' | 'b', number | undefined>", object({ 'a?': number, 'b?': number })],
    ['Partial<{ a: string }>', object({ 'a?': string })],
    ['Required<{ a?: string }>', object({ a: string })],
    ["Pick<{ a: string; b: number }, 'a'>", object({ a: string })],
    ["Omit<{ a: string; b: number }, 'a'>", object({ b: number })],
    ['Promise<Readonly<string>>', string],
    ['(User)[]', { kind: 'array', items: { kind: 'ref', name: 'User' } }],
    ["'it\\'s \\u0041\\n'", literal("it's A\n")],
    [
      '{ __proto__: string; constructor: number }',
      {
        kind: 'object',
        fields: [
          { name: '__proto__', type: string, isOptional: false },
          { name: 'constructor', type: number, isOptional: false },
        ],
      },
    ],
  ])('%s', (text, type) => expect(parseType(text)).toEqual(type));

  it('resolves references', () => {
    const named = { User: parseType('{ id: string; name: string }') };
    expect(canonicalText(parseType("Pick<User, 'id'> & { age: number }", named))).toBe(
      canonicalText(parseType('{ age: number; id: string }')),
    );
    expect(problem('Partial<User>')).toContain('User, which is not an object type known here');
    expect(problem("Pick<User, 'toString'>", named)).toContain(
      "there is no field 'toString'; name one of id, name",
    );
  });

  it.each([
    ['objects', '{ next: A }', '{ next: B }'],
    ['arrays', 'A[]', 'B[]'],
    ['unions', 'null | { next: A | number }', 'null | { next: B | number }'],
    ['records', 'Record<string, A>', 'Record<string, B>'],
  ])('does not join recursive %s, which have no common name', (_what, a, b) => {
    const named = { A: parseType(a), B: parseType(b) };
    expect(problem('A & B', named)).toContain('these types cannot be joined by &');
    expect(canonicalText(parseType('A & A', named))).toBe('ref A');
  });

  it.each([
    ['(a: string) => void', 'a function cannot be sent as JSON'],
    ['() => void', 'a function cannot be sent as JSON'],
    ['(string) => void', 'a function cannot be sent as JSON'],
    ['{ a(): void }', "'a' is a method"],
    ['{ (): void }', 'a function cannot be sent as JSON'],
    ['new () => Date', 'a constructor cannot be sent as JSON'],
    ['bigint', 'JSON has no bigint; use a string'],
    ['1n', 'JSON has no bigint'],
    ['symbol', 'JSON has no symbol'],
    ['Map<string, string>', 'use Record<string, T>'],
    ['Set<string>', 'use Array<T>'],
    ['Foo<string>', 'the generic type Foo is not known; write it out'],
    ['`a`', 'template literal types are not supported'],
    ['keyof User', 'keyof is not supported'],
    ["User['id']", 'indexed access is not supported'],
    ['A extends B ? C : D', 'conditional types are not supported'],
    ['{ [K in Keys]: string }', 'mapped types are not supported'],
    ['{ [key: symbol]: string }', 'the keys of JSON are strings'],
    ['{ a: string; a: number }', "the field 'a' is declared twice"],
    ['{ a: string b: number }', "expected ';' or '}', found 'b'"],
    ['{ a }', "expected ':'"],
    ['{ a: string', "expected ';' or '}', found the end"],
    ['[string?, number]', 'follows an optional one'],
    ['[...string]', 'must be an array'],
    ['[...string[], number]', 'put it last'],
    ['Array<string', "expected '>', found the end"],
    ['Array<string, number>', 'Array takes one type argument, got 2'],
    ['Record<string>', 'Record takes two type arguments, got 1'],
    ['Record<boolean, string>', 'the keys of Record must be string or literals'],
    ['string number', "expected the end of the type, found 'number'"],
    ['', 'expected a type, found the end'],
    ["'abc", 'the string has no end'],
    ["'\\u00'", 'expected an escape'],
    ['/* abc', 'the comment has no end'],
    ['string #', '"#" is not part of a type'],
    ['Number', 'use number'],
    ['ns.User', 'names with a dot are not supported'],
    ['readonly string', 'readonly stands before arrays'],
    ['string[] & number', 'cannot be joined by &'],
    ['1e999', 'JSON has no such number'],
  ])('refuses %s', (text, message) => expect(problem(text)).toContain(message));

  it('shows the position of a mistake', () => {
    expect(problem('{ a: string; b: }')).toBe(
      "invalid TypeScript type: expected a type, found '}'; write a type such as string, Array<User> or { id: string }\n" +
        '  { a: string; b: }\n' +
        '                  ^',
    );
    expect(problem('{\n\ta: Map\n}')).toMatch(/\n {3}a: Map\n {6}\^$/);
    const long = problem(`{ ${'a'.repeat(500)}: bigint; ${'b'.repeat(500)}: string }`);
    expect(long.length).toBeLessThan(300);
    expect(long).toMatch(/…a+: bigint; b+…\n/);
  });

  it.each([
    ['parentheses', '('],
    ['objects', '{ a: '],
    ['tuples', '['],
    ['arguments', 'Array<'],
    ['intersections', '& ('],
  ])('limits the depth of %s', (_what, text) => {
    expect(problem(text.repeat(10_000))).toContain('nested deeper than 100 levels');
  });

  it('limits the depth of arrays', () => {
    expect(problem(`string${'[]'.repeat(10_000)}`)).toContain('nested deeper than 100 levels');
  });

  it('reads long types', () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `f${index}: 'v${index}' | null`).join('; ');
    const type = parseType(`{ ${fields} }`);
    expect(type.kind === 'object' && type.fields.length).toBe(20_000);
    expect(
      canonicalText(parseType(Array.from({ length: 20_000 }, (_, i) => `'${i}'`).join('|'))).length,
    ).toBeGreaterThan(100_000);
  });

  it('refuses values that are not strings', () => {
    expect(() => parseType(undefined as unknown as string)).toThrow(
      "a TypeScript type is a string such as '{ id: string }'; got undefined",
    );
  });
});
