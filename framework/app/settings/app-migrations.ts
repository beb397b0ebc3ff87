// The migrations of an App: at its start they run if that is wanted, and it does not start while some have not run. Under
// `fw dev` it starts, and answers 503 until the developer has them run: a save must not migrate.
import diagnostics from 'node:diagnostics_channel';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { Next } from '../../context/handlers.js';
import { FwError } from '../../http/errors.js';
import type { FwResponse } from '../../http/response.js';
import { shown } from '../../options/shown.js';
import type { MigrationStatus, Migrations } from '../../sql/migrations/migrations.js';
import { isTraced, publishEvent } from '../../tracing/event.js';
import { isHeard } from '../../tracing/trace-channel.js';

/** The message on the channel `fw:migrations`: something is to be done about the migrations of the App. */
export interface MigrationsNews {
  readonly status: readonly MigrationStatus[];
  /** Of the database, without its password. */
  readonly url: string | undefined;
  /** Runs those that have not run; the App answers then. Returns their names. */
  up(): Promise<readonly string[]>;
}

/** Has a subscriber under `fw dev` alone. */
const channel = diagnostics.channel('fw:migrations');

/** How long an answer holds that some have not run, in milliseconds: another terminal may have run them since. */
const KNOWN_MS = 500;

export class AppMigrations {
  readonly #migrations: Migrations;
  #waiting: readonly MigrationStatus[] | undefined;
  #asked = 0;
  #goOn: () => void = () => {};

  constructor(migrations: Migrations) {
    this.#migrations = migrations;
  }

  /** Whether the App may have to wait for them: there, requests pass `gate`. */
  static get mayWait(): boolean {
    return isHeard(channel);
  }

  /**
   * A callback of the start.
   *
   * @param hold lets the servers listen already; what is registered behind waits for the promise
   * @throws Error if some have not run, or one fails
   */
  async start(hold: () => void): Promise<void> {
    const isToldTo = isTold();
    const status = await this.#status();
    if (isToldTo) {
      await this.#migrations.up();
      return;
    }
    const waiting = status.filter(({ state }) => state === 'pending' || state === 'interrupted');
    if (!isHeard(channel)) {
      if (waiting.length > 0) throw refusal(waiting, this.#migrations.url);
      warnOfMissing(status);
    } else if (status.every(({ state }) => state === 'pending')) {
      // A new database.
      await this.#migrations.up();
    } else if (status.some(({ state }) => state !== 'applied')) {
      if (waiting.length > 0) await this.#wait(status, hold);
      else this.#publish(status);
    }
  }

  /** Middleware around all others. */
  get gate(): (ctx: Context, next: Next) => Promise<FwResponse> {
    return async (_, next) => {
      if (this.#waiting !== undefined) await this.#lookAgain();
      if (this.#waiting !== undefined) throw unavailable(this.#waiting);
      return next();
    };
  }

  async #wait(status: readonly MigrationStatus[], hold: () => void): Promise<void> {
    this.#waiting = status;
    this.#asked = performance.now();
    const end = new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    this.#publish(status);
    hold();
    await end;
  }

  #publish(status: readonly MigrationStatus[]): void {
    const news: MigrationsNews = {
      status,
      url: this.#migrations.url,
      up: async () => {
        const ran = await this.#migrations.up();
        this.#end();
        return ran;
      },
    };
    channel.publish(news);
  }

  #end(): void {
    this.#waiting = undefined;
    this.#goOn();
  }

  async #lookAgain(): Promise<void> {
    const now = performance.now();
    if (now - this.#asked < KNOWN_MS) return;
    this.#asked = now;
    const status = await this.#status();
    if (!status.some(({ state }) => state === 'pending' || state === 'interrupted')) this.#end();
    else if (this.#waiting !== undefined) this.#waiting = status;
  }

  async #status(): Promise<readonly MigrationStatus[]> {
    try {
      return await this.#migrations.status();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const cause = innermost(error);
      const remedy = /denied/i.test(cause)
        ? 'grant the role select on the tables of the migrations'
        : 'check that the database is there, and its URL';
      throw new Error(`the migrations of the database cannot be read: ${cause}; ${remedy}`, { cause: error });
    }
  }
}

/** What has failed at first: drivers are wrapped. */
function innermost(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || String((cause as NodeJS.ErrnoException).code);
}

/** @throws ConfigError if MIGRATE is neither true nor false */
function isTold(): boolean {
  const { MIGRATE = '' } = process.env;
  if (/^(?:|0|false)$/i.test(MIGRATE)) return false;
  if (/^(?:1|true)$/i.test(MIGRATE)) return true;
  throw new ConfigError(
    'FW_OPTION_CHOICE',
    `the environment variable MIGRATE is ${shown(MIGRATE)}; give true or false`,
  );
}

/** Without the frames of a stack: they lead nowhere, and each request would fill the log with them. */
function unavailable(waiting: readonly MigrationStatus[]): FwError {
  const error = FwError.serviceUnavailable(waitingText(waiting));
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function refusal(waiting: readonly MigrationStatus[], url: string | undefined): Error {
  const where = url === undefined ? '' : ` in ${url}`;
  return new Error(
    `${waitingText(waiting)}${where}; run them before the app starts, such as by node dist/migrate.js, or start it with MIGRATE=true`,
  );
}

/** `2 migrations have not run: a, b`. */
function waitingText(status: readonly MigrationStatus[]): string {
  const interrupted = status.find(({ state }) => state === 'interrupted');
  if (interrupted !== undefined) {
    return `the migration '${interrupted.name}' was interrupted, and a part of it may have run`;
  }
  const names = status.filter(({ state }) => state === 'pending').map(({ name }) => name);
  const shownNames = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), '…'] : names;
  const what = names.length === 1 ? 'a migration has not run' : `${names.length} migrations have not run`;
  return `${what}: ${shownNames.join(', ')}`;
}

const MOST_NAMED = 5;

/** An older version of the app starts after a newer one, as when a deployment is taken back. */
function warnOfMissing(status: readonly MigrationStatus[]): void {
  const missing = status.filter(({ state }) => state === 'missing').map(({ name }) => name);
  if (missing.length === 0 || !isTraced()) return;
  publishEvent('warn', 'migrations have run that this app does not have', { migrations: missing.join(', ') });
}
