// Slow queries, as a driver that is synchronous runs them too, and as they fail.
import { expect, it, onTestFinished, vi } from 'vitest';
import { subscribe } from '../tracing/subscribe.js';
import { LONGEST_SQL } from './database-errors.js';
import { QueryWatch } from './query-watch.js';

it.each<[string, () => unknown]>([
  ['succeeds at once', () => 1],
  ['succeeds later', async () => 1],
  [
    'fails at once',
    () => {
      throw new Error('no');
    },
  ],
  ['fails later', () => Promise.reject(new Error('no'))],
])('tells of a slow query that %s, with the beginning of its text', async (_, work) => {
  const slow: unknown[] = [];
  onTestFinished(subscribe(({ message, fields }) => void slow.push([message, fields])));
  const watch = new QueryWatch();
  watch.configure({ slowQueryMs: 0 });
  const sql = `select '${'x'.repeat(LONGEST_SQL)}'`;
  const run = async () => watch.run({ sql, parameters: [] }, work);
  await run().catch((error: unknown) => expect(error).toMatchObject({ variant: 'DatabaseError' }));
  expect(slow).toEqual([['slow query', { sql: sql.slice(0, LONGEST_SQL), durationMs: expect.any(Number) }]]);
});

it('tells of none below the limit, and of none without one', async () => {
  const slow: unknown[] = [];
  onTestFinished(subscribe(({ message }) => void slow.push(message)));
  const watch = new QueryWatch();
  expect(watch.run({ sql: 'select 1', parameters: [] }, () => 1)).toBe(1);
  watch.configure({ slowQueryMs: 60_000 });
  watch.configure({});
  expect(await watch.run({ sql: 'select 1', parameters: [] }, async () => 2)).toBe(2);
  expect(slow).toEqual([]);
});

it('tells of one that takes just as long as the limit, and of none that takes less', () => {
  const slow: unknown[] = [];
  onTestFinished(subscribe(({ fields }) => void slow.push(fields.durationMs)));
  const watch = new QueryWatch();
  watch.configure({ slowQueryMs: 50 });
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  for (const duration of [49.5, 50, 50.5]) {
    watch.run({ sql: 'select 1', parameters: [] }, () => {
      now += duration;
    });
  }
  expect(slow).toEqual([50, 50.5]);
});
