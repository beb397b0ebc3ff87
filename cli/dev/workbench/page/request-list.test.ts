import { expect, it } from 'vitest';
import type { RequestSummary } from '../protocol.js';
import { counted, merged, shown } from './store.js';

const one = (id: number, more: Partial<RequestSummary> = {}): RequestSummary => ({
  id,
  began: id,
  method: 'GET',
  target: `/users/${id}`,
  ...more,
});

it('keeps the last 1,000 with their latest states', () => {
  const first = merged(
    [],
    Array.from({ length: 1000 }, (_, id) => one(id + 1)),
  );
  const next = merged(first, [one(1001), one(5, { status: 200 })]);
  expect(next).toHaveLength(1000);
  expect(next[0]?.id).toBe(2);
  expect(next.find(({ id }) => id === 5)?.status).toBe(200);
  expect(next.at(-1)?.id).toBe(1001);
});

it('shows the newest first, as filter and search say', () => {
  const known = [
    one(1, { status: 200, durationMs: 200 }),
    one(2, { status: 404, requestId: 'abc' }),
    one(3, { method: 'POST', label: 'users.list' }),
    one(4, { label: 'WebSocket', aborted: true }),
  ];
  const ids = (filter: Parameters<typeof shown>[1], search = '') =>
    shown(known, filter, search).map(({ id }) => id);
  expect(ids('all')).toEqual([4, 3, 2, 1]);
  expect(ids('failed')).toEqual([4, 2]);
  expect(ids('slow')).toEqual([1]);
  expect(ids('rpc')).toEqual([3]);
  expect(ids('ws')).toEqual([4]);
  expect(ids('all', 'post USERS.li')).toEqual([3]);
  expect(ids('all', 'abc')).toEqual([2]);
  expect(ids('failed', 'zzz')).toEqual([]);
});

it('counts a call of RPC that was answered with an error as failed', () => {
  const known = [
    one(1, { status: 200, calls: [{ procedure: 'getUser', outcome: 'ok' }] }),
    one(2, { status: 200, calls: [{ procedure: 'buy', outcome: 'outOfStock' }] }),
    one(3, {
      status: 200,
      durationMs: 200,
      calls: [
        { procedure: 'getUser', outcome: 'ok' },
        { procedure: 'crash', outcome: '-32603' },
      ],
    }),
    one(4, { status: 200 }),
  ];
  expect(shown(known, 'failed', '').map(({ id }) => id)).toEqual([3, 2]);
  expect(shown(known, 'all', 'outofstock').map(({ id }) => id)).toEqual([2]);
  expect(shown(known, 'rpc', 'getuser').map(({ id }) => id)).toEqual([3, 1]);
  expect(counted(known)).toEqual({ all: 4, failed: 2, slow: 1, rpc: 3, ws: 0, jobs: 0, frontend: 0 });
});

it('shows requests of the frontend under its filter alone, and forgets them first', () => {
  const known = [one(1, { status: 200 }), one(2, { status: 404, durationMs: 300, isOfFrontend: true })];
  const ids = (filter: Parameters<typeof shown>[1]) => shown(known, filter, '').map(({ id }) => id);
  expect([ids('all'), ids('failed'), ids('slow'), ids('frontend')]).toEqual([[1], [], [], [2]]);
  expect(counted(known)).toEqual({ all: 1, failed: 0, slow: 0, rpc: 0, ws: 0, jobs: 0, frontend: 1 });
  const many = Array.from({ length: 999 }, (_, index) => one(index + 3));
  const kept = merged(known, many).map(({ id }) => id);
  expect([kept.length, kept[0], kept[1]]).toEqual([1000, 1, 3]);
});

it('shows jobs among all, under a filter of their own, and where they failed or took long', () => {
  const job = { method: 'JOB', target: 'job=tidy', isJob: true as const };
  const known = [
    one(1, { status: 200 }),
    one(2, { ...job, durationMs: 1 }),
    one(3, { ...job, durationMs: 300 }),
    one(4, { ...job, durationMs: 2, hasFailed: true }),
  ];
  const ids = (filter: Parameters<typeof shown>[1], search = '') =>
    shown(known, filter, search).map(({ id }) => id);
  expect([ids('all'), ids('jobs'), ids('failed'), ids('slow')]).toEqual([[4, 3, 2, 1], [4, 3, 2], [4], [3]]);
  expect([ids('all', 'TIDY'), ids('all', 'job')]).toEqual([
    [4, 3, 2],
    [4, 3, 2],
  ]);
  expect(counted(known)).toEqual({ all: 4, failed: 1, slow: 1, rpc: 0, ws: 0, jobs: 3, frontend: 0 });
});

it('finds likely N+1, and what the app says of a failed call', () => {
  const known = [
    one(1, { equalReads: 30 }),
    one(2, { calls: [{ procedure: 'buy', outcome: '-32010', message: 'sold out' }] }),
  ];
  expect(shown(known, 'all', 'N+1').map(({ id }) => id)).toEqual([1]);
  expect(shown(known, 'all', 'sold').map(({ id }) => id)).toEqual([2]);
});
