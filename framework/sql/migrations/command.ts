// Migrations: the command of an app, by npm scripts in development and by a file of the build in production.
import { ConfigError } from '../../config-error.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { nearest } from '../../options/nearest.js';
import { callback, filled, objectWith, type Rules, text } from '../../options/rules.js';
import { isTraced, publishEvent } from '../../tracing/event.js';
import type { MigrationState, MigrationStatus, Migrations } from './migrations.js';
import { UsageError } from './usage-error.js';

/** Options of `migrationCommand`. */
export interface MigrationCommandOptions {
  /** How the command is called, for messages, such as `npm run migrate`, which is the default. */
  name?: string;
  /**
   * The folder of the migrations of Kysely, each in a file of its own, with a file `index.ts` that imports them. `new` adds
   * to it. drizzle-kit writes those of Drizzle.
   */
  folder?: string;
  /** Fills the database with data for development; runs after `reset`. */
  seed?: () => unknown;
}

const RULES: Rules<MigrationCommandOptions> = { name: filled, folder: text, seed: callback('a function') };
const MIGRATIONS = objectWith(['status', 'up'], 'what migrations() makes');

const KEPT = 'kept as it is';

/**
 * Runs a command about the migrations of an app, and returns the exit code: 0, or 1 if it failed, with a message on
 * stderr.
 *
 * ```ts
 * process.exitCode = await migrationCommand(migrations(db, source), process.argv.slice(2));
 * ```
 *
 * Without a word, or with `up`, it runs those that have not run. `help` prints the others.
 *
 * Instead of the migrations it takes a function that opens the database and returns them. If that imports the migrations
 * too, `index` works while their index cannot be imported, as after a merge.
 *
 * @throws ConfigError if an option is wrong, or what the function returns; what it throws is a message, unless it is a
 * ConfigError too
 */
export async function migrationCommand(
  migrations: Migrations | (() => Migrations | Promise<Migrations>),
  words: readonly string[],
  options: MigrationCommandOptions = {},
): Promise<number> {
  if (typeof migrations !== 'function')
    checkValue('migrationCommand', 'the migrations', migrations, MIGRATIONS);
  const command = new Command(migrations, checkOptions('migrationCommand', options, RULES));
  try {
    await command.run(words);
    return 0;
  } catch (error) {
    if (error instanceof ConfigError && !command.isOpened) throw error;
    if (isTraced() && !(error instanceof UsageError)) {
      publishEvent('fatal', messageOf(error), { error });
    } else {
      process.stderr.write(`error: ${messageOf(error)}\n`);
    }
    return 1;
  }
}

/** How many words each command takes behind its own. */
const WORDS: Readonly<Record<string, number>> = {
  up: 1,
  down: 1,
  to: 1,
  status: 0,
  index: 0,
  keep: 0,
  reset: 1,
  resolve: 2,
  help: 0,
};

class Command {
  readonly #open: () => Migrations | Promise<Migrations>;
  readonly #name: string;
  readonly #folder: string | undefined;
  readonly #seed: (() => unknown) | undefined;
  isOpened = false;

  constructor(
    migrations: Migrations | (() => Migrations | Promise<Migrations>),
    { name = 'npm run migrate', folder, seed }: MigrationCommandOptions,
  ) {
    this.#open = typeof migrations === 'function' ? migrations : () => migrations;
    this.#name = name;
    this.#folder = folder;
    this.#seed = seed;
  }

  async run([word = 'up', ...rest]: readonly string[]): Promise<void> {
    const commands: Readonly<Record<string, (words: readonly string[]) => unknown>> = {
      up: (words) => this.#up(words),
      down: (words) => this.#down(words),
      to: (words) => this.#to(words),
      status: () => this.#status(),
      new: (words) => this.#new(words),
      index: () => this.#index(),
      keep: () => this.#keep(),
      reset: (words) => this.#reset(words),
      resolve: (words) => this.#resolve(words),
      help: () => print(this.#help()),
    };
    const isHelp = word === '--help' || word === '-h';
    const command = isHelp ? commands.help : Object.hasOwn(commands, word) ? commands[word] : undefined;
    if (command === undefined) {
      const meant = nearest(word, Object.keys(commands));
      throw new UsageError(
        `there is no command '${printable(word)}'; ${meant ? `did you mean ${meant}? There` : 'there'} are ${Object.keys(commands).join(', ')}`,
      );
    }
    // `keep <name>` would keep all of them.
    const surplus = rest[isHelp ? 0 : (WORDS[word] ?? rest.length)];
    if (surplus !== undefined)
      throw new UsageError(`${word} does not take '${printable(surplus)}'; see ${this.#name} help`);
    await command(rest);
  }

  /** Commands that need the database ask for it once. */
  async #migrations(): Promise<Migrations> {
    const opened = await this.#open();
    checkValue('migrationCommand', 'the migrations', opened, MIGRATIONS);
    this.isOpened = true;
    return opened;
  }

  async #up(words: readonly string[]): Promise<void> {
    await this.#assertIndexed();
    const count = words[0] === undefined ? undefined : countOf(words[0]);
    this.#report('ran', await (await this.#migrations()).up(count), 'the database is up to date');
  }

  async #down(words: readonly string[]): Promise<void> {
    const count = words[0] === undefined ? 1 : countOf(words[0]);
    this.#report('reverted', await (await this.#migrations()).down(count), 'no migration has run');
  }

  async #to([name]: readonly string[]): Promise<void> {
    if (name === undefined)
      throw new UsageError(`to needs the name of a migration; ${this.#name} status lists them`);
    const migrations = await this.#migrations();
    await assertKnown(migrations, name);
    this.#report('ran or reverted', await migrations.to(name), `the database is at ${name} already`);
  }

  async #status(): Promise<void> {
    const migrations = await this.#migrations();
    const status = await migrations.status();
    for (const line of statusLines(status, this.#name)) print(line);
    if (migrations.url !== undefined) print(`database: ${migrations.url}`);
    for (const fault of await this.#indexFaults()) print(`warning: ${fault}`);
  }

  async #new(words: readonly string[]): Promise<void> {
    if (this.#folder === undefined) {
      throw new UsageError(
        'drizzle-kit writes the migrations of this app: npx drizzle-kit generate --name <name>',
      );
    }
    const { makeMigration } = await import('./migration-files.js');
    const made = makeMigration(this.#folder, words.join(' ').split(/ +/).join('-'));
    print(`wrote ${made}, and its line in index.ts; it runs with ${this.#name}, or with m in fw dev`);
  }

  async #index(): Promise<void> {
    if (this.#folder === undefined)
      throw new UsageError('this app has no folder with an index of migrations');
    const { writeIndex } = await import('./migration-files.js');
    print(`wrote ${writeIndex(this.#folder)}`);
  }

  async #keep(): Promise<void> {
    this.#report(KEPT, await (await this.#migrations()).keep(), 'no migration is edited or missing');
  }

  async #reset(words: readonly string[]): Promise<void> {
    await this.#assertIndexed();
    const migrations = await this.#migrations();
    const { url } = migrations;
    const what = `remove all tables and rows of ${url ?? 'the database'}`;
    if (words[0] !== 'yes' && !(await isConfirmed(what))) {
      throw new UsageError(
        process.stdin.isTTY
          ? 'nothing was changed'
          : `nobody can be asked here; to ${what}, run ${this.#name} reset yes`,
      );
    }
    this.#report('ran on the empty database', await migrations.reset(), 'the database is empty');
    await this.#seed?.();
  }

  async #resolve([name, as]: readonly string[]): Promise<void> {
    if (name === undefined || (as !== 'applied' && as !== 'reverted')) {
      throw new UsageError('resolve needs a name, and applied or reverted');
    }
    const migrations = await this.#migrations();
    await assertKnown(migrations, name);
    await migrations.resolve(name, as);
    say(`${name} counts as ${as === 'applied' ? 'applied' : 'not applied'} now`);
  }

  /** Subscribers of events hear of each run already. */
  #report(what: string, names: readonly string[], nothing: string): void {
    if (names.length === 0) say(nothing);
    if (!isTraced() || what === KEPT) for (const name of names) say(`${what}: ${name}`);
  }

  /** Before a run: what is not in the index would be left out without a word. */
  async #assertIndexed(): Promise<void> {
    const [fault] = await this.#indexFaults();
    if (fault !== undefined) throw new UsageError(fault);
  }

  async #indexFaults(): Promise<readonly string[]> {
    if (this.#folder === undefined) return [];
    const { indexFaults } = await import('./migration-files.js');
    return indexFaults(this.#folder);
  }

  #help(): string {
    return `${this.#name}                     runs the migrations that have not run
${this.#name} status              lists them, and what has become of each
${this.#name} new <name>          writes a file for a new one
${this.#name} down [count]        reverts the last one, or more
${this.#name} to <name>           runs or reverts until this one is the last
${this.#name} keep                takes those that were edited or are missing as they are
${this.#name} reset [yes]         removes everything from a database of this machine, and runs all
${this.#name} index               writes index.ts again, after a merge
${this.#name} resolve <name> applied | reverted
    says what has become of one that was interrupted`;
  }
}

async function assertKnown(migrations: Migrations, name: string): Promise<void> {
  const names = (await migrations.status()).map((one) => one.name);
  if (names.includes(name)) return;
  const all = names.length === 0 ? 'there are none' : `there are ${names.slice(-10).join(', ')}`;
  throw new UsageError(`there is no migration '${printable(name)}'; ${all}`);
}

function countOf(word: string): number {
  if (/^[1-9]\d{0,5}$/.test(word)) return Number(word);
  throw new UsageError(`the number of migrations is '${printable(word)}'; give a whole number, 1 or more`);
}

async function isConfirmed(what: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const asker = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await asker.question(`This will ${what}. Write yes to go on: `)).toLowerCase() === 'yes';
  } finally {
    asker.close();
  }
}

/** As a line of the log where there is one. */
function say(message: string): void {
  if (isTraced()) publishEvent('info', message, {});
  else print(message);
}

function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

/** Without what would control a terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\u{10ffff}]/gu, '?');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const WIDTH = 'interrupted'.length;

/** What to do about a state, behind the name of the command. */
const REMEDIES: readonly (readonly [MigrationState, string])[] = [
  ['pending', 'to run what is pending:'],
  ['edited', 'edited after it ran; to keep the database as it is, or to begin anew:'],
  ['missing', 'missing here, as on another branch; to keep the database as it is, or to begin anew:'],
  ['interrupted', 'interrupted, and a part of it may have run; complete or undo it by hand, then:'],
];

/** @param command how the command of the app is called */
function statusLines(status: readonly MigrationStatus[], command: string): string[] {
  if (status.length === 0) return ['there are no migrations'];
  const lines = status.map(({ name, state, appliedAt, isLate }) => {
    const when = appliedAt === undefined ? '' : `  ${appliedAt.toISOString().slice(0, 19).replace('T', ' ')}`;
    return `${state.padEnd(WIDTH)}  ${name}${when}${isLate === true ? '  (later ones have run)' : ''}`;
  });
  const states = new Set(status.map(({ state }) => state));
  const remedies = REMEDIES.filter(([state]) => states.has(state)).map(
    ([state, text]) => `${text} ${commandsFor(state, command)}`,
  );
  return [...lines, ...remedies];
}

function commandsFor(state: MigrationState, command: string): string {
  if (state === 'pending') return command;
  if (state === 'interrupted') return `${command} resolve <name> applied | reverted`;
  return `${command} keep, ${command} reset`;
}
