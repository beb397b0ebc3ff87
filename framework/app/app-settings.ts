// The application's settings: limits, timeouts and trusted proxies.

import type { TrustProxyOptions } from '../client-address/trusted-proxies.js';
import { checkBodyLimit } from '../http/body-limit.js';
import { checkTime } from '../runtime/check-time.js';
import { type ConnectionTimeouts, checkConnectionTimeouts } from '../runtime/connection-timeouts.js';
import { Settings } from './settings.js';

export abstract class AppSettings {
  /** @internal */
  protected readonly settings: Settings = new Settings();

  /** @throws ConfigError when the App already answers requests or is mounted. @internal */
  protected abstract assertOpen(what: string): void;

  /**
   * Sets the largest request body, in bytes; unlimited by default. A larger body is answered 413 and never kept
   * in memory as a whole. Like all settings, it belongs on the App that listens; mounting an App that has
   * settings fails.
   *
   * @throws ConfigError when it is not a whole number of bytes, 0 or more.
   */
  maxBodySize(bytes: number): this {
    this.#change('maxBodySize').maxBodySize = checkBodyLimit(bytes);
    return this;
  }

  /**
   * Sets how long a request may take until its response begins, in milliseconds; unlimited by default. After
   * that, `ctx.signal` aborts and the answer is 408, which passes through the middleware like any error. A stream
   * or upgrade that has begun is not limited.
   *
   * @throws ConfigError when it is not between 1 and 2^31 - 1.
   */
  requestTimeout(ms: number): this {
    this.#change('requestTimeout').requestTimeoutMs = checkTime('requestTimeout', ms, 1);
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
    const settings = this.#change('connectionTimeouts');
    settings.connection = { ...settings.connection, ...checkConnectionTimeouts(times) };
    return this;
  }

  /**
   * Makes `ctx.clientIp()`, and everything that uses it, read the client's address from `X-Forwarded-For` or
   * `Forwarded` (RFC 7239). `true` is for a single proxy that every request passes; a list names the networks of
   * all proxies, such as `['10.0.0.0/8']`. Without a proxy in front of the server do not set it, because any
   * client can send these fields. A malformed list makes the start fail.
   */
  trustProxy(trusted: boolean | readonly string[], options: TrustProxyOptions = {}): this {
    const settings = this.#change('trustProxy');
    settings.readClientIp = undefined;
    settings.loadClientIp = undefined;
    if (trusted === false) return this;
    const load = async () => {
      const { trustedProxies } = await import('../client-address/trusted-proxies.js');
      // If trustProxy was called again meanwhile, the later call counts.
      if (settings.loadClientIp === load) settings.readClientIp = trustedProxies(trusted, options);
    };
    settings.loadClientIp = load;
    settings.load(load());
    return this;
  }

  #change(name: string): Settings {
    this.assertOpen(name);
    this.settings.firstSet ??= name;
    return this.settings;
  }
}
