// Drizzle: opens a file of SQLite for a server.
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@libsql/client';
import type { ResolvedOptions } from '../database-options.js';

type Libsql = typeof import('@libsql/client');

/** How often the change of the journal's mode is tried: it fails at once while another process has the lock. */
const TRIES = 100;
const RETRY_MS = 50;

export async function openLibsql(
  { createClient }: Libsql,
  path: string,
  { maxConnections, acquireTimeoutMs }: ResolvedOptions,
): Promise<Client> {
  const url = path === ':memory:' ? path : `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
  const client = createClient({ url, timeout: acquireTimeoutMs, concurrency: maxConnections });
  for (let tries = 1; ; tries++) {
    try {
      // Readers and a writer do not wait for each other. The mode stays in the file. Foreign keys are on by default.
      await client.execute('PRAGMA journal_mode = WAL');
      return client;
    } catch (error) {
      if (tries === TRIES || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      await wait(RETRY_MS);
    }
  }
}
