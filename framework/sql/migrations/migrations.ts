// Migrations: what has run and what has not, and running them, for both toolkits.
import { ConfigError } from '../../config-error.js';
import { shown } from '../../options/shown.js';
import { isTraced, publishEvent } from '../../tracing/event.js';
import { type MigrationNote, notesOf, prepareNotes, removeNote, setNote } from './notes.js';
import { runMigrations } from './run.js';
import type { AppliedMigration, Direction, KnownMigration, MigrationTarget } from './target.js';
import { wipe } from './wipe.js';

/**
 * What is the case with a migration.
 *
 * - `applied`: it has run.
 * - `pending`: it has not run.
 * - `edited`: it has run, and was changed since; known only of runs outside of production.
 * - `missing`: it has run, and the app does not have it, such as one of another branch.
 * - `interrupted`: it failed, or its process ended, after a part of it had run. Of databases that do not undo changes of
 *   tables, which are MySQL and MariaDB.
 */
export type MigrationState = 'applied' | 'pending' | 'edited' | 'missing' | 'interrupted';

/** One migration, as `status` gives it. */
export interface MigrationStatus {
  readonly name: string;
  readonly state: MigrationState;
  /** When it ran. */
  readonly appliedAt?: Date;
  /** Of a pending one: a later one has run already, such as after a merge. */
  readonly isLate?: boolean;
}

/** The migrations of an app, in a database. Made by `migrations` of `fw/kysely` or `fw/drizzle`. */
export interface Migrations {
  /** All of them, in the order of their names, then those that are missing. Reads only. */
  status(): Promise<readonly MigrationStatus[]>;
  /** The names of those that have not run, in the order in which they would. Reads only. */
  pending(): Promise<readonly string[]>;
  /**
   * Runs those that have not run, or the first `count` of them, and returns their names. If another process migrates, it
   * waits. On PostgreSQL and SQLite all of them are one transaction: if one fails, none has run.
   *
   * @throws Error that names the migration which failed, with its error as the cause; if one was interrupted before; in
   * production if one is late or missing, unless `allowUnordered` is set
   */
  up(count?: number): Promise<readonly string[]>;
  /**
   * Reverts the last `count` that have run, one by default, the last first, and returns their names.
   *
   * @throws Error if one has no `down`, is missing, or fails
   */
  down(count?: number): Promise<readonly string[]>;
  /** Runs or reverts as many as it takes for this one to be the last that has run. Returns the names of those. */
  to(name: string): Promise<readonly string[]>;
  /**
   * Says what has become of one that was interrupted, after its changes were completed or undone by hand.
   *
   * @throws Error if it was not interrupted
   */
  resolve(name: string, as: 'applied' | 'reverted'): Promise<void>;
  /** Takes those that were edited or are missing as they are now, and returns their names: `status` has them as applied. */
  keep(): Promise<readonly string[]>;
  /**
   * Removes all tables and their rows, and runs all migrations. For development.
   *
   * @throws Error if the database is not one of this machine, or NODE_ENV is `production`
   */
  reset(): Promise<readonly string[]>;
  /** The URL of the database without its password, for messages; undefined if it is not known. */
  readonly url: string | undefined;
}

/** Options that both toolkits have. */
export interface MigrationsOptions {
  /**
   * Whether `up` runs one whose name comes before one that has run, as after a merge, and goes on if one is missing.
   * By default it does so unless NODE_ENV is `production`.
   */
  allowUnordered?: boolean;
  /** How long to wait for another process that migrates, in milliseconds; 60,000 by default. */
  lockTimeoutMs?: number;
}

/** In what order migrations run, and what is shown: by code units, as sorting does on all machines. */
const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export class MigrationSet implements Migrations {
  readonly #target: MigrationTarget;
  readonly #allowUnordered: boolean | undefined;

  constructor(target: MigrationTarget, { allowUnordered }: MigrationsOptions) {
    this.#target = target;
    this.#allowUnordered = allowUnordered;
  }

  get url(): string | undefined {
    return this.#target.place?.shown;
  }

  async status(): Promise<readonly MigrationStatus[]> {
    const { engine, sql } = this.#target;
    const known = await this.#target.list();
    const applied = new Map((await this.#target.applied(sql)).map((one) => [one.name, one]));
    const notes = new Map((await notesOf(engine, sql)).map((one) => [one.name, one]));
    const names = new Set(known.map(({ name }) => name));
    const last = known.findLastIndex(({ name }) => applied.has(name));
    const others = [...applied.keys()].filter((name) => !names.has(name)).sort(byName);
    return [
      ...known.map((one, index) => stateOf(one, applied.get(one.name), notes.get(one.name), index < last)),
      ...others.map((name) =>
        withTime(name, isKept(notes.get(name)) ? 'applied' : 'missing', applied.get(name)),
      ),
    ];
  }

  async pending(): Promise<readonly string[]> {
    return (await this.status()).filter(({ state }) => state === 'pending').map(({ name }) => name);
  }

  async up(count: number = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    checkCount('up', count);
    const status = await this.status();
    const next = status.filter(({ state }) => state === 'pending').slice(0, count);
    // Whether it still runs is known once other processes have ended.
    if (next.length === 0 && !hasInterrupted(status)) return [];
    this.#assertInOrder(status);
    return this.#run(
      'up',
      next.map(({ name }) => name),
    );
  }

  async down(count = 1): Promise<readonly string[]> {
    checkCount('down', count);
    const status = await this.status();
    return this.#revert(lastFirst(status).slice(0, count));
  }

  async to(name: string): Promise<readonly string[]> {
    const status = await this.status();
    const known = await this.#target.list();
    const at = known.findIndex((one) => one.name === name);
    if (at < 0) throw unknown(name, status);
    const after = new Set(known.slice(at + 1).map((one) => one.name));
    const before = new Set(known.slice(0, at + 1).map((one) => one.name));
    const next = status.filter((one) => one.state === 'pending' && before.has(one.name));
    // Before anything is reverted: what is refused then would be half done.
    if (next.length > 0) this.#assertInOrder(withoutReverted(status, before));
    const reverted = await this.#revert(lastFirst(status).filter((one) => after.has(one.name)));
    if (next.length === 0 && !hasInterrupted(status)) return reverted;
    const ran = await this.#run(
      'up',
      next.map((one) => one.name),
    );
    return [...reverted, ...ran];
  }

  async resolve(name: string, as: 'applied' | 'reverted'): Promise<void> {
    const status = await this.status();
    const found = status.find((one) => one.name === name);
    if (found === undefined) throw unknown(name, status);
    if (found.state !== 'interrupted')
      throw new Error(`the migration '${name}' was not interrupted; it is ${found.state}`);
    const { sql } = this.#target;
    await this.#target.record(sql, name, as === 'applied');
    await removeNote(sql, name);
  }

  async keep(): Promise<readonly string[]> {
    const status = await this.status();
    const known = new Map((await this.#target.list()).map((one) => [one.name, one.checksum]));
    const changed = status.filter(({ state }) => state === 'edited' || state === 'missing');
    if (changed.length > 0) await prepareNotes(this.#target.engine, this.#target.sql);
    for (const { name } of changed) {
      await setNote(this.#target.sql, { name, checksum: known.get(name) ?? KEPT, isRunning: false });
    }
    return changed.map(({ name }) => name);
  }

  async reset(): Promise<readonly string[]> {
    const { place, engine, schemas } = this.#target;
    if (process.env.NODE_ENV === 'production')
      throw new Error('a database is not reset in production: NODE_ENV is production');
    if (place === undefined)
      throw new Error('only a database that was made from a URL is reset: where this one is, is not known');
    if (!place.isLocal)
      throw new Error(`only a database of this machine is reset, and this is ${place.shown}`);
    await this.#target.onOne((sql) => wipe(engine, sql, schemas));
    return this.up();
  }

  #assertInOrder(status: readonly MigrationStatus[]): void {
    if (this.#allowUnordered ?? process.env.NODE_ENV !== 'production') return;
    const late = status.find(({ isLate }) => isLate);
    if (late !== undefined) {
      throw new Error(
        `the migration '${late.name}' has not run, and later ones have, as after a merge; check that it does not depend on the order, and allow it by allowUnordered, or rename it`,
      );
    }
    const missing = status.find(({ state }) => state === 'missing');
    if (missing !== undefined) {
      throw new Error(
        `the migration '${missing.name}' has run, and this app does not have it; deploy the version that has it, or allow it by allowUnordered`,
      );
    }
  }

  async #revert(last: readonly MigrationStatus[]): Promise<readonly string[]> {
    const missing = last.find(({ state }) => state === 'missing');
    if (missing !== undefined)
      throw new Error(
        `the migration '${missing.name}' cannot be reverted: this app does not have it; switch to the branch that has it`,
      );
    const names = last.map(({ name }) => name);
    if (names.length === 0) return [];
    const known = new Map((await this.#target.list()).map((one) => [one.name, one]));
    const without = names.find((name) => known.get(name)?.hasDown !== true);
    if (without !== undefined)
      throw new Error(
        `the migration '${without}' cannot be reverted: it has no ${this.#target.downName(without)}`,
      );
    return this.#run('down', names);
  }

  async #run(direction: Direction, names: readonly string[]): Promise<readonly string[]> {
    const ran = await runMigrations(this.#target, direction, names);
    if (isTraced()) {
      for (const name of ran) {
        const what = direction === 'up' ? 'migrated the database' : 'reverted a migration of the database';
        publishEvent('info', `${what}: ${name}`, { migration: name });
      }
    }
    return ran;
  }
}

/** The checksum of one that is taken as it is. */
const KEPT = 'kept';

const isKept = (note: MigrationNote | undefined): boolean => note?.checksum === KEPT;

function stateOf(
  { name, checksum }: KnownMigration,
  applied: AppliedMigration | undefined,
  note: MigrationNote | undefined,
  isBeforeLast: boolean,
): MigrationStatus {
  if (note?.isRunning === true) return withTime(name, 'interrupted', applied);
  if (applied === undefined) return { name, state: 'pending', ...(isBeforeLast && { isLate: true }) };
  // What was kept as it is counts more than what the toolkit has kept of its run.
  const before = note === undefined || note.checksum === '' ? applied.checksum : note.checksum;
  const isEdited = before !== undefined && before !== KEPT && checksum !== undefined && before !== checksum;
  return withTime(name, isEdited ? 'edited' : 'applied', applied);
}

function withTime(
  name: string,
  state: MigrationState,
  applied: AppliedMigration | undefined,
): MigrationStatus {
  return { name, state, ...(applied?.at !== undefined && { appliedAt: applied.at }) };
}

const hasInterrupted = (status: readonly MigrationStatus[]): boolean =>
  status.some(({ state }) => state === 'interrupted');

/** What order has to hold once all behind these are reverted: those that are late then, too, and those that are missing. */
function withoutReverted(
  status: readonly MigrationStatus[],
  kept: ReadonlySet<string>,
): readonly MigrationStatus[] {
  const last = status.findLastIndex(({ name, state }) => kept.has(name) && state !== 'pending');
  return status.filter(({ state }, index) => index < last || state === 'missing');
}

/** Those that have run, the last first; those of the same time, or of none, by their order. */
function lastFirst(status: readonly MigrationStatus[]): MigrationStatus[] {
  return status
    .filter(({ state }) => state === 'applied' || state === 'edited' || state === 'missing')
    .reverse()
    .sort((one, other) => (other.appliedAt?.getTime() ?? 0) - (one.appliedAt?.getTime() ?? 0));
}

function checkCount(what: string, count: number): void {
  if (count === Number.POSITIVE_INFINITY || (Number.isInteger(count) && count > 0)) return;
  throw new ConfigError(
    'FW_OPTION_RANGE',
    `${what}: the number of migrations is ${shown(count)}; give a whole number, 1 or more`,
  );
}

function unknown(name: string, status: readonly MigrationStatus[]): Error {
  const names = status.map((one) => one.name);
  const all = names.length === 0 ? 'there are none' : `there are ${names.slice(-10).join(', ')}`;
  return new Error(`there is no migration ${shown(name)}; ${all}`);
}
