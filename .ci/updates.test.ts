// Which updates are tried, which are not, and what is shown of an output.
import { describe, expect, it } from 'vitest';
import {
  chosenUpdates,
  firstErrors,
  type Outcome,
  refusedByEngines,
  updatesOfCheckout,
  updatesOfTemplates,
  updateTable,
} from './updates.js';

const found = (wanted: string, latest: string, dependent: string) => ({ wanted, latest, dependent });

describe('updates', () => {
  it('of the checkout are what is not installed in its newest version', () => {
    const list = {
      jose: { current: '6.2.17', wanted: '6.2.18', latest: '6.2.18' },
      kept: { current: '2.0.0', wanted: '2.0.0', latest: '2.0.0' },
      absent: { wanted: '1.0.0', latest: '2.0.0' },
    };
    expect(updatesOfCheckout(list)).toEqual([
      { name: 'jose', where: 'fw', from: '6.2.17', to: '6.2.18' },
      { name: 'absent', where: 'fw', from: '1.0.0', to: '2.0.0' },
    ]);
  });

  it('of templates are what their ranges leave out, each in the most complete one', () => {
    const list = {
      zod: [found('4.6.7', '5.0.0', 'fullstack'), found('4.6.7', '5.0.0', 'basic')],
      mixed: [found('1.0.0', '2.0.0', 'basic'), found('2.0.0', '2.0.0', 'fullstack')],
      wouter: found('3.13.0', '4.0.0', 'fullstack'),
      inRange: found('1.1.0', '1.1.0', 'basic'),
      other: found('1.0.0', '2.0.0', 'unknown'),
    };
    expect(updatesOfTemplates(list, ['basic', 'rpc', 'fullstack'])).toEqual([
      { name: 'zod', where: 'fullstack', from: '4.6.7', to: '5.0.0' },
      { name: 'mixed', where: 'basic', from: '1.0.0', to: '2.0.0' },
      { name: 'wouter', where: 'fullstack', from: '3.13.0', to: '4.0.0' },
    ]);
  });

  it('are chosen by names, with a version if it is given', () => {
    const update = { where: 'fw', from: '1.0.0', to: '3.0.0' };
    const all = [
      { ...update, name: 'a' },
      { ...update, name: '@team/b' },
      { ...update, name: '@team/b', where: 'basic' },
    ];
    expect(chosenUpdates(all, [])).toEqual({ chosen: all, unknown: [] });
    const { chosen, unknown } = chosenUpdates(all, ['@team/b@2.0.0', 'a', 'c']);
    expect(chosen.map(({ name, where, to }) => `${name} ${to} ${where}`)).toEqual([
      '@team/b 2.0.0 fw',
      '@team/b 2.0.0 basic',
      'a 3.0.0 fw',
    ]);
    expect(unknown).toEqual(['c']);
  });

  it('that need a newer Node.js are not tried', () => {
    expect(refusedByEngines('>=22.12.0', '20.19.0')).toBe(
      'not tried: needs Node.js >=22.12.0, and fw supports 20.19.0',
    );
    for (const engines of ['', '*', '>=18', '^20.19.0 || >=22.12.0', 'what?']) {
      expect(refusedByEngines(engines, '20.19.0')).toBe(undefined);
    }
    expect(refusedByEngines('^20.20.0 || >=22', '20.19.0')).toContain('needs Node.js ^20.20.0 || >=22');
  });
});

describe('the first errors', () => {
  it.each([
    ['a.ts(1,2): error TS2344: Type', 'tsc'],
    ['src/a.ts:1:2 lint/style/x ━━━━', 'Biome'],
    ['src/a.ts format ━━━━', 'Biome'],
    ['FAIL  unit a.test.ts > b', 'Vitest'],
    ['AssertionError: expected 1 to be 2', 'Vitest'],
    ['npm error ERESOLVE unable to resolve dependency tree', 'npm'],
    ['✘ [ERROR] Could not resolve "x"', 'esbuild'],
    ['TypeError: a is not a function', 'Node.js'],
  ])('are found: %s, of %s', (line) => {
    expect(firstErrors(`> fw@0.9.0 build\n\n  ${line}\nmore\n${line}\n`.replace(/^ {2}/gm, ''), 3)).toEqual([
      line,
    ]);
  });

  it('are as many as asked for, and not too long', () => {
    const lines = ['b', 'c', 'd'].map((file) => `${file}.ts(1,1): error TS1: ${'x'.repeat(200)}`);
    const shown = firstErrors(lines.join('\n'), 2);
    expect(shown).toHaveLength(2);
    expect(shown.every((line) => line.length === 160 && line.endsWith('…'))).toBe(true);
  });

  it('are the last lines if there is nothing that looks like one', () => {
    expect(firstErrors('one\n\n  two\nthree\n', 2)).toEqual(['two', 'three']);
  });
});

it('the table has a row for each, with what breaks below', () => {
  const outcome: Outcome = {
    name: 'a',
    where: 'fw',
    from: '1.0.0',
    to: '10.0.0',
    result: 'passes',
    details: [],
  };
  const other = { ...outcome, name: 'longer', where: 'basic', result: 'breaks lint', details: ['lint: x'] };
  expect(updateTable([outcome, other])).toBe(
    [
      'package  in     from   to      result',
      'a        fw     1.0.0  10.0.0  passes',
      'longer   basic  1.0.0  10.0.0  breaks lint',
      '    lint: x',
    ].join('\n'),
  );
});
