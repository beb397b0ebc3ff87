// Tables of migrations that another process makes at the same moment.
import { expect, it } from 'vitest';
import { makeTable, rowsOf } from './notes.js';
import type { RunSql } from './target.js';

/** A database that has the table from some moment on, and fails the statements about it as often as is said. */
function played({ isThere, failures }: { isThere: boolean; failures: number }) {
  let left = failures;
  const sql: RunSql = async (text) => {
    if (text.includes('sqlite_master')) return isThere ? [{ found: 1 }] : [];
    if (left > 0) throw new Error(`failure ${failures - --left}`);
    return [{ name: 'a' }];
  };
  return sql;
}

const rows = (sql: RunSql) => rowsOf('sqlite', sql, 'notes', 'select name from notes');

it('are read again if they are there after all', async () => {
  expect(await rows(played({ isThere: true, failures: 1 }))).toEqual([{ name: 'a' }]);
  expect(await rows(played({ isThere: false, failures: 1 }))).toEqual([]);
});

it('fail with the first reason if they cannot be read at all', async () => {
  await expect(rows(played({ isThere: true, failures: 2 }))).rejects.toThrow('failure 1');
});

it('need not be made by this process', async () => {
  let isThere = false;
  const sql: RunSql = async (text) => {
    if (text.includes('sqlite_master')) return isThere ? [{ found: 1 }] : [];
    isThere = true;
    throw new Error('it exists already');
  };
  await makeTable('sqlite', sql, 'notes', 'create table notes (name text)');
  const failing = played({ isThere: false, failures: 1 });
  await expect(makeTable('sqlite', failing, 'notes', 'create table notes (name text)')).rejects.toThrow(
    'the table notes cannot be made: failure 1',
  );
});
