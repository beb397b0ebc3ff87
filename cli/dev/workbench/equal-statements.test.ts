import { describe, expect, it } from 'vitest';
import { equalStatements, isLikelyLoop, likelyLoop } from './equal-statements.js';
import type { TraceStep } from './protocol.js';

const statement = (name: string, start: number, more: Partial<TraceStep> = {}): TraceStep => ({
  kind: 'database',
  name,
  start,
  end: start + 2,
  depth: 1,
  ...more,
});
const place = { file: 'src/app.ts', line: 3, column: 1 };

describe('equal statements', () => {
  it('are counted in the order of their first runs, with their times and the place that ran them', () => {
    const groups = equalStatements([
      { ...statement('list', 0), kind: 'handler' },
      statement('select 1', 1),
      statement('select 2', 4, { end: 9 }),
      statement('select 1', 10, { end: 15, place }),
    ]);
    expect(
      groups.map(({ sql, steps, totalMs, slowestMs }) => [sql, steps.length, totalMs, slowestMs]),
    ).toEqual([
      ['select 1', 2, 7, 5],
      ['select 2', 1, 5, 5],
    ]);
    expect(groups[0]?.place).toEqual(place);
  });

  it('are likely those of a loop if a request reads five times or more', () => {
    const loops = (sql: string, count: number) =>
      equalStatements(Array.from({ length: count }, (_, index) => statement(sql, index))).filter(
        isLikelyLoop,
      );
    expect(loops('select * from t where id = ?', 5)).toHaveLength(1);
    expect(loops('with a as (select 1) select * from a', 25)).toHaveLength(1);
    expect(loops('select * from t where id = ?', 4)).toEqual([]);
    expect(loops('insert into t values (?)', 25)).toEqual([]);
  });

  it('are counted for the list of requests where they are likely those of a loop', () => {
    const runs = (sql: string, count: number) =>
      Array.from({ length: count }, (_, index) => statement(sql, index));
    expect(likelyLoop([...runs('select 1', 4), ...runs('insert into t values (?)', 9)])).toBeUndefined();
    expect(likelyLoop([...runs('select 1', 5), ...runs('select 2', 30), ...runs('delete from t', 40)])).toBe(
      30,
    );
    expect(likelyLoop(runs('select 1', 5).map((one) => ({ ...one, kind: 'span' })))).toBeUndefined();
  });
});
