// The application's settings: limits, timeouts and trusted proxies.

import { checkTime, requestTime } from '../check-time.js';
import { addressField } from '../client-address/address-field.js';
import type { TrustedHeader, TrustProxyOptions } from '../client-address/trusted-proxies.js';
import { ConfigError } from '../config-error.js';
import { checkBodyLimit } from '../http/body-limit.js';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, either, flag, listOf, type Rules, record, required, text } from '../options/rules.js';
import { type ConnectionTimeouts, checkConnectionTimeouts } from '../runtime/connection-timeouts.js';
import { checkWatch, type WatchOptions } from '../sql/database-options.js';
import { closeClient, closeInTime, type DrizzleHandle, type KyselyHandle } from '../sql/handles.js';
import { callSite } from '../tracing/call-site.js';
import { Settings } from './settings/settings.js';

type Setting = 'shutdownGracePeriod' | 'connectionTimeouts' | 'trustProxy' | 'withKysely' | 'withDrizzle';

const TRUSTED = either(
  flag,
  listOf({ ...text, takes: "the networks of all proxies, such as '10.0.0.0/8'" }),
  record("the field with the client's address, such as { header: 'cf-connecting-ip' }"),
);
const TRUST_RULES: Rules<TrustProxyOptions> = { header: addressField };
const TRUSTED_HEADER_RULES: Rules<TrustedHeader> = { header: required(addressField) };

function isList(value: readonly string[] | TrustedHeader): value is readonly string[] {
  return Array.isArray(value);
}

export abstract class AppSettings {
  /** @internal */
  protected readonly settings: Settings = new Settings();

  /** @throws ConfigError when the App already answers requests or is mounted. @internal */
  protected abstract assertOpen(what: string): void;

  /**
   * Sets the largest request body, in bytes; unlimited by default. A larger body is answered 413 and never kept
   * in memory as a whole. It holds for the routes of this App and of the Apps mounted on it, which may set their own;
   * so may a route: `route('/upload', { maxBodySize })`. `Infinity` is unlimited.
   *
   * @throws ConfigError when it is not a whole number of bytes, 0 or more.
   */
  maxBodySize(bytes: number): this {
    this.#limit('maxBodySize').maxBodySize = checkBodyLimit(bytes);
    return this;
  }

  /**
   * Sets how long a request may take until its response begins, in milliseconds; unlimited by default. After
   * that, `ctx.signal` aborts and the answer is 408, which passes through the middleware like any error. A stream
   * or upgrade that has begun is not limited. It holds for the routes of this App and of the Apps mounted on it, which
   * may set their own; so may a route: `route('/report', { requestTimeout })`. `Infinity` is unlimited.
   *
   * @throws ConfigError when it is not between 1 and 2^31 - 1.
   */
  requestTimeout(ms: number): this {
    this.#limit('requestTimeout').requestTimeoutMs = checkValue(
      'requestTimeout',
      'the time',
      ms,
      requestTime,
    );
    return this;
  }

  /**
   * Sets how long a graceful shutdown waits for requests in flight, in milliseconds; 30,000 by default.
   *
   * @throws ConfigError when it is not between 0 and 2^31 - 1.
   */
  shutdownGracePeriod(ms: number): this {
    this.#change('shutdownGracePeriod').gracePeriodMs = checkTime('shutdownGracePeriod', ms, 0);
    return this;
  }

  /**
   * Sets how long the servers of `listen`, `listenWithShutdown` and `serveWithShutdown` wait for the client; see
   * `ConnectionTimeouts` for the defaults.
   *
   * @throws ConfigError when a name is unknown or a time is not between 1 and 2^31 - 1 milliseconds.
   */
  connectionTimeouts(times: Partial<ConnectionTimeouts>): this {
    const checked = checkConnectionTimeouts(times);
    const settings = this.#change('connectionTimeouts');
    settings.connection = { ...settings.connection, ...checked };
    return this;
  }

  /**
   * Makes `ctx.clientIp()`, and everything that uses it, read the client's address from `X-Forwarded-For` or
   * `Forwarded` (RFC 7239). `true` is for a single proxy that every request passes; a list names the networks of
   * all proxies, such as `['10.0.0.0/8']`; `{ header: 'cf-connecting-ip' }` is short for `true` with that option. Without
   * a proxy in front of the server do not set it, because any client can send these fields. A malformed network in the
   * list makes the start fail.
   *
   * @throws ConfigError if an argument is not of its kind, or an option is unknown.
   */
  trustProxy(trusted: boolean | readonly string[] | TrustedHeader, options: TrustProxyOptions = {}): this {
    checkValue('trustProxy', 'the argument', trusted, TRUSTED);
    const checked = checkOptions('trustProxy', options, TRUST_RULES);
    if (typeof trusted === 'object' && !isList(trusted)) {
      return this.#trust(true, checkOptions('trustProxy', trusted, TRUSTED_HEADER_RULES));
    }
    return this.#trust(trusted, checked);
  }

  #trust(trusted: boolean | readonly string[], checked: TrustProxyOptions): this {
    const settings = this.#change('trustProxy');
    settings.trusted = trusted;
    settings.proxies = undefined;
    settings.loadProxies = undefined;
    if (trusted === false) return this;
    const load = async () => {
      const { trustedProxies } = await import('../client-address/trusted-proxies.js');
      // If trustProxy was called again meanwhile, the later call counts.
      if (settings.loadProxies === load) settings.proxies = trustedProxies(trusted, checked);
    };
    settings.loadProxies = load;
    settings.load(load());
    return this;
  }

  /**
   * Attaches a Kysely, which `ctx.db()` then gives to handlers and procedures. When the servers of the App have
   * closed, it is destroyed. Errors of its queries become an FwError, see `fw/kysely`.
   *
   * @throws ConfigError when it is no Kysely, or a database is attached already.
   */
  withKysely(db: KyselyHandle, options: WatchOptions = {}): this {
    const isKysely = typeof db?.getExecutor === 'function' && typeof db.destroy === 'function';
    return this.#attach(
      'withKysely',
      isKysely && db,
      options,
      () => db.destroy(),
      async () => {
        const { watchKysely } = await import('../sql/kysely/watch-kysely.js');
        watchKysely(db as Parameters<typeof watchKysely>[0], options);
      },
    );
  }

  /**
   * Attaches a database of Drizzle, which `ctx.db()` then gives to handlers and procedures. When the servers of the
   * App have closed, its pool is closed. Errors of its queries become an FwError, see `fw/drizzle`.
   *
   * @throws ConfigError when it is no database of Drizzle, or a database is attached already.
   */
  withDrizzle(db: DrizzleHandle, options: WatchOptions = {}): this {
    const isDrizzle = typeof db?.$client === 'object' && typeof db._ === 'object';
    return this.#attach(
      'withDrizzle',
      isDrizzle && db,
      options,
      () => closeClient(db.$client),
      async () => {
        const { watchDrizzle } = await import('../sql/drizzle/watch-drizzle.js');
        watchDrizzle(db, options);
      },
    );
  }

  /**
   * Registers what runs when the last server of the App has drained and closed, such as the end of a connection. The
   * callbacks run one after the other, the last registered first, and each once. An error of one is reported on the
   * error channel and does not stop the others. The App that a mounted App is mounted on takes its callbacks over.
   *
   * @throws ConfigError when it is not a function, or the App already answers requests or is mounted.
   */
  onClose(close: () => unknown): this {
    this.assertOpen('onClose');
    this.settings.closing.add(checkValue('onClose', 'the argument', close, callback('a function')));
    return this;
  }

  #attach(
    name: 'withKysely' | 'withDrizzle',
    db: object | false,
    options: WatchOptions,
    close: () => unknown,
    watch: () => Promise<void>,
  ): this {
    const settings = this.#change(name);
    const toolkit = name.slice(4);
    if (db === false) {
      throw new ConfigError(
        'FW_DATABASE',
        `${name} takes a database of ${toolkit}, such as ${name.replace('with', '').toLowerCase()}FromUrl() makes`,
      );
    }
    if (settings.database !== undefined) {
      throw new ConfigError('FW_DATABASE_TWICE', `${name}: a database is attached already; an App has one`);
    }
    checkWatch(name, options);
    settings.database = db;
    settings.load(watch());
    settings.closing.add(() => closeInTime(close));
    return this;
  }

  /** A mounted App may have limits of its own. */
  #limit(name: 'maxBodySize' | 'requestTimeout'): Settings['limits'] {
    this.assertOpen(name);
    this.settings.places.set(name, callSite(this[name]));
    return this.settings.limits;
  }

  #change(name: Setting): Settings {
    this.assertOpen(name);
    this.settings.firstSet ??= name;
    this.settings.places.set(name, callSite(this[name]));
    return this.settings;
  }
}
