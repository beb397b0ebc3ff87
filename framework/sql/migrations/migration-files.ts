// Migrations of Kysely as files: a new one with the time in its name, and the index that imports all of them, because a bundle
// has no folder to read at run time.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './usage-error.js';

/** `20260105090000_users.ts`: the time in UTC, then words. */
const NAME = /^(\d{14}_[a-z0-9_]{1,100})\.ts$/;

/** Characters that a name may have, as an identifier. */
const WORDS = /^[a-z0-9_]{1,60}$/;

const NEW = `import type { Kysely } from 'kysely';

// The tables change later, so this handle has no types.
export async function up(db: Kysely<unknown>): Promise<void> {
  // await db.schema.createTable('notes').addColumn('text', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  // await db.schema.dropTable('notes').execute();
}
`;

/**
 * Writes the file of a new migration, and its line in the index.
 *
 * @returns the path of the file
 * @throws Error if the name has other characters than letters, digits, `-` and `_`
 */
export function makeMigration(folder: string, words: string, now: Date = new Date()): string {
  const name = words.toLowerCase().replaceAll('-', '_');
  if (!WORDS.test(name)) {
    throw new UsageError(
      words === ''
        ? 'new needs a name, such as add-projects'
        : 'the name of a migration has letters, digits, - and _ only, such as add-projects',
    );
  }
  mkdirSync(folder, { recursive: true });
  const taken = namesIn(folder).at(-1) ?? '';
  const file = join(folder, `${timestampAfter(taken, now)}_${name}.ts`);
  writeFileSync(file, NEW, { flag: 'wx' });
  writeIndex(folder);
  return file;
}

/** Later than that of the last one, also if its writer's clock was ahead by a little. */
function timestampAfter(last: string, now: Date): string {
  const own = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const before = last.slice(0, 14);
  return own > before ? own : String(BigInt(before) + 1n);
}

/** Writes the index. @returns its path */
export function writeIndex(folder: string): string {
  const file = join(folder, 'index.ts');
  writeFileSync(file, indexOf(namesIn(folder)));
  return file;
}

function indexOf(names: readonly string[]): string {
  const imports = names.map((name) => `import * as m${name} from './${name}.ts';`);
  const entries = names.map((name) => `  '${name}': m${name},`);
  return `// All migrations. \`npm run migrate new <name>\` adds one, and \`npm run migrate index\` writes this again after a merge.
${imports.join('\n')}

export const migrations = {
${entries.join('\n')}
};
`;
}

/** What is wrong with the index of a folder that is there; in a bundle, there is none. */
export function indexFaults(folder: string): string[] {
  const file = join(folder, 'index.ts');
  if (!existsSync(file)) return [];
  const index = readFileSync(file, 'utf8');
  return namesIn(folder)
    .filter((name) => !index.includes(`./${name}.ts'`))
    .map((name) => `${join(folder, `${name}.ts`)} is not in index.ts; run the command with index`);
}

function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .sort();
}
