// The bounds of what is kept.
import { expect, it } from 'vitest';
import type { RawRecord } from '../../process/records.js';
import { RecordStore } from './record-store.js';

const record = (seq: number, more: Partial<RawRecord> = {}): RawRecord => ({
  seq,
  began: 0,
  state: 'answered',
  method: 'GET',
  target: '/',
  origin: 'http://localhost',
  isWebSocket: false,
  requestHeaders: [],
  responseHeaders: [],
  steps: [],
  log: [],
  ...more,
});
const ids = (store: RecordStore) => [...store.all].map(({ id }) => id);

it('keeps the last 1,000 requests, and no more bytes than its limit', () => {
  const store = new RecordStore();
  store.take(
    '1',
    Array.from({ length: 1200 }, (_, index) => record(index)),
  );
  expect([ids(store).length, ids(store)[0], store.get(200)]).toEqual([1000, 201, undefined]);
  const small = new RecordStore(10_000);
  const body = { size: 4000, data: 'x'.repeat(4000) };
  small.take(
    '1',
    [1, 2, 3].map((seq) => record(seq, { responseBody: body })),
  );
  expect(ids(small)).toEqual([2, 3]);
});

it('replaces a pending record, and aborts those of a worker that has gone', () => {
  const store = new RecordStore();
  store.take('1', [record(1, { state: 'pending' }), record(2, { state: 'pending' })]);
  expect(store.take('1', [record(1)])).toMatchObject([{ id: 1, raw: { state: 'answered' } }]);
  store.take('2', [record(1, { state: 'pending' })]);
  expect(store.gone('1')).toMatchObject([{ id: 2, raw: { state: 'aborted' } }]);
  expect(store.get(3)?.raw.state).toBe('pending');
});

it('gives an error page the record of its request, however early the page asks', async () => {
  const store = new RecordStore();
  const early = store.whenPage('a', new AbortController().signal);
  store.take('1', [record(1, { page: 'a', state: 'pending' })]);
  store.take('1', [record(1, { page: 'a', status: 500 }), record(2, { page: 'b' })]);
  expect((await early)?.raw.status).toBe(500);
  expect((await store.whenPage('b', new AbortController().signal))?.id).toBe(2);
  const gone = new AbortController();
  const never = store.whenPage('c', gone.signal);
  gone.abort();
  expect(await never).toBeUndefined();
  expect(await store.whenPage('d', gone.signal)).toBeUndefined();
});

it('forgets requests of the frontend before any of the app', () => {
  const store = new RecordStore();
  store.take('1', [
    record(1),
    ...Array.from({ length: 999 }, (_, index) => record(index + 2, { isOfFrontend: true })),
  ]);
  store.take('1', [record(1001), record(1002)]);
  expect(ids(store)).toHaveLength(1000);
  expect([1, 2, 3, 4, 1001, 1002].map((id) => store.get(id) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('finds the last request of the app in the seconds before an error', () => {
  const store = new RecordStore();
  store.take('1', [
    record(1, { began: 1000 }),
    record(2, { began: 7000 }),
    record(3, { began: 7500, isOfFrontend: true }),
    record(4, { began: 9000 }),
  ]);
  expect([500, 1500, 6500, 8000].map((time) => store.lastBefore(time)?.id)).toEqual([
    undefined,
    1,
    undefined,
    2,
  ]);
});
