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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../config-error.js';
import { subscribe, type TracingEvent } from '../../tracing/index.js';
import {
  kyselyFromUrl,
  type MigrationStatus,
  type Migrations,
  migrationCommand,
  migrations,
} from '../kysely/index.js';
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

describe('a reset by hand', () => {
  const terminals = ['stdin', 'stdout'] as const;
  const before = terminals.map((name) => Object.getOwnPropertyDescriptor(process[name], 'isTTY'));
  afterEach(() => {
    for (const [index, name] of terminals.entries()) {
      const descriptor = before[index];
      if (descriptor === undefined) delete (process[name] as { isTTY?: boolean }).isTTY;
      else Object.defineProperty(process[name], 'isTTY', descriptor);
    }
    vi.doUnmock('node:readline/promises');
  });

  /** Somebody is at a terminal, and writes an answer. */
  function atTerminal(answer: string, isTerminal: readonly [boolean, boolean] = [true, true]) {
    for (const [index, name] of terminals.entries()) {
      Object.defineProperty(process[name], 'isTTY', { value: isTerminal[index], configurable: true });
    }
    const question = vi.fn(async (_: string) => answer);
    const close = vi.fn();
    const createInterface = vi.fn((_: object) => ({ question, close }));
    vi.doMock('node:readline/promises', () => ({ createInterface }));
    return { question, close, createInterface };
  }

  it.each([
    ['yes', true],
    ['YES', true],
    ['', false],
    ['y', false],
    ['no', false],
    ['yes please', false],
  ])('asks, and takes %j for yes: %j', async (answer, isYes) => {
    await run('');
    const { question, close, createInterface } = atTerminal(answer);
    const [code, text] = await run('reset');
    expect([code, text.includes('nothing was changed')]).toEqual([isYes ? 0 : 1, !isYes]);
    expect(text.includes('ran on the empty database: 2_b')).toBe(isYes);
    expect(question.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^This will remove all tables and rows of file:.*app\.db\. Write yes to go on: $/,
        ),
      ],
    ]);
    expect(createInterface).toHaveBeenCalledWith({ input: process.stdin, output: process.stdout });
    // Otherwise the process would wait for more.
    expect(close).toHaveBeenCalledOnce();
  });

  it.each<[readonly [boolean, boolean], string]>([
    [[true, false], 'nothing was changed'],
    [[false, true], 'nobody can be asked here'],
  ])('asks nobody without a terminal for both: %j', async (isTerminal, message) => {
    const { question } = atTerminal('yes', isTerminal);
    expect(await run('reset')).toEqual([1, expect.stringContaining(message)]);
    expect(question).not.toHaveBeenCalled();
  });
});

describe('what the command says', () => {
  const of = (status: readonly Partial<MigrationStatus>[], more: Partial<Migrations> = {}) =>
    ({
      status: async () => status,
      up: async () => [],
      keep: async () => [],
      ...more,
    }) as unknown as Migrations;
  const say = async (migrations: Migrations | (() => Migrations), ...words: string[]) => {
    printed = '';
    return [await migrationCommand(migrations, words), printed] as const;
  };

  it('of one that was interrupted: what to do, and what it counts as then', async () => {
    const resolve = vi.fn(async () => {});
    const migrations = of([{ name: '1_a', state: 'interrupted' }], { resolve });
    expect(await say(migrations, 'status')).toEqual([
      0,
      'interrupted  1_a\ninterrupted, and a part of it may have run; complete or undo it by hand, then: npm run migrate resolve <name> applied | reverted\n',
    ]);
    expect(await say(migrations, 'resolve', '1_a', 'applied')).toEqual([0, '1_a counts as applied now\n']);
    expect(await say(migrations, 'resolve', '1_a', 'reverted')).toEqual([
      0,
      '1_a counts as not applied now\n',
    ]);
    expect(resolve.mock.calls).toEqual([
      ['1_a', 'applied'],
      ['1_a', 'reverted'],
    ]);
    expect((await say(migrations, 'resolve', '1_a', 'done'))[0]).toBe(1);
    expect((await say(migrations, 'resolve'))[0]).toBe(1);
    expect(resolve).toHaveBeenCalledTimes(2);
  });

  it('of one that was edited or is missing: how to keep it, or to begin anew', async () => {
    for (const state of ['edited', 'missing'] as const) {
      const [, text] = await say(of([{ name: '1_a', state }]), 'status');
      expect(text).toContain(': npm run migrate keep, npm run migrate reset\n');
    }
  });

  it('of none, and of many: the last ten', async () => {
    expect(await say(of([]), 'status')).toEqual([0, 'there are no migrations\n']);
    expect(await say(of([]), 'to', 'x')).toEqual([1, "error: there is no migration 'x'; there are none\n"]);
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `m${index}` }));
    expect((await say(of(many), 'to', 'x'))[1]).toBe(
      "error: there is no migration 'x'; there are m2, m3, m4, m5, m6, m7, m8, m9, m10, m11\n",
    );
  });

  it('of those that are kept also where the app logs, and of a failure with its error', async () => {
    const events: TracingEvent[] = [];
    const end = subscribe((event) => void events.push(event));
    const failure = new ConfigError('FW_OPTION_RANGE', 'after it was opened');
    const migrations = of([], { keep: async () => ['1_a'], up: () => Promise.reject(failure) });
    expect(await say(migrations, 'keep')).toEqual([0, '']);
    expect(await say(() => migrations, 'up')).toEqual([1, '']);
    end();
    expect(events.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['info', 'kept as it is: 1_a', {}],
      ['fatal', 'after it was opened', { error: failure }],
    ]);
    expect(await say(() => migrations, 'up')).toEqual([1, 'error: after it was opened\n']);
  });

  it('of a mistake in the code that calls it: an error', async () => {
    for (const wrong of [undefined, {}, { status() {} }]) {
      await expect(migrationCommand(wrong as never, ['status'])).rejects.toThrow(ConfigError);
      await expect(migrationCommand(() => wrong as never, ['status'])).rejects.toThrow(ConfigError);
    }
    const failing = (error: Error) => () => Promise.reject(error);
    const mistake = new ConfigError('FW_DATABASE_URL', 'no URL');
    await expect(migrationCommand(failing(mistake), ['status'])).rejects.toBe(mistake);
    expect(await say(failing(new Error('away')) as never, 'status')).toEqual([1, 'error: away\n']);
  });
});
