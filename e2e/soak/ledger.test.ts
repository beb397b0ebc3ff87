import { expect, it } from 'vitest';
import { Ledger } from './ledger.js';

const milk = { id: 'a', title: 'milk', version: 1 };
const bread = { ...milk, title: 'bread', version: 2 };

function ledgerOf(...rows: readonly (typeof milk)[]): Ledger {
  const ledger = new Ledger();
  for (const row of rows) ledger.added(row.title, 'acknowledged', row);
  return ledger;
}

it('finds acknowledged writes, and counts them once', () => {
  const ledger = ledgerOf(milk);
  ledger.changed('a', bread, 'acknowledged');
  expect(ledger.check([bread])).toEqual([]);
  expect(ledger.check([bread])).toEqual([]);
  expect([ledger.acknowledged, ledger.found]).toEqual([2, 2]);
});

it('names an acknowledged write that is not there, or not as it was acknowledged', () => {
  expect(ledgerOf(milk).check([])).toEqual(['task a is not there, and was acknowledged as version 1 (milk)']);
  const ledger = ledgerOf(milk);
  ledger.changed('a', bread, 'acknowledged');
  expect(ledger.check([milk])).toHaveLength(1);
  expect(ledger.found).toBe(0);
});

it('names a removed task that is there, also later', () => {
  const ledger = ledgerOf(milk);
  ledger.changed('a', undefined, 'acknowledged');
  expect(ledger.check([])).toEqual([]);
  expect(ledger.check([milk])).toEqual(['task a (milk) is stored, and nobody was told so']);
});

it('names a refused write that is stored', () => {
  const ledger = ledgerOf(milk);
  ledger.changed('a', bread, 'refused');
  ledger.added('eggs', 'refused');
  expect(ledger.check([bread, { id: 'b', title: 'eggs', version: 1 }])).toHaveLength(2);
});

it('takes a write without an answer as stored or not, once', () => {
  const ledger = ledgerOf(milk);
  ledger.changed('a', bread, 'unknown');
  ledger.added('eggs', 'unknown');
  const eggs = { id: 'b', title: 'eggs', version: 1 };
  expect(ledger.check([milk])).toEqual([]);
  expect(ledger.check([bread, eggs])).toEqual([]);
  expect(ledger.unanswered([bread, eggs])).toEqual(['b']);
  expect(ledger.check([bread, eggs, { ...eggs, id: 'c' }])).toEqual(['task eggs is stored twice']);
});

it('holds on to what was read after a write without an answer', () => {
  const ledger = ledgerOf(milk);
  ledger.changed('a', bread, 'unknown');
  ledger.saw('a', bread);
  expect(ledger.check([milk])).toHaveLength(1);
  ledger.changed('a', undefined, 'acknowledged');
  expect(ledger.check([bread])).toHaveLength(1);
});
