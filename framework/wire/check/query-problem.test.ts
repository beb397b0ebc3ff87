import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes } from '../wire-type.js';
import { queryProblem } from './query-problem.js';

const named: NamedTypes = {
  User: parseType('{ id: string }'),
  Ids: parseType('Array<string>'),
  Loop: parseType('Loop | { a: number }'),
  Self: parseType('Self'),
  Tree: parseType('string | Array<Tree>'),
  MaybeUser: parseType('User | null'),
};

describe('queryProblem', () => {
  it.each([
    'unknown',
    'void',
    'null',
    'User',
    'MaybeUser',
    'Loop',
    'Self',
    'Nobody',
    '{ a: Nobody; b: Self | string; c: unknown }',
    '{ a: [string, number?, ...Array<boolean>] }',
    '{ a: Ids | string | null }',
    'Record<string, Ids>',
    '{ a: string } | { b: number }',
  ])('accepts %s', (text) => expect(queryProblem(parseType(text), named)).toBeUndefined());

  it.each([
    ['{ a: string; b: User }', "the field 'b' is an object"],
    ['{ a: MaybeUser }', "the field 'a' is an object"],
    ['{ a: Loop }', "the field 'a' is an object"],
    ['{ a: Array<User> }', "the field 'a' is an object"],
    ['{ a: Array<MaybeUser> }', "the field 'a' is an object"],
    ['{ a: Array<Ids> }', "the field 'a' is a list of lists"],
    ['{ a: Array<[string]> }', "the field 'a' is a list of lists"],
    ['{ a: [string, Ids] }', "the field 'a' is a list of lists"],
    ['{ a: [[string]] }', "the field 'a' is a list of lists"],
    ['{ a: [string, ...Array<Ids>] }', "the field 'a' is a list of lists"],
    ['{ a: [string, ...Array<User>] }', "the field 'a' is an object"],
    ['{ a: Tree }', "the field 'a' is a list of lists"],
    ['{ a: string; [key: string]: string | User }', 'its values are an object'],
    ['{ a: string } | { b: User }', "the field 'b' is an object"],
    ['{ a: string } | null | Ids', 'an input that is array has no names for a query'],
    ['[string]', 'an input that is tuple has no names for a query'],
    ["'a'", 'an input that is literal has no names for a query'],
  ])('reports why %s cannot be sent in a query string', (text, problem) => {
    expect(queryProblem(parseType(text), named)).toContain(problem);
  });
});
