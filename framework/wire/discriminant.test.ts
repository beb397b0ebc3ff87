import { describe, expect, it } from 'vitest';
import { parseType } from './read/parse-type.js';
import { discriminantOf } from './union-of.js';
import type { NamedTypes } from './wire-type.js';

const named: NamedTypes = { Cat: parseType("{ kind: 'cat' }"), Text: parseType('string') };

function found(...texts: string[]) {
  const discriminant = discriminantOf(
    texts.map((text) => parseType(text)),
    named,
  );
  if (discriminant === undefined) return undefined;
  const members = [...discriminant.members].map(([value, type]) => [
    value,
    'name' in type ? type.name : type.kind,
  ]);
  return { field: discriminant.field, members: Object.fromEntries(members) };
}

describe('discriminantOf', () => {
  it.each<[string[], object]>([
    [['Cat', "{ kind: 'dog' }"], { field: 'kind', members: { cat: 'Cat', dog: 'object' } }],
    [
      ["{ kind: 'dog' | 'wolf' }", 'Cat'],
      { field: 'kind', members: { cat: 'Cat', dog: 'object', wolf: 'object' } },
    ],
    [
      ['{ a: 1; kind: 1 }', '{ kind: true; a: 1 }'],
      { field: 'kind', members: { 1: 'object', true: 'object' } },
    ],
    [
      ['{ a: string; b: 1 }', '{ a: string; b: 2 }', '{ b: 3 }'],
      { field: 'b', members: { 1: 'object', 2: 'object', 3: 'object' } },
    ],
  ])('finds the field that distinguishes %j', (members, expected) => {
    expect(found(...members)).toEqual(expected);
  });

  it.each([
    [],
    ["{ kind: 'a' }"],
    ["{ kind: 'a' }", 'string'],
    ["{ kind: 'a' }", 'Text'],
    ["{ kind: 'a' }", 'Nobody'],
    ['Nobody', 'Nobody'],
    ['{}', '{}'],
    ["{ kind: 'a' }", "{ other: 'b' }"],
    ["{ kind: 'a' }", "{ kind?: 'b' }"],
    ["{ kind?: 'a' }", "{ kind: 'b' }"],
    ["{ kind: 'a' }", '{ kind: string }'],
    ["{ kind: 'a' }", "{ kind: 'b' | string[] }"],
    ["{ kind: 'a' | 'b' }", "{ kind: 'c' | 'b' }"],
  ])('finds none for %s, %s', (...members) => {
    expect(found(...members)).toBeUndefined();
  });

  it('finds none if a field has no possible value', () => {
    const never = { name: 'kind', type: { kind: 'union', members: [] }, isOptional: false } as const;
    const members = [parseType("{ kind: 'a' }"), { kind: 'object', fields: [never] } as const];
    expect(discriminantOf(members, named)).toBeUndefined();
  });
});
