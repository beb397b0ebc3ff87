// Settings: set on the App that listens, they apply to every request, including those to mounted Apps.
import type { TrustedProxies } from '../../client-address/trusted-proxies.js';
import type { Limits, RequestSettings } from '../../context/scope.js';
import type { ConnectionTimeouts } from '../../runtime/connection-timeouts.js';
import type { ServerSettings, SocketLimits } from '../../runtime/node/listen.js';
import { reportError } from '../../tracing/error-channel.js';

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
  /** What `useContract` was given. */
  contract: unknown;
  /** What runs when the servers have closed. */
  readonly closing: Closing = new Closing();
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

/** Called when the servers of an App have closed. */
type CloseCallback = () => unknown;

export class Closing {
  readonly #callbacks: CloseCallback[] = [];
  #servers = 0;
  #isDraining = false;

  /** True from the start of a drain, when no new requests should come. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Begins the drain of a server, which goes on to accept connections for as long as its balancer may need to learn that
   * it should not get more. Resolves when it may stop; undefined if that is at once.
   */
  drainBegins(delayMs: number): Promise<void> | undefined {
    this.#isDraining = true;
    return delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : undefined;
  }

  add(callback: CloseCallback): void {
    this.#callbacks.push(callback);
  }

  /** Takes over the callbacks of a mounted App, which has no servers of its own. */
  adopt(mounted: Closing): void {
    this.#callbacks.push(...mounted.#callbacks.splice(0));
  }

  /** A server of the App has started. */
  serverStarted(): void {
    this.#isDraining = false;
    this.#servers++;
  }

  /** A server has drained. After the last one the callbacks run, the last registered first, and each once. */
  async serverClosed(): Promise<void> {
    this.#servers--;
    while (this.#servers === 0) {
      const callback = this.#callbacks.pop();
      if (callback === undefined) return;
      try {
        await callback();
      } catch (error) {
        reportError({ error, status: 500, method: 'onClose', path: '' });
      }
    }
  }
}
