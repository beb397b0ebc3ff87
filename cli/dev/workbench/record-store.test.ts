// The bounds of what is kept.
import { getEventListeners } from 'node:events';
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
  const times = [500, 999, 1000, 1500, 5999, 6000, 6500, 8000];
  expect(times.map((time) => store.lastBefore(time)?.id)).toEqual([
    ...[undefined, undefined, 1, 1, 1, undefined, undefined, 2],
  ]);
});

it('begins anew after it was cleared, with the number of requests and bytes that it may keep', () => {
  const store = new RecordStore(10_000);
  const body = { size: 4000, data: 'x'.repeat(4000) };
  const all = [1, 2].map((seq) => record(seq, { responseBody: body, isOfFrontend: true }));
  store.take('1', all);
  store.clear();
  expect([ids(store), store.find('1', 1)]).toEqual([[], undefined]);
  store.take(
    '1',
    [3, 4, 5].map((seq) => record(seq, { responseBody: body })),
  );
  expect(ids(store)).toEqual([4, 5]);
});

it('does not know a request that was forgotten, though it comes again', () => {
  const store = new RecordStore(2_500);
  store.take('1', [record(1), record(2), record(3)]);
  expect([ids(store), store.find('1', 1), store.find('1', 2)?.id]).toEqual([[2, 3], undefined, 2]);
  expect(store.takeMessages('1', [{ seq: 1, messages: [], leftOut: 1 }])).toEqual([]);
  expect(store.take('1', [record(1)])).toMatchObject([{ id: 4 }]);
});

it('counts the messages of a WebSocket among its bytes', () => {
  const store = new RecordStore(10_000);
  store.take('1', [record(1), record(2, { isWebSocket: true })]);
  const text = 'x'.repeat(8_500);
  const message = { at: 0, direction: 'sent' as const, size: text.length, text };
  store.takeMessages('1', [{ seq: 2, messages: [message], leftOut: 0 }]);
  expect(ids(store)).toEqual([2]);
});

it('tells of an answer when it is there, and listens to nobody any more', async () => {
  const store = new RecordStore();
  const { signal } = new AbortController();
  const settled: string[] = [];
  const waiting = [
    store.whenAnswered(7, signal).then((one) => settled.push(`order ${one?.raw.status}`)),
    store.whenPage('a', signal).then((one) => settled.push(`page ${one?.raw.status}`)),
  ];
  store.take('1', [record(1, { state: 'pending', order: 7, page: 'a' })]);
  await new Promise((done) => setImmediate(done));
  expect([settled, getEventListeners(signal, 'abort').length]).toEqual([[], 2]);
  store.take('1', [record(1, { order: 7, page: 'a', status: 200 })]);
  await Promise.all(waiting);
  expect(settled.sort()).toEqual(['order 200', 'page 200']);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends what a worker has left open, and nothing of others whose number begins like its own', () => {
  const store = new RecordStore();
  for (const worker of ['1', '12']) {
    store.take(worker, [record(1, { state: 'pending' }), record(2, { isWebSocket: true }), record(3)]);
    store.takeMessages(worker, [{ seq: 2, messages: [], leftOut: 0 }]);
  }
  expect(store.gone('1').map(({ id }) => id)).toEqual([1, 2]);
  expect([1, 2, 4, 5].map((id) => store.get(id)).map((one) => [one?.raw.state, one?.messages?.end])).toEqual([
    ['aborted', undefined],
    ['answered', 'gone'],
    ['pending', undefined],
    ['answered', undefined],
  ]);
  // It is told once.
  expect(store.gone('1')).toEqual([]);
});
