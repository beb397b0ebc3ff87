// The groups that the name of a procedure is in.
import { describe, expect, it } from 'vitest';
import { groupsOf, isIdentifier } from './procedure-name.js';

describe('the groups of a name', () => {
  it.each<[string, readonly string[]]>([
    ['list', []],
    ['users.list', ['users']],
    ['admin.users.list', ['admin', 'admin.users']],
    ['größen.列表.$a_1', ['größen', 'größen.列表']],
    ['users.a-b', []],
    ['a-b.list', []],
    ['users.', []],
    ['.list', []],
    ['a..b', []],
    ['1a.b', []],
  ])('%j is in %j', (name, groups) => {
    expect(groupsOf(name)).toEqual(groups);
  });

  it.each<[string, boolean]>([
    ['a', true],
    ['$', true],
    ['_1', true],
    ['ä1', true],
    ['aä\u200d', true],
    ['1a', false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['\u200da', false],
  ])('%j can stand after a dot: %s', (text, can) => {
    expect(isIdentifier(text)).toBe(can);
  });
});
