// Which errors are the same, and what is kept of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RawRecord } from '../../process/records.js';
import { ErrorGroups, messageKind } from './error-groups.js';
import { KeptMessages } from './kept-messages.js';
import type { StoredRequest } from './record-store.js';
import { shownError } from './shown-error.js';
import { summaryOf } from './shown-request.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-errors-'));
  writeFileSync(join(root, 'app.ts'), 'one\ntwo\nthree\n');
});
afterAll(() => rmSync(root, { recursive: true }));

const errorAt = (title: string, line: number) => ({
  title,
  frames: [`at find (${join(root, 'app.ts')}:${line}:1)`],
  details: '',
});
const stored = (id: number, more: Partial<RawRecord> = {}): StoredRequest => ({
  id,
  raw: {
    seq: id,
    began: id * 1000,
    state: 'answered',
    method: 'GET',
    target: `/items/${id}?token=abc`,
    origin: 'http://localhost',
    isWebSocket: false,
    requestHeaders: [],
    responseHeaders: [],
    steps: [],
    log: [],
    ...more,
  },
});
const summary = (one: StoredRequest) => summaryOf(one, new Map());

it.each([
  ["Error: no item 17 for 'Ada'", "Error: no item 9 for 'Bob'"],
  ["TypeError: can't read 'a'", "TypeError: can't read 'b'"],
  [
    'Error: row 0198c1de-5b02-7cc5-a1f5-3c2f7e0f3a11 is gone',
    'Error: row 0198c1de-5b02-7cc5-a1f5-3c2f7e0f3a12 is gone',
  ],
  ['Error: key V1StGXR8_Z5jdHi6B-myT is gone', 'Error: key Uakgb_J5m9g-0JDMbcJqL is gone'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED 10.0.0.1:5433'],
  ['Error: took 1.5 s', 'Error: took 12 s'],
  [`Error: ${'x '.repeat(250)}1`, `Error: ${'x '.repeat(250)}two`],
])('%j is of the same kind as %j', (one, other) => {
  expect(messageKind(one)).toBe(messageKind(other));
});

it.each([
  ['Error: no item 17', 'TypeError: no item 17'],
  ['Error: no item', 'Error: no user'],
  ['InternalConfigurationError: a', 'UnexpectedConfigurationError: a'],
])('%j is not of the same kind as %j', (one, other) => {
  expect(messageKind(one)).not.toBe(messageKind(other));
});

it('takes messages that are made to be slow in little time', () => {
  for (const part of ['"', "'a", '1.', 'a-', '""']) messageKind(part.repeat(1_000_000));
});

it('has the errors of jobs, which lead to them', () => {
  const groups = new ErrorGroups(root);
  const job = { isJob: true as const, method: 'JOB', target: 'job=tidy', origin: '' };
  groups.note([stored(1, { ...job, error: errorAt('Error: untidy', 2) })], summary);
  expect(groups.list).toMatchObject([
    {
      title: 'Error: untidy',
      count: 1,
      requests: [{ id: 1, method: 'JOB', target: 'job=tidy', isJob: true, hasFailed: true }],
    },
  ]);
});

it('counts equal errors with their first and last time and their last requests, without secrets', () => {
  const groups = new ErrorGroups(root);
  const requests = Array.from({ length: 12 }, (_, index) =>
    stored(index + 1, { error: errorAt(`Error: no item ${index + 1}`, 2) }),
  );
  const [changed, ...others] = groups.note(requests, summary);
  expect(others).toEqual([]);
  expect(changed).toMatchObject({
    id: 1,
    title: 'Error: no item 12',
    place: { file: 'app.ts', line: 2 },
    count: 12,
    first: 1000,
    last: 12_000,
    error: { title: 'Error: no item 12', code: { lines: ['one', 'two', 'three'] } },
  });
  expect(changed?.requests.map(({ id }) => id)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(changed?.requests[0]?.target).toBe('/items/12?token=••••••');
  const secret = { places: [], values: ['k3y-0123456789abcdef'] };
  groups.note(
    [stored(13, { error: errorAt('Error: no k3y-0123456789abcdef', 3), secrets: secret })],
    summary,
  );
  expect(groups.list.map(({ title, place }) => [title, place?.line])).toEqual([
    ['Error: no ••••••', 3],
    ['Error: no item 12', 2],
  ]);
  expect(JSON.stringify(groups.list)).not.toContain('k3y');
  groups.clear();
  expect(groups.list).toEqual([]);
});

it('has the last error and the time of the first, though one that began before is told later', () => {
  const groups = new ErrorGroups(root);
  groups.note([stored(5, { error: errorAt('Error: no item 5', 2) })], summary);
  groups.note([stored(3, { error: errorAt('Error: no item 3', 2) })], summary);
  expect(groups.list).toMatchObject([{ title: 'Error: no item 5', first: 3000, last: 5000, count: 2 }]);
});

it('counts a request once it has ended, and no error that its procedures declare', () => {
  const groups = new ErrorGroups(root);
  const error = errorAt('Error: broken', 1);
  const calls = (...outcomes: string[]) => outcomes.map((outcome) => ({ procedure: 'buy', outcome }));
  expect(groups.note([stored(1, { error, state: 'pending' })], summary)).toEqual([]);
  expect(groups.note([stored(1), stored(2, { error, calls: calls('ok', 'outOfStock') })], summary)).toEqual(
    [],
  );
  expect(
    groups.note([stored(1, { error }), stored(3, { error, calls: calls('outOfStock', '-32603') })], summary),
  ).toMatchObject([{ count: 2 }]);
});

it('counts the error of each call of a batch, with the request once', () => {
  const groups = new ErrorGroups(root);
  const failed = (procedure: string, outcome: string, title: string, line: number) => ({
    procedure,
    outcome,
    error: errorAt(title, line),
  });
  const callErrors = [
    failed('first', '-32603', 'TypeError: no title', 1),
    failed('buy', 'outOfStock', 'outOfStock: none left', 2),
    failed('first', '-32603', 'TypeError: no title', 1),
    failed('other', '-32603', 'RangeError: other', 3),
  ];
  const calls = callErrors.map(({ procedure, outcome }) => ({ procedure, outcome }));
  groups.note([stored(1, { error: errorAt('RangeError: other', 3), calls, callErrors })], summary);
  expect(
    groups.list.map(({ title, count, requests }) => [title, count, requests.map(({ id }) => id)]),
  ).toEqual([
    ['TypeError: no title', 2, [1]],
    ['RangeError: other', 1, [1]],
  ]);
});

it('has the error of a callback of a WebSocket', () => {
  const groups = new ErrorGroups(root);
  const messages = new KeptMessages();
  messages.add({ seq: 1, messages: [], leftOut: 0, error: errorAt('RangeError: no room', 2) });
  messages.add({ seq: 1, messages: [], leftOut: 0, end: { code: 1011, reason: '' } });
  const socket = stored(1, { isWebSocket: true, status: 101 });
  expect(groups.note([{ ...socket, messages }], summary)).toHaveLength(1);
  // Again, when more messages are told.
  expect(groups.note([{ ...socket, messages }], summary)).toEqual([]);
  expect(groups.list).toMatchObject([
    { title: 'RangeError: no room', count: 1, requests: [{ id: 1, hasFailed: true }] },
  ]);
});

it('counts an error that ends a process once, whether a request had it or not', () => {
  const groups = new ErrorGroups(root);
  const error = errorAt('Error: crashed', 1);
  groups.note([stored(1, { error, state: 'aborted', isFatal: true })], summary);
  expect(groups.ended(shownError(error, root), 2000)).toMatchObject({ count: 1, ended: 1 });
  const before = { id: 9, began: 2900, method: 'GET', target: '/cart' };
  const again = groups.ended(shownError(error, root), 3000, before);
  expect(again).toMatchObject({ id: 1, count: 2, ended: 2, last: 3000, before });
  expect(again.requests).toHaveLength(1);
  expect(groups.ended(shownError(errorAt('Error: other', 1), root), 4000)).toMatchObject({
    id: 2,
    requests: [],
  });
});

it('keeps the groups that have happened last', () => {
  const groups = new ErrorGroups(root);
  const letter = (index: number) => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
  const error = (index: number) => errorAt(`Error: ${letter(index)}`, 1);
  groups.note(
    Array.from({ length: 100 }, (_, index) => stored(index, { error: error(index) })),
    summary,
  );
  groups.note([stored(200, { error: error(0) }), stored(201, { error: error(100) })], summary);
  const titles = groups.list.map(({ title }) => title);
  expect([titles.length, titles[0], titles[1], titles.at(-1)]).toEqual([
    100,
    `Error: ${letter(100)}`,
    `Error: ${letter(0)}`,
    `Error: ${letter(2)}`,
  ]);
});
