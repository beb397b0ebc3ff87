// A global setup of the tests, which use databases of PostgreSQL one after the other: drops them when all have run.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The server of framework/conformance/databases.ts. */
const SERVER = 'postgres://postgres@127.0.0.1:5432/postgres';

export default function setup(): (() => Promise<void>) | undefined {
  // The first project of a run names them for all; so does the run that has started this one.
  if (process.env.FW_TEST_DATABASES !== undefined) return undefined;
  const run = `fw_run_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  process.env.FW_TEST_DATABASES = run;
  return () => dropDatabases(run);
}

async function dropDatabases(run: string): Promise<void> {
  const client = new pg.Client(SERVER);
  try {
    await client.connect();
  } catch (error) {
    // Without a server there are none.
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
    throw error;
  }
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [`${run}_`],
    );
    for (const { name } of rows) await client.query(`drop database "${name}" with (force)`);
  } finally {
    await client.end();
  }
}
