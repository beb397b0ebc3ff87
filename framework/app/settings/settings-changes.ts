// Sets the settings of an App: limits, timeouts, trusted proxies, the database, and what runs at its end.

import { addressField } from '../../client-address/address-field.js';
import type { TrustedHeader, TrustProxyOptions } from '../../client-address/trusted-proxies.js';
import { ConfigError } from '../../config-error.js';
import { checkBodyLimit } from '../../http/body-limit.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { checkTime, requestTime } from '../../options/check-time.js';
import {
  callback,
  either,
  flag,
  listOf,
  objectWith,
  type Rules,
  record,
  required,
  text,
} from '../../options/rules.js';
import { type ConnectionTimeouts, checkConnectionTimeouts } from '../../runtime/connection-timeouts.js';
import { checkWatch, type SlowQueryOptions } from '../../sql/database-options.js';
import { closeClient, closeInTime, type DrizzleHandle, type KyselyHandle } from '../../sql/handles.js';
import type { Migrations } from '../../sql/migrations/migrations.js';
import { AppMigrations } from './app-migrations.js';
import type { ListeningServer } from './life-cycle.js';
import type { Settings } from './settings.js';

/** Settings of the App that listens; a mounted App must not have them. */
type Setting =
  | 'drainDelay'
  | 'shutdownGracePeriod'
  | 'connectionTimeouts'
  | 'trustProxy'
  | 'withKysely'
  | 'withDrizzle'
  | 'withMigrations'
  | 'loadContract';

/** `file:line:column` of the call. */
type Place = () => string;

const TRUSTED = either(
  flag,
  listOf({ ...text, takes: "the networks of all proxies, such as '10.0.0.0/8'" }),
  record("the field with the client's address, such as { header: 'cf-connecting-ip' }"),
);
const FUNCTION = callback('a function');
const MIGRATIONS = objectWith(
  ['status', 'up'],
  'the migrations of an app, such as migrations(db, source) of fw/kysely',
);
const TRUST_RULES: Rules<TrustProxyOptions> = { header: addressField };
const TRUSTED_HEADER_RULES: Rules<TrustedHeader> = { header: required(addressField) };

function isList(value: readonly string[] | TrustedHeader): value is readonly string[] {
  return Array.isArray(value);
}

/** Each method checks its arguments, and is refused once the App answers requests or is mounted. */
export class SettingsChanges {
  readonly #settings: Settings;
  readonly #assertOpen: (what: string) => void;

  /** @param assertOpen throws a ConfigError if it is too late for the call that is named */
  constructor(settings: Settings, assertOpen: (what: string) => void) {
    this.#settings = settings;
    this.#assertOpen = assertOpen;
  }

  maxBodySize(bytes: number, place: Place): void {
    this.#limit('maxBodySize', place).maxBodySize = checkBodyLimit(bytes);
  }

  requestTimeout(ms: number, place: Place): void {
    const limits = this.#limit('requestTimeout', place);
    limits.requestTimeoutMs = checkValue('requestTimeout', 'the time', ms, requestTime);
  }

  drainDelay(ms: number, place: Place): void {
    this.#change('drainDelay', place).drainDelayMs = checkTime('drainDelay', ms, 0);
  }

  shutdownGracePeriod(ms: number, place: Place): void {
    this.#change('shutdownGracePeriod', place).gracePeriodMs = checkTime('shutdownGracePeriod', ms, 0);
  }

  connectionTimeouts(times: Partial<ConnectionTimeouts>, place: Place): void {
    const checked = checkConnectionTimeouts(times);
    const settings = this.#change('connectionTimeouts', place);
    settings.connection = { ...settings.connection, ...checked };
  }

  trustProxy(
    trusted: boolean | readonly string[] | TrustedHeader,
    options: TrustProxyOptions,
    place: Place,
  ): void {
    checkValue('trustProxy', 'the argument', trusted, TRUSTED);
    const checked = checkOptions('trustProxy', options, TRUST_RULES);
    const isHeader = typeof trusted === 'object' && !isList(trusted);
    if (isHeader) this.#trust(true, checkOptions('trustProxy', trusted, TRUSTED_HEADER_RULES), place);
    else this.#trust(trusted, checked, place);
  }

  withKysely(db: KyselyHandle, options: SlowQueryOptions, place: Place): void {
    const isKysely = typeof db?.getExecutor === 'function' && typeof db.destroy === 'function';
    this.#attach({
      name: 'withKysely',
      db: isKysely && db,
      options,
      place,
      close: () => db.destroy(),
      watch: async () => {
        const { watchKysely } = await import('../../sql/kysely/watch-kysely.js');
        watchKysely(db as Parameters<typeof watchKysely>[0], options);
      },
    });
  }

  withDrizzle(db: DrizzleHandle, options: SlowQueryOptions, place: Place): void {
    const isDrizzle = typeof db?.$client === 'object' && typeof db._ === 'object';
    this.#attach({
      name: 'withDrizzle',
      db: isDrizzle && db,
      options,
      place,
      close: () => closeClient(db.$client),
      watch: async () => {
        const { watchDrizzle } = await import('../../sql/drizzle/watch-drizzle.js');
        watchDrizzle(db, options);
      },
    });
  }

  onStart(start: () => unknown, place: Place): void {
    this.#assertOpen('onStart');
    const checked = checkValue('onStart', 'the argument', start, FUNCTION);
    this.#settings.lifeCycle.addStart(() => checked(), place);
  }

  /** @returns middleware around all others, where the App may have to wait for its migrations */
  withMigrations(migrations: Migrations, place: Place): AppMigrations['gate'] | undefined {
    const checked = checkValue('withMigrations', 'the argument', migrations, MIGRATIONS);
    const settings = this.#change('withMigrations', place);
    if (settings.migrations !== undefined) {
      throw new ConfigError(
        'FW_DATABASE_TWICE',
        'withMigrations: this App has migrations already; an App has those of one database',
      );
    }
    const own = new AppMigrations(checked);
    settings.migrations = own;
    settings.lifeCycle.addStart((hold) => own.start(hold), place);
    return AppMigrations.mayWait ? own.gate : undefined;
  }

  onReady(ready: (server: ListeningServer) => unknown, place: Place): void {
    this.#assertOpen('onReady');
    this.#settings.lifeCycle.addReady(checkValue('onReady', 'the argument', ready, FUNCTION), place);
  }

  onClose(close: () => unknown): void {
    this.#assertOpen('onClose');
    this.#settings.lifeCycle.addClose(checkValue('onClose', 'the argument', close, FUNCTION));
  }

  loadContract(contract: unknown, place: Place): void {
    this.#change('loadContract', place).contract = contract;
  }

  #trust(trusted: boolean | readonly string[], checked: TrustProxyOptions, place: Place): void {
    const settings = this.#change('trustProxy', place);
    settings.trusted = trusted;
    settings.proxies = undefined;
    settings.loadProxies = undefined;
    if (trusted === false) return;
    const load = async () => {
      const { trustedProxies } = await import('../../client-address/trusted-proxies.js');
      // If trustProxy was called again meanwhile, the later call counts.
      if (settings.loadProxies === load) settings.proxies = trustedProxies(trusted, checked);
    };
    settings.loadProxies = load;
    settings.load(load());
  }

  #attach({ name, db, options, place, close, watch }: Attached): void {
    const settings = this.#change(name, place);
    const toolkit = name.slice(4);
    if (db === false) {
      throw new ConfigError(
        'FW_DATABASE',
        `${name} takes a database of ${toolkit}, such as ${toolkit.toLowerCase()}FromUrl() makes`,
      );
    }
    if (settings.database !== undefined) {
      throw new ConfigError('FW_DATABASE_TWICE', `${name}: a database is attached already; an App has one`);
    }
    checkWatch(name, options);
    settings.database = db;
    settings.load(watch());
    settings.lifeCycle.addClose(() => closeInTime(close));
  }

  /** A mounted App may have limits of its own. */
  #limit(name: 'maxBodySize' | 'requestTimeout', place: Place): Settings['limits'] {
    this.#assertOpen(name);
    this.#settings.places.set(name, place);
    return this.#settings.limits;
  }

  #change(name: Setting, place: Place): Settings {
    this.#assertOpen(name);
    this.#settings.firstSet ??= name;
    this.#settings.places.set(name, place);
    return this.#settings;
  }
}

/** A database, and how it ends and is watched. */
interface Attached {
  readonly name: 'withKysely' | 'withDrizzle';
  /** False if it is not one. */
  readonly db: object | false;
  readonly options: SlowQueryOptions;
  readonly place: Place;
  readonly close: () => unknown;
  readonly watch: () => Promise<void>;
}
