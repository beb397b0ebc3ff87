// What a line shows of a statement, and how the whole one is shown.
import { expect, it } from 'vitest';
import { sqlLines, sqlSummary } from './sql-text.js';

it.each([
  [
    'select "id", "title", "done", "created_at" from "task" where "list_id" = $1 order by "id"',
    'select … from "task" where "list_id" = $1 order by "id"',
  ],
  ['select * from "task"', 'select * from "task"'],
  ['SELECT count(*) FROM task', 'SELECT count(*) FROM task'],
  ['select distinct "a"."one", "b"."two", "c"."three" from "a"', 'select distinct … from "a"'],
  ['select 1', 'select 1'],
  [
    'insert into "task" ("id", "title", "list_id", "at") values ($1, $2, $3), ($4, $5, $6) returning "id", "title", "done"',
    'insert into "task" (…) values … returning …',
  ],
  ['insert into t (a) values (?)', 'insert into t(a) values (?)'],
  ['update "task" set "done" = $1 where "id" = $2', 'update "task" set "done" = $1 where "id" = $2'],
  [
    'update "task" set "done" = $1, "title" = $2, "at" = $3 where "id" = $4',
    'update "task" set … where "id" = $4',
  ],
  [
    'delete from "task" where ("id" = $1 and "done" = $2)',
    'delete from "task" where ("id" = $1 and "done" = $2)',
  ],
  [
    'with "a" as (select "id", "title" from "task" where "x" = 1) select * from "a"',
    'with "a" as (…) select * from "a"',
  ],
  ["select 'from here, it''s' as x -- from\nfrom  t\n\twhere a>=1", 'select … from t where a >= 1'],
  ['select "a b', 'select "a b'],
  ['select a from (select', 'select a from (select)'],
  ['begin', 'begin'],
  ['', ''],
])('shows %j as %j in a line', (sql, line) => {
  expect(sqlSummary(sql)).toBe(line);
});

it('begins every clause on a line of its own, and loses nothing', () => {
  const sql =
    'with "a" as (select "id" from "task" where "x" = 1) select "a"."id", left(b.c, 2) from "a" left join "b" on "b"."id" = "a"."id" where "a"."n" between 1 and 2 and ("x" = 1 or "y" = 2) order by "a"."id" limit 3';
  expect(sqlLines(sql)).toBe(`with "a" as (
  select "id"
  from "task"
  where "x" = 1
)
select "a"."id", left(b.c, 2)
from "a"
left join "b" on "b"."id" = "a"."id"
where "a"."n" between 1 and 2
  and ("x" = 1 or "y" = 2)
order by "a"."id"
limit 3`);
  expect(sqlLines('insert into t (a) values (?) on conflict do update set a = 1 returning *')).toBe(
    'insert into t(a)\nvalues (?)\non conflict do update set a = 1\nreturning *',
  );
  const packed = (text: string) => text.replace(/\s/g, '');
  expect(packed(sqlLines(sql))).toBe(packed(sql));
});

it('leaves a statement that its author has broken into lines, and one with a comment', () => {
  for (const sql of ['select 1\n  from t', 'select 1 -- from t', 'select /* from */ 1']) {
    expect(sqlLines(sql)).toBe(sql);
  }
});

it('takes hostile and very long statements in linear time', () => {
  for (const part of [
    "'",
    '"',
    '`',
    '(',
    '/*',
    '-',
    ' ',
    'select ',
    'set ',
    'values ',
    '$',
    'a and ',
    "''",
    '/**',
  ]) {
    const sql = part.repeat(200_000);
    const start = performance.now();
    sqlSummary(sql);
    sqlLines(sql.slice(0, 20_000));
    // In quadratic time, it were minutes.
    expect([part, performance.now() - start < 5000]).toEqual([part, true]);
  }
});
