// The command of an app about its migrations: its words, what it prints, and what it refuses.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { subscribe, type TracingEvent } from '../../tracing/index.js';
import { kyselyFromUrl, migrationCommand, migrations } from '../kysely/index.js';
import { indexFaults, makeMigration, writeIndex } from './migration-files.js';

let folder: string;
let db: Kysely<unknown>;
let printed: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fw-command-'));
  db = await kyselyFromUrl(`file:${join(folder, 'app.db')}`);
  printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await db.destroy();
  rmSync(folder, { recursive: true });
});

const table = (name: string) => ({
  up: (on: Kysely<unknown>) => on.schema.createTable(name).addColumn('id', 'integer').execute(),
  down: (on: Kysely<unknown>) => on.schema.dropTable(name).execute(),
});
const all = () => migrations(db, { '1_a': table('a'), '2_b': table('b') });
const run = async (line: string, options = {}): Promise<[number, string]> => {
  printed = '';
  return [await migrationCommand(all(), line === '' ? [] : line.split(' '), options), printed];
};

it('runs, lists, reverts and goes to one', async () => {
  expect(await run('status')).toEqual([
    0,
    expect.stringMatching(
      /^pending {6}1_a\npending {6}2_b\nto run what is pending: npm run migrate\ndatabase: file:/,
    ),
  ]);
  expect(await run('up 1')).toEqual([0, 'ran: 1_a\n']);
  expect(await run('')).toEqual([0, 'ran: 2_b\n']);
  expect(await run('')).toEqual([0, 'the database is up to date\n']);
  expect(await run('down')).toEqual([0, 'reverted: 2_b\n']);
  expect(await run('to 2_b')).toEqual([0, 'ran or reverted: 2_b\n']);
  expect(await run('to 2_b')).toEqual([0, 'the database is at 2_b already\n']);
  expect((await run('status'))[1]).toMatch(/^applied {6}1_a {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\napplied/);
  expect(await run('keep')).toEqual([0, 'no migration is edited or missing\n']);
});

it('resets where somebody says so, and fills', async () => {
  await run('');
  const seed = vi.fn();
  expect(await run('reset', { seed })).toEqual([1, expect.stringContaining('run npm run migrate reset yes')]);
  expect(seed).not.toHaveBeenCalled();
  expect(await run('reset yes', { seed, name: 'pnpm migrate' })).toEqual([
    0,
    'ran on the empty database: 1_a\nran on the empty database: 2_b\n',
  ]);
  expect(seed).toHaveBeenCalledOnce();
  const failing = { seed: () => Promise.reject(new Error('no data')) };
  expect(await run('reset yes', failing)).toEqual([1, expect.stringContaining('error: no data\n')]);
});

it.each([
  [
    'nothing',
    "error: there is no command 'nothing'; there are up, down, to, status, new, index, keep, reset, resolve, help\n",
  ],
  ['stauts', "error: there is no command 'stauts'; did you mean status? There are up,"],
  ['keep 1_a', "error: keep does not take '1_a'; see npm run migrate help\n"],
  ['status all', "error: status does not take 'all'"],
  ['down 1 2', "error: down does not take '2'"],
  ['to 1_a 2_b', "error: to does not take '2_b'"],
  ['resolve 9_x applied', "error: there is no migration '9_x'; there are 1_a, 2_b\n"],
  ['__proto__', "error: there is no command '__proto__'"],
  ['up many', "error: the number of migrations is 'many'; give a whole number, 1 or more\n"],
  ['down 0', "error: the number of migrations is '0'"],
  ['to', 'error: to needs the name of a migration; npm run migrate status lists them\n'],
  ['to 9_x', "error: there is no migration '9_x'; there are 1_a, 2_b\n"],
  ['resolve 1_a', 'error: resolve needs a name, and applied or reverted\n'],
  ['resolve 1_a applied', "error: the migration '1_a' was not interrupted; it is pending\n"],
  ['new add-x', 'error: drizzle-kit writes the migrations of this app'],
  ['index', 'error: this app has no folder with an index of migrations\n'],
  ['\u001b[2J', "error: there is no command '?[2J'"],
])('refuses %j', async (line, message) => {
  const [code, text] = await run(line);
  expect([code, text.startsWith(message)]).toEqual([1, true]);
});

it('logs where the app logs', async () => {
  const events: TracingEvent[] = [];
  const end = subscribe((event) => void events.push(event));
  expect(await run('')).toEqual([0, '']);
  expect(await run('resolve 1_a applied')).toEqual([1, '']);
  expect(await run('to 9_x')).toEqual([1, "error: there is no migration '9_x'; there are 1_a, 2_b\n"]);
  expect(await run('new', { folder })).toEqual([1, 'error: new needs a name, such as add-projects\n']);
  end();
  expect(events.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'migrated the database: 1_a'],
    ['info', 'migrated the database: 2_b'],
    ['fatal', "the migration '1_a' was not interrupted; it is applied"],
  ]);
});

it('writes a new one with its line in the index, and says what is not in it', async () => {
  const files = join(folder, 'migrations');
  const at = new Date('2026-01-05T09:00:00Z');
  expect(makeMigration(files, 'Add-projects', at)).toBe(join(files, '20260105090000_add_projects.ts'));
  // The clock of a colleague was ahead.
  expect(makeMigration(files, 'earlier', new Date('2026-01-05T08:00:00Z'))).toBe(
    join(files, '20260105090001_earlier.ts'),
  );
  // Another one in the same second runs after it, whatever its name is.
  expect(makeMigration(files, 'after', new Date('2026-01-05T09:00:01Z'))).toBe(
    join(files, '20260105090002_after.ts'),
  );
  const index = readFileSync(join(files, 'index.ts'), 'utf8');
  expect(index).toContain(
    "import * as m20260105090000_add_projects from './20260105090000_add_projects.ts';",
  );
  expect(index).toContain("'20260105090001_earlier': m20260105090001_earlier,");
  expect(readFileSync(join(files, '20260105090000_add_projects.ts'), 'utf8')).toContain(
    'export async function up(db',
  );
  expect(indexFaults(files)).toEqual([]);
  writeFileSync(join(files, '20260106090000_by_hand.ts'), '');
  writeFileSync(join(files, 'helper.ts'), '');
  expect(indexFaults(files)).toEqual([
    `${join(files, '20260106090000_by_hand.ts')} is not in index.ts; run the command with index`,
  ]);
  expect(await run('', { folder: files })).toEqual([1, expect.stringContaining('is not in index.ts')]);
  expect(await run('index', { folder: files })).toEqual([0, `wrote ${join(files, 'index.ts')}\n`]);
  writeIndex(files);
  expect(indexFaults(files)).toEqual([]);
  for (const name of ['', 'a b', '../up', 'ünï', 'x'.repeat(61)]) {
    expect(() => makeMigration(files, name)).toThrow(/name/);
  }
  expect(readdirSync(files)).toHaveLength(6);
  // In a bundle, there is no folder.
  expect(indexFaults(join(folder, 'nowhere'))).toEqual([]);
  mkdirSync(join(folder, 'empty'));
  expect(existsSync(writeIndex(join(folder, 'empty')))).toBe(true);
});

it('opens the database for the commands alone that need it', async () => {
  const open = vi.fn(async () => all());
  const call = async (...words: string[]): Promise<[number, string]> => {
    printed = '';
    return [await migrationCommand(open, words, { folder }), printed];
  };
  expect(await call('new', 'add tags')).toEqual([0, expect.stringContaining('_add_tags.ts')]);
  writeFileSync(
    join(folder, 'index.ts'),
    '<<<<<<< HEAD\nimport * as a from "./gone.ts";\n=======\n>>>>>>> b\n',
  );
  expect(await call('index')).toEqual([0, expect.stringContaining('wrote ')]);
  expect(readFileSync(join(folder, 'index.ts'), 'utf8')).not.toContain('<<<<');
  for (const word of ['help', '--help', '-h'])
    expect(await call(word)).toEqual([0, expect.stringContaining('npm run migrate status')]);
  expect(open).not.toHaveBeenCalled();
  expect((await call('status'))[0]).toBe(0);
  expect(open).toHaveBeenCalledOnce();
  open.mockRejectedValueOnce(new Error('no database'));
  expect(await call('status')).toEqual([1, 'error: no database\n']);
});
