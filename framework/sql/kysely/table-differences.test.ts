// Types of tables are compared with the tables of each database: what differs has its table and column.
import { CamelCasePlugin, type Generated, type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../conformance/databases.js';
import {
  createRateLimitTable,
  createSessionTable,
  createTokenTable,
  kyselyFromUrl,
  migrations,
  type TableColumns,
  tableDifferences,
} from './index.js';

interface Tables {
  users: { id: Generated<number>; passwordHash: string; seenAt: string | null };
}

const columns: TableColumns<Tables> = {
  users: { id: 'number', passwordHash: 'string', seenAt: 'string?' },
};
// @ts-expect-error a column is missing
const _missing: TableColumns<Tables> = { users: { id: 'number', passwordHash: 'string' } };
// @ts-expect-error a column may not be null
const _wrong: TableColumns<Tables> = { users: { id: 'number', passwordHash: 'string?', seenAt: 'string?' } };

const sessionColumns = {
  key: 'string',
  userId: 'string?',
  scopes: 'string',
  label: 'string?',
  data: 'string',
  createdAtMs: 'number',
  usedAtMs: 'number',
  expiresAtMs: 'number',
} as const;

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await kind.create();
    });
    afterEach(() => database.drop());

    const differencesOf = async (statement: string): Promise<readonly string[]> => {
      const db = await kyselyFromUrl<Tables>(database.url, { plugins: [new CamelCasePlugin()] });
      await migrations(db, { a: { up: async (on) => void (await sql.raw(statement).execute(on)) } }).up();
      const differences = await tableDifferences(db, columns);
      await db.destroy();
      return differences;
    };

    it('finds nothing where they agree', async () => {
      const text =
        'create table users (id integer not null primary key, password_hash varchar(100) not null, seen_at text)';
      expect(await differencesOf(text)).toEqual([]);
    });

    it('names tables, columns, their types and whether they may be null', async () => {
      const text =
        'create table users (id varchar(10) not null primary key, password_hash varchar(100), seen_at text not null, age integer)';
      expect(await differencesOf(text)).toEqual([
        expect.stringMatching(
          /^users\.id: the types say number, and the column is (?:varchar|character varying)/,
        ),
        'users.passwordHash: the column may be null, and the types say it is not',
        'users.seenAt: the types say null, and the column is never null',
        'users: the types have no column age',
      ]);
    });

    it('lets the types leave out the tables of stores, whatever they are called, and no other one', async () => {
      const db = await kyselyFromUrl<Tables>(database.url, { plugins: [new CamelCasePlugin()] });
      await createSessionTable(db);
      await createRateLimitTable(db, { table: 'app_limits' });
      await createTokenTable(db);
      const extended = await kyselyFromUrl<Tables>(database.url);
      await createRateLimitTable(extended, { table: 'limits2' });
      await extended.schema.alterTable('limits2').addColumn('note', 'text').execute();
      await extended.destroy();
      const differences = await tableDifferences(db, {});
      const sessions = { ...sessionColumns, data: 'number' } as const;
      const compared = await tableDifferences(
        db as unknown as Kysely<{ sessions: Record<keyof typeof sessions, string> }>,
        { sessions } as never,
      );
      await db.destroy();
      expect(differences).toEqual(['the types have no table limits2']);
      // Where the types have them, they are compared.
      expect(compared).toEqual([
        expect.stringMatching(/^sessions\.data: the types say number, and the column is /),
        'the types have no table limits2',
      ]);
    });

    it('names what is missing on either side', async () => {
      expect(await differencesOf('create table people (id integer)')).toEqual([
        'users: the database has no table users',
        'the types have no table people',
      ]);
    });
  });
}
