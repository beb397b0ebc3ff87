import { describe, expect, it } from 'vitest';
import { changes, none, types } from '../../conformance/one-procedure.js';
import type { WireRules, WireType, WireTypes } from '../wire-type.js';
import { contractHash } from './same-type.js';

describe('diffTypes', () => {
  it('compares a named type with each type that replaces it', () => {
    const before = types('{ a: A; b: A }', 'void', { A: '{ x: string; y: string }' });
    const after = types('{ a: { x: string }; b: { y: string } }', 'void');
    expect(changes(before, after)).toEqual([
      '!p.input.a.y: the field was removed',
      '!p.input.b.x: the field was removed',
    ]);
    expect(changes(after, before)).toEqual([
      '!p.input.a.y: new required field',
      '!p.input.b.x: new required field',
    ]);
  });

  it.each<[string, string, string[]]>([
    ['Nobody', 'string', []],
    ['string', 'Nobody', []],
    ['{ a: 1 }', 'Array<1>', ['!p.input: was { a: 1; }, is Array<1>']],
    ['Array<1>', '{ a: 1 }', ['!p.input: was Array<1>, is { a: 1; }']],
    ['Array<1>', 'string', ['!p.input: was Array<1>, is string']],
    ['string', 'Array<1>', ['!p.input: was string, is Array<1>']],
    ['{ a: 1 } | { b: 1 }', '{ a: 2 }', ['!p.input: was { a: 1; } | { b: 1; }, is { a: 2; }']],
    ['{ a: 1 }', '{ a: 2 } | { b: 2 }', ['!p.input: was { a: 1; }, is { a: 2; } | { b: 2; }']],
    ['{ a: 1 } | string', '{ a: 2 } | string', ['!p.input.a: was 1, is 2']],
    ['Array<1> | string', 'Array<2> | string', ['!p.input[]: was 1, is 2']],
    ['{ a: 1 } | string', 'Array<1> | string', ['!p.input: was string | { a: 1; }, is Array<1> | string']],
    ['1 | string', '2 | string', ['!p.input: was 1 | string, is 2 | string']],
    ['[1] | string', '[2] | string', ['!p.input: was [1] | string, is [2] | string']],
    [`'${'x'.repeat(78)}'`, '1', [`!p.input: was '${'x'.repeat(78)}', is 1`]],
    [`'${'x'.repeat(79)}'`, '1', [`!p.input: was '${'x'.repeat(79)}…, is 1`]],
  ])('reports changes of an input: %s to %s', (before, after, expected) => {
    expect(changes(types(before, 'void'), types(after, 'void'))).toEqual(expected);
  });

  it('reports each changed member of a union', () => {
    const text = (rules: WireRules): WireType => ({ kind: 'string', rules });
    const of = (...members: WireType[]): WireTypes => {
      const type: WireType = members.length > 1 ? { kind: 'union', members } : (members[0] as WireType);
      return { procedures: { p: { kind: 'query', input: type, output: { kind: 'void' } } }, named: {} };
    };
    const [short, long] = [text({ maxLength: 3 }), text({ maxLength: 9 })];
    expect(changes(of(short, long), of(long, short))).toEqual([]);
    expect(changes(of(short, { kind: 'null' }), of(long, { kind: 'null' }))).toEqual([
      'p.input: maxLength is 9, was 3',
    ]);
    expect(changes(of(short, { kind: 'null' }), of(long))).toEqual([
      'p.input: maxLength is 9, was 3',
      '!p.input: was string | null, is string',
    ]);
    const [before, after] = ['{ id: string }', '{ id: string; x: 1 }'].map((User) => ({ User }));
    expect(changes(types('User | null', 'void', before), types('User', 'void', after))).toEqual([
      '!p.input: was User | null, is User',
      '!p.input.x: new required field',
    ]);
  });

  it('sorts the changes by their path', () => {
    const { p } = types('void', 'void').procedures;
    const odd = { procedures: { c: p, a: p, b: p }, named: {} } as WireTypes;
    expect(changes(none, odd)).toEqual(['a: new query', 'b: new query', 'c: new query']);
    expect(contractHash(odd)).toBe(
      contractHash({ procedures: { b: p, c: p, a: p }, named: {} } as WireTypes),
    );
  });

  it('ends for recursive types that are members of other unions', () => {
    const before = types('Tree', 'void', { Tree: 'null | { next: Tree | number }' });
    const more = { Tree: 'null | { next: Tree | number | string }' };
    expect(changes(before, types('Tree', 'void', more))).toEqual([
      'p.input.next: was Tree | number, is Tree | number | string',
    ]);
    expect(changes(types('Tree', 'void', more), before)).toEqual([
      '!p.input.next: was Tree | number | string, is Tree | number',
    ]);
    const renamed = types('Node', 'void', { Node: 'null | { next: Node | number }' });
    expect(changes(before, renamed)).toEqual([]);
    const lists = types('Tree', 'void', { Tree: 'null | Array<Tree | number>' });
    expect(changes(lists, types('Tree', 'void', { Tree: 'null | Array<Tree | 1>' }))).toEqual([
      '!p.input[]: was Tree | number, is 1 | Tree',
    ]);
  });
});
