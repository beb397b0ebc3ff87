// Migrations of both toolkits behind one small interface, so that every journey is tried with each of them: what an app has
// on one branch, in SQL.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as kyselySql } from 'kysely';
import { drizzleFromUrl, migrations as drizzleMigrations } from '../sql/drizzle/index.js';
import { closeClient } from '../sql/handles.js';
import { kyselyFromUrl, migrations as kyselyMigrations } from '../sql/kysely/index.js';
import type { Migrations, MigrationsOptions } from '../sql/migrations/migrations.js';

/** The statements of the migrations of a branch by their names, which begin with their times. */
export type Branch = Readonly<
  Record<string, { readonly up: readonly string[]; readonly down?: readonly string[] }>
>;

export interface MigrationBook {
  /** The migrations of an app that has these. */
  with(branch: Branch, options?: MigrationsOptions): Migrations;
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface BookMaker {
  readonly name: 'kysely' | 'drizzle';
  open(url: string): Promise<MigrationBook>;
}

const withKysely: BookMaker = {
  name: 'kysely',
  async open(url) {
    const db = await kyselyFromUrl<Record<string, never>>(url);
    return {
      with(branch, options) {
        const entries = Object.entries(branch).map(([name, { up, down }]) => [
          name,
          { up: runs(up), ...(down !== undefined && { down: runs(down) }) },
        ]);
        return kyselyMigrations(db, Object.fromEntries(entries), options);
      },
      run: async (text) => (await kyselySql.raw<Record<string, unknown>>(text).execute(db)).rows,
      close: () => db.destroy(),
    };
  },
};

/** A function whose text has the statements, as in the file of a migration. */
function runs(statements: readonly string[]): (db: unknown) => Promise<void> {
  const texts = statements.map((text) => `await sql.raw(${JSON.stringify(text)}).execute(db);`);
  const make = new Function('sql', `return async function (db) { ${texts.join(' ')} }`);
  return make(kyselySql) as (db: unknown) => Promise<void>;
}

const withDrizzle: BookMaker = {
  name: 'drizzle',
  async open(url) {
    const db = (await drizzleFromUrl(url, { schema: {} })) as unknown as { $client: object };
    const folders: string[] = [];
    return {
      with(branch, options) {
        const folder = mkdtempSync(join(tmpdir(), 'fw-drizzle-'));
        folders.push(folder);
        writeFolder(folder, branch);
        return drizzleMigrations(db, folder, options);
      },
      async run(text) {
        const { migrationClient } = await import('../sql/drizzle/migration-client.js');
        return migrationClient(db.$client).sql(text);
      },
      async close() {
        await closeClient(db.$client);
        for (const folder of folders) rmSync(folder, { recursive: true });
      },
    };
  },
};

/** As drizzle-kit writes it. */
export function writeFolder(folder: string, branch: Branch): void {
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const names = Object.keys(branch);
  const entries = names.map((tag, idx) => ({ idx, when: Number.parseInt(tag, 10), tag, breakpoints: true }));
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', entries }));
  for (const [name, { up, down }] of Object.entries(branch)) {
    writeFileSync(join(folder, `${name}.sql`), up.join('\n--> statement-breakpoint\n'));
    if (down !== undefined) {
      writeFileSync(join(folder, `${name}.down.sql`), down.join('\n--> statement-breakpoint\n'));
    }
  }
}

export const bookMakers: readonly BookMaker[] = [withKysely, withDrizzle];
