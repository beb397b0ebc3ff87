// A process that migrates and is killed in the middle: `killed-migration-process.ts toolkit url folder`. It says where it is
// before each statement, and goes on when it hears so.
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
import { drizzleFromUrl, migrations as drizzleMigrations } from '../sql/drizzle/index.js';
import { kyselyFromUrl, migrations } from '../sql/kysely/index.js';

const [toolkit, url = '', folder = ''] = process.argv.slice(2);

async function pause(): Promise<void> {
  process.send?.('here');
  await once(process, 'message');
}

/** Ten moments: before the first statement, between two, and after the last one of each. */
const steps = Object.fromEntries(
  ['20260101090000_one', '20260201090000_two'].map((name, index) => [
    name,
    {
      async up(db: Kysely<unknown>) {
        await pause();
        await sql.raw(`create table killed_${index} (step integer)`).execute(db);
        for (let step = 0; step < 3; step++) {
          await pause();
          await sql.raw(`insert into killed_${index} values (${step})`).execute(db);
        }
        await pause();
      },
    },
  ]),
);

if (toolkit === 'kysely') {
  const db = await kyselyFromUrl(url);
  await migrations(db, steps).up();
  await db.destroy();
} else {
  process.send?.('here');
  const db = await drizzleFromUrl(url, { schema: {} });
  await drizzleMigrations(db, folder).up();
}
process.disconnect();
