// SQL of the framework's own tables: how texts and values are put together, and what a sweep removes.
import { expect, it } from 'vitest';
import { Sql, type SqlDatabase, type Statement, statement, sweep } from './statement.js';

it('keeps values apart from text, also those of statements inside of others', () => {
  const inner = statement`b = ${1} or c = ${null}`;
  expect(
    statement`select ${new Sql('*')} from t where a = ${"'"} and (${inner}) and ${statement`d`}`,
  ).toEqual({
    texts: ['select * from t where a = ', ' and (b = ', ' or c = ', ') and d'],
    values: ["'", 1, null],
  });
});

it('removes what it has found only if its time is still over, by keys in one order', async () => {
  const ran: Statement[] = [];
  let found: readonly { row_key: unknown }[] = [{ row_key: Buffer.from('b') }, { row_key: 'a' }];
  const db: SqlDatabase = {
    engine: 'mysql',
    async run(one) {
      ran.push(one);
      return { rows: ran.length === 1 ? found : [], changed: 0 };
    },
    transaction: () => Promise.reject(new Error('not needed')),
  };
  const names = { table: new Sql('t'), key: new Sql('k'), time: new Sql('at') };
  await sweep(db, names, statement`at <= ${7}`, 2);
  expect(ran).toEqual([
    { texts: ['select k as row_key from t where at <= ', ' order by at limit 2'], values: [7] },
    { texts: ['delete from t where k in (', ', ', ') and at <= ', ''], values: ['a', 'b', 7] },
  ]);
  ran.length = 0;
  found = [];
  await sweep(db, names, statement`at <= ${7}`, 2);
  expect(ran).toHaveLength(1);
});
