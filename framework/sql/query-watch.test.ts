// Slow queries, as a driver that is synchronous runs them too, and as they fail.
import diagnostics from 'node:diagnostics_channel';
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

it('keeps its limit when it is configured again without one', () => {
  const slow: unknown[] = [];
  onTestFinished(subscribe(({ message }) => void slow.push(message)));
  const watch = new QueryWatch();
  watch.configure({ slowQueryMs: 0 });
  watch.configure({});
  watch.run({ sql: 'select 1', parameters: [] }, () => 1);
  expect(slow).toEqual(['slow query']);
});

it('is a step of fw dev with its parameters, and a trace without them', async () => {
  const [steps, traces]: [unknown[], unknown[]] = [[], []];
  const hear = (message: unknown) => void steps.push(message);
  const trace = (message: unknown) => void traces.push((message as { sql: string }).sql);
  diagnostics.subscribe('fw:trace', hear);
  diagnostics.subscribe('tracing:fw:query:start', trace);
  const sql = `select '${'x'.repeat(LONGEST_SQL)}'`;
  const watch = new QueryWatch();
  expect(await watch.run({ sql, parameters: [7] }, async () => 'row')).toBe('row');
  diagnostics.unsubscribe('fw:trace', hear);
  diagnostics.unsubscribe('tracing:fw:query:start', trace);
  expect(watch.run({ sql, parameters: [7] }, () => 'row')).toBe('row');
  const start = { type: 'start', kind: 'database', name: sql.slice(0, LONGEST_SQL), parameters: [7] };
  expect(steps).toEqual([start, { type: 'end', of: start }]);
  expect(traces).toEqual([sql]);
});

it('makes its own error of what a driver throws, and passes results and other errors on', async () => {
  const watch = new QueryWatch();
  const cause = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  const thrown = () => {
    throw cause;
  };
  const sql = 'select 1';
  const away = expect.objectContaining({ status: 503, cause });
  expect(() => watch.run({ sql, parameters: [] }, thrown)).toThrow(away);
  await expect(watch.run({ sql, parameters: [] }, () => Promise.reject(cause))).rejects.toThrow(away);
  expect(() => watch.convert(thrown)).toThrow(away);
  await expect(watch.convert(() => Promise.reject(cause))).rejects.toThrow(away);
  expect(watch.convert(() => 1)).toBe(1);
  expect(await watch.convert(async () => 2)).toBe(2);
});
