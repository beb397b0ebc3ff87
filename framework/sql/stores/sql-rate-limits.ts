// SQL: the buckets of rate limits in a table, of either toolkit.
import {
  type RateLimit,
  type RateLimitState,
  type RateLimitStore,
  rateLimitState,
} from '../../middleware/rate-limit/rate-limit-store.js';
import { quoted, Sql, type SqlDatabase, type Statement, statement, sweep } from './statement.js';

/** How often buckets that are full again are removed, in calls, and how many: more than so many calls can add. */
const SWEEP_EVERY = 50;
const SWEPT = 200;
/** How often it is tried again, because another process has just inserted or removed the row. */
const TRIES = 5;
/** Times are sums of fractions of milliseconds, whose rounding must not deny a token. */
const ROUNDING_MS = 1;
const LONGEST_KEY = 512;

/** By the server's clock, so that those of processes may differ. SQLite has the clock of this machine. */
const NOW = {
  postgres: statement`cast(extract(epoch from statement_timestamp()) * 1000 as double precision)`,
  mysql: statement`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1e3)`,
  sqlite: undefined,
};

/** The row of a bucket has the time at which it is full again, in milliseconds since 1970. */
export class SqlRateLimits implements RateLimitStore {
  readonly #db: SqlDatabase;
  readonly #table: Sql;
  readonly #key: Sql;
  #calls = 0;

  constructor(db: SqlDatabase, table: string) {
    this.#db = db;
    this.#table = quoted(db.engine, table);
    this.#key = quoted(db.engine, 'key');
  }

  /** Takes a token from the bucket of the key, if there is one, by a statement that changes its row at once. */
  async take(key: string, limit: RateLimit): Promise<RateLimitState> {
    if (Buffer.byteLength(key) > LONGEST_KEY) {
      throw new Error(`SqlRateLimitStore: the key has more than ${LONGEST_KEY} bytes; give a digest of it`);
    }
    this.#calls += 1;
    if (this.#calls % SWEEP_EVERY === 0) await this.#sweep();
    const msPerToken = limit.windowMs / limit.max;
    const latestMs = limit.windowMs - msPerToken + Math.min(ROUNDING_MS, msPerToken / 2);
    let missingMs = limit.windowMs;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const taken = await this.#update(key, msPerToken, latestMs);
      if (taken !== undefined) return stateOf(true, taken, limit);
      missingMs = (await this.#missingMs(key)) ?? Number.NaN;
      if (missingMs > latestMs) break;
      const isNew = Number.isNaN(missingMs) && (await this.#insert(key, msPerToken));
      if (isNew) return stateOf(true, msPerToken, limit);
    }
    if (missingMs > limit.windowMs) await this.#shorten(key, limit);
    return stateOf(false, missingMs, limit);
  }

  /** Gives a token back to the bucket of the key. */
  async giveBack(key: string, limit: RateLimit): Promise<void> {
    const msPerToken = limit.windowMs / limit.max;
    await this.#db.run(
      statement`update ${this.#table} set full_at_ms = full_at_ms - ${msPerToken} where ${this.#key} = ${key} and full_at_ms > ${this.#now()}`,
    );
  }

  /** Takes a token: the milliseconds until the bucket is full; undefined if it is empty, or there is no row yet. */
  async #update(key: string, msPerToken: number, latestMs: number): Promise<number | undefined> {
    const now = this.#now();
    const { engine } = this.#db;
    const returning =
      engine === 'mysql' ? statement`` : statement` returning full_at_ms - ${now} as missing_ms`;
    const { rows, changed } = await this.#db.run(
      statement`update ${this.#table} set full_at_ms = (case when full_at_ms > ${now} then full_at_ms else ${now} end) + ${msPerToken} where ${this.#key} = ${key} and full_at_ms <= ${now} + ${latestMs}${returning}`,
    );
    if (engine !== 'mysql') return rows[0] && Number(rows[0].missing_ms);
    return changed === 0 ? undefined : this.#missingMs(key);
  }

  async #missingMs(key: string): Promise<number | undefined> {
    const { rows } = await this.#db.run(
      statement`select full_at_ms - ${this.#now()} as missing_ms from ${this.#table} where ${this.#key} = ${key}`,
    );
    return rows[0] && Number(rows[0].missing_ms);
  }

  /** Whether there was no row yet. */
  async #insert(key: string, msPerToken: number): Promise<boolean> {
    const isMysql = this.#db.engine === 'mysql';
    const { changed } = await this.#db.run(
      statement`insert ${new Sql(isMysql ? 'ignore ' : '')}into ${this.#table} (${this.#key}, full_at_ms) values (${key}, ${this.#now()} + ${msPerToken})${new Sql(isMysql ? '' : ' on conflict do nothing')}`,
    );
    return changed > 0;
  }

  /** Nobody waits for longer than a window, also if the clock was set back or the window was longer. */
  async #shorten(key: string, { windowMs }: RateLimit): Promise<void> {
    const longest = statement`${this.#now()} + ${windowMs}`;
    await this.#db.run(
      statement`update ${this.#table} set full_at_ms = ${longest} where ${this.#key} = ${key} and full_at_ms > ${longest}`,
    );
  }

  #sweep(): Promise<void> {
    const names = { table: this.#table, key: this.#key, time: new Sql('full_at_ms') };
    return sweep(this.#db, names, statement`full_at_ms <= ${this.#now()}`, SWEPT);
  }

  #now(): Statement {
    return NOW[this.#db.engine] ?? statement`${Date.now()}`;
  }
}

/** A time that differs from a whole number of tokens by rounding alone is that number of tokens. */
function stateOf(isAllowed: boolean, missingMs: number, limit: RateLimit): RateLimitState {
  const msPerToken = limit.windowMs / limit.max;
  const whole = Math.round(missingMs / msPerToken) * msPerToken;
  const exact = Math.abs(whole - missingMs) < 0.01 ? whole : missingMs;
  return rateLimitState({ isAllowed, resetMs: Math.min(Math.max(exact, 0), limit.windowMs), limit });
}
