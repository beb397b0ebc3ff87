// What the page asks `fw dev` for while somebody searches.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RequestSummary, SearchOrder } from '../protocol.js';
import { found, isSearching, search, searchAlong, searchProblem } from './deep-search.js';
import { requests } from './store.js';

const one = (id: number, more: Partial<RequestSummary> = {}): RequestSummary => ({
  id,
  began: id,
  method: 'GET',
  target: '/',
  ...more,
});

let asked: { order: SearchOrder; signal: AbortSignal; answer(ids: number[]): void; refuse(): void }[];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('fetch', (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    return new Promise((resolve) => {
      const respond = (value: unknown, status: number): void => resolve(Response.json(value, { status }));
      asked.push({
        order: JSON.parse(body),
        signal,
        answer: (ids) =>
          respond(
            ids.map((id) => ({ id, places: [], more: 0 })),
            200,
          ),
        refuse: () => respond({ message: 'too many searches are running' }, 503),
      });
    });
  });
  requests.value = [one(1), one(2)];
  end = searchAlong();
});
afterEach(() => {
  search.value = '';
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pause = () => vi.advanceTimersByTimeAsync(150);
const orders = () => asked.map(({ order }) => order);

it('asks when somebody has stopped typing, and then for new requests and new states alone', async () => {
  search.value = 'm';
  await pause();
  search.value = 'mi';
  await vi.advanceTimersByTimeAsync(100);
  search.value = ' Milk';
  expect(isSearching.value).toBe(true);
  await pause();
  expect(orders()).toEqual([{ text: 'milk', ids: [1, 2] }]);
  asked[0]?.answer([2]);
  await pause();
  expect([[...found.value.keys()], isSearching.value]).toEqual([[2], false]);

  requests.value = [one(1), requests.value[1] as RequestSummary, one(3)];
  await pause();
  expect(orders()[1]).toEqual({ text: 'milk', ids: [1, 3] });
  // What comes meanwhile is asked for afterwards.
  requests.value = [...requests.value, one(4)];
  await pause();
  expect(asked).toHaveLength(2);
  asked[1]?.answer([3]);
  await pause();
  await pause();
  expect(orders()[2]).toEqual({ text: 'milk', ids: [4] });
  asked[2]?.answer([]);
  await pause();
  expect([...found.value.keys()]).toEqual([2, 3]);
  requests.value = [];
  requests.value = [one(5)];
  await pause();
  asked[3]?.answer([5]);
  await pause();
  expect([...found.value.keys()]).toEqual([5]);
});

it('gives up a search when the text changes, and says why one has failed', async () => {
  search.value = 'milk';
  await pause();
  search.value = 'milky';
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[0]?.answer([1]);
  await pause();
  expect(found.value.size).toBe(0);
  asked[1]?.refuse();
  await pause();
  expect([searchProblem.value, isSearching.value]).toEqual(['too many searches are running', false]);
  await pause();
  expect(asked).toHaveLength(2);
  search.value = '';
  expect([found.value.size, searchProblem.value]).toEqual([0, '']);
});
