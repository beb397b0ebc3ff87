// The types of the tables, which are in database.ts, agree with what the migrations make.
import { type TableColumns, tableDifferences } from 'fw/kysely';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';
import type { Database } from './database.ts';

// The compiler compares these with the types, and the test with the database.
const columns: TableColumns<Database> = {
  users: { id: 'string', email: 'string', passwordHash: 'string', createdAt: 'string' },
  tasks: {
    id: 'string',
    ownerId: 'string',
    title: 'string',
    notes: 'string',
    status: 'string',
    version: 'number',
    createdAt: 'string',
    updatedAt: 'string',
  },
  localJobs: { id: 'string', name: 'string', envelope: 'string', failures: 'number', runAt: 'number' },
};

test('the types of the tables agree with the database', async () => {
  await using app = await testApp();
  // With PostgreSQL, jobs are in the tables of pg-boss.
  const { localJobs: _, ...shared } = columns;
  const own = process.env.TEST_DATABASE_URL === undefined ? columns : shared;
  expect(await tableDifferences(app.db, own)).toEqual([]);
});
