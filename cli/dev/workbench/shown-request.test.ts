// What the page gets of recorded requests.
import { expect, it } from 'vitest';
import type { RawRecord } from '../../process/records.js';
import { detailOf, summaryOf } from './shown-request.js';

const raw: RawRecord = {
  seq: 1,
  began: 1000,
  state: 'answered',
  method: 'POST',
  target: '/rpc',
  origin: 'http://localhost',
  isWebSocket: false,
  status: 200,
  requestHeaders: [],
  responseHeaders: [],
  steps: [],
  log: [],
};
const failed = (procedure: string, outcome: string, title: string) => ({
  procedure,
  outcome,
  error: { title, frames: [], details: '' },
});
const summary = (more: Partial<RawRecord>) => summaryOf({ id: 1, raw: { ...raw, ...more } }, new Map());

it('says what the app says of an error with a code of its own, also with one that fw gives another meaning', () => {
  const callErrors = [
    failed('buy', '-32010', 'JsonRpcError: sold out of k3y-0123456789abcdef'),
    failed('pay', '4001', `JsonRpcError: ${'x'.repeat(100)}\nmore`),
    failed('check', '-32602', 'JsonRpcError: a mistake'),
    failed('read', '-32001', 'FwError: sign in'),
  ];
  const calls = [
    ...callErrors.map(({ procedure, outcome }) => ({ procedure, outcome })),
    { procedure: 'old', outcome: '-32010' },
  ];
  const secrets = { places: [], values: ['k3y-0123456789abcdef'] };
  expect(summary({ calls, callErrors, secrets }).calls?.map(({ message }) => message)).toEqual([
    'sold out of ••••••',
    `${'x'.repeat(60)}…`,
    undefined,
    undefined,
    undefined,
  ]);
});

it('has the errors of several calls without secrets, and that of one only once', () => {
  const one = failed('buy', '-32603', 'Error: no k3y-0123456789abcdef');
  const secrets = { places: [], values: ['k3y-0123456789abcdef'] };
  const detail = (callErrors: RawRecord['callErrors']) =>
    detailOf(
      { id: 1, raw: { ...raw, error: one.error, callErrors: callErrors ?? [], secrets } },
      new Map(),
      '/app',
    );
  expect(detail([one]).callErrors).toBeUndefined();
  expect(detail([one, failed('pay', '-32603', 'Error: two')]).callErrors).toEqual([
    { procedure: 'buy', error: { title: 'Error: no ••••••', frames: [], details: '' } },
    { procedure: 'pay', error: { title: 'Error: two', frames: [], details: '' } },
  ]);
});

it('counts reads that are likely those of a loop', () => {
  const step = { kind: 'database', name: 'select 1', start: 0, depth: 1 } as const;
  expect(summary({ steps: [step] }).equalReads).toBeUndefined();
  expect(summary({ steps: Array.from({ length: 30 }, () => step) }).equalReads).toBe(30);
});

it('says what to do about an error, and that it has ended the process', () => {
  const error = { title: 'SqliteError: no such table: notes', frames: [], details: '' };
  const shown = detailOf({ id: 1, raw: { ...raw, status: 500, error, isFatal: true } }, new Map(), '/app');
  expect(shown).toMatchObject({
    hasCrashed: true,
    advice: [expect.stringContaining('The table is not there.')],
  });
  const other = detailOf(
    { id: 1, raw: { ...raw, error: { ...error, title: 'Error: x' } } },
    new Map(),
    '/app',
  );
  expect([other.advice, other.hasCrashed]).toEqual([undefined, undefined]);
});
