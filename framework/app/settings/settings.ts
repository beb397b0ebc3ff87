// Settings: set on the App that listens, they apply to every request, including those to mounted Apps.
import type { TrustedProxies } from '../../client-address/trusted-proxies.js';
import type { Limits, RequestSettings } from '../../context/scope.js';
import type { ConnectionTimeouts } from '../../runtime/connection-timeouts.js';
import type { ServerSettings, SocketLimits } from '../../runtime/node/listen.js';
import { LifeCycle } from './life-cycle.js';

/** Limits that can be set. */
type OwnLimits = { -readonly [Name in keyof Limits]: Limits[Name] };

export class Settings implements RequestSettings, ServerSettings {
  drainDelayMs = 0;
  gracePeriodMs = 30_000;
  hasWebSockets = false;
  socketLimits: SocketLimits | undefined;
  readonly limits: OwnLimits = { maxBodySize: undefined, requestTimeoutMs: undefined };
  connection: Partial<ConnectionTimeouts> = {};
  database: unknown;
  /** What `withMigrations` was given. */
  migrations: unknown;
  /** What `loadContract` was given. */
  contract: unknown;
  /** What runs around the life of the servers. */
  readonly lifeCycle: LifeCycle = new LifeCycle();
  /** Set if a proxy is trusted; otherwise the peer is the client. */
  proxies: TrustedProxies | undefined;
  /** The pending load that will set `proxies`. */
  loadProxies: (() => Promise<void>) | undefined;
  /** What `trustProxy` was given. */
  trusted: boolean | readonly string[] | undefined;
  /** Where each changed setting was set. */
  readonly places: Map<string, () => string> = new Map();
  /** The name of the first changed setting, for the error when this App is mounted. */
  firstSet: string | undefined;
  #loading: Promise<unknown> | undefined;

  /** Registers code that a setting needs; requests wait until it is loaded. */
  load(module: Promise<unknown>): void {
    const both = Promise.all([this.#loading, module]);
    // `loaded()` reports a failure; until then it must not end the process as an unhandled rejection.
    both.catch(() => {});
    this.#loading = both;
  }

  /** Resolves when everything is loaded. Rejects when a setting is wrong. */
  async loaded(): Promise<void> {
    await this.#loading;
    this.#loading = undefined;
  }

  get isLoaded(): boolean {
    return this.#loading === undefined;
  }
}
