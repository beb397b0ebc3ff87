// The application's settings: limits, times, and whom to believe; what an App has beside its routes.
import { checkBodyLimit } from './body-limit.js';
import type { TrustProxyOptions } from './client-address/trusted-proxies.js';
import { type ConnectionTimes, checkConnectionTimes } from './connection-times.js';
import { checkTime, Settings } from './settings.js';

export abstract class AppSettings {
  /** @internal */
  protected readonly settings: Settings = new Settings();

  /** @throws Error where it is too late to change anything. @internal */
  protected abstract assertOpen(what: string): void;

  /**
   * The largest request body in bytes; none by default. A larger one is answered 413 and never held in memory
   * as a whole. A setting of the App that listens: one on a mounted App has no effect, so it is refused there.
   *
   * @throws Error when it is no whole number of bytes.
   */
  maxBodySize(bytes: number): this {
    this.#change('maxBodySize').maxBodySize = checkBodyLimit(bytes);
    return this;
  }

  /**
   * How long a response may take, in milliseconds; no limit by default. Then `ctx.signal` aborts and the answer
   * is 408, through the middleware as any error. A stream or upgrade that has begun is not limited.
   *
   * @throws Error when no timer could keep the time.
   */
  requestTimeout(ms: number): this {
    this.#change('requestTimeout').requestTimeoutMs = checkTime('requestTimeout', ms, 1);
    return this;
  }

  /**
   * How long a shutdown waits for requests in flight, in milliseconds; 30,000 by default.
   *
   * @throws Error when no timer could keep the time.
   */
  shutdownGracePeriod(ms: number): this {
    this.#change('shutdownGracePeriod').gracePeriodMs = checkTime('shutdownGracePeriod', ms, 0);
    return this;
  }

  /**
   * How long a server of `listen` and its like waits for the other end of a connection; see `ConnectionTimes`
   * for the defaults.
   *
   * @throws Error when a name is unknown or no timer could keep the time.
   */
  connectionTimes(times: Partial<ConnectionTimes>): this {
    const settings = this.#change('connectionTimes');
    settings.connection = { ...settings.connection, ...checkConnectionTimes(times) };
    return this;
  }

  /**
   * Lets `ctx.clientIp()`, and what builds on it, believe `X-Forwarded-For` and `Forwarded`. `true` is for one
   * proxy that every request comes through; a list names the networks of all proxies on the way. Without a
   * proxy in front, any client can write these fields: leave it off then. A malformed list fails at the start.
   */
  trustProxy(trusted: boolean | readonly string[], options: TrustProxyOptions = {}): this {
    const settings = this.#change('trustProxy');
    settings.readClientIp = undefined;
    settings.loadClientIp = undefined;
    if (trusted === false) return this;
    const load = async () => {
      const { trustedProxies } = await import('./client-address/trusted-proxies.js');
      // A later call counts instead.
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
