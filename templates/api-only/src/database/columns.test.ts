// The types of the tables, which are in database.ts, agree with what the migrations make.
import { type TableColumns, tableDifferences } from 'fw/kysely';
import { expect, test } from 'vitest';
import { testApp } from '../test-app.ts';
import type { Database } from './database.ts';

// The compiler compares these with the types, and the test with the database.
const columns: TableColumns<Database> = {
  users: { id: 'string', email: 'string', passwordHash: 'string', createdAt: 'string' },
  passwordResets: { digest: 'string', userId: 'string', expiresAtMs: 'number' },
  refreshTokens: {
    digest: 'string',
    signInId: 'string',
    userId: 'string',
    client: 'string',
    createdAtMs: 'number',
    usedAtMs: 'number?',
    expiresAtMs: 'number',
  },
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
  apiKeys: {
    id: 'string',
    ownerId: 'string',
    label: 'string',
    keyHash: 'string',
    scopes: 'string',
    createdAt: 'string',
  },
};

test('the types of the tables agree with the database', async () => {
  await using app = await testApp();
  expect(await tableDifferences(app.db, columns)).toEqual([]);
});
