// Migrations: what a toolkit gives for them.
import type { Engine } from '../database-url.js';

/** A migration that the app has. */
export interface KnownMigration {
  readonly name: string;
  /** Of what it does; undefined where it is not compared. */
  readonly checksum: string | undefined;
  readonly hasDown: boolean;
}

/** A migration that has run, as the toolkit's own table says. */
export interface AppliedMigration {
  readonly name: string;
  readonly at: Date | undefined;
  /** If the toolkit keeps one. */
  readonly checksum?: string;
}

/** Where a database is. */
export interface DatabasePlace {
  /** The URL without its password. */
  readonly shown: string;
  /** Whether it is one of this machine. */
  readonly isLocal: boolean;
}

/** Runs a statement with `?` for its values, and returns its rows. */
export type RunSql = (
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export type Direction = 'up' | 'down';

/** One process alone, on one connection; in a transaction where changes of tables can be undone. */
export interface MigrationSession {
  readonly read: RunSql;
  /** What it writes may become visible at the end of the session only. */
  readonly write: RunSql;
  /**
   * Runs what a migration does, without noting it.
   *
   * @param changed called when a statement of it has run
   */
  step(direction: Direction, name: string, changed: () => void): Promise<void>;
}

/** The migrations of one toolkit, in one database. */
export interface MigrationTarget {
  readonly engine: Engine;
  readonly place: DatabasePlace | undefined;
  /** The schemas of the toolkit's own tables, if they have others. */
  readonly schemas: readonly string[];
  /** On any connection. */
  readonly sql: RunSql;
  /** Those that the app has, in the order in which they run. */
  list(): Promise<readonly KnownMigration[]>;
  /** Those of the toolkit's own table; empty as long as there is none. */
  applied(sql: RunSql): Promise<readonly AppliedMigration[]>;
  /** Makes the toolkit's own table if there is none. */
  prepare(): Promise<void>;
  /** Writes into the toolkit's own table that one has run, or that it has not. */
  record(write: RunSql, name: string, isApplied: boolean): Promise<void>;
  /** Waits for other processes that migrate. @throws Error of the work, with the name of the migration that failed */
  alone<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result>;
  /** Work on one connection. */
  onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result>;
  /** What the way back of a migration is called, in messages. */
  downName(name: string): string;
}
