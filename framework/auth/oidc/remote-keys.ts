// OIDC: the keys of a provider: fetched, cached, and kept while the provider is away.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { FwError } from '../../http/errors.js';
import { reportError } from '../../tracing/error-channel.js';

/** Finds the key of a token. It throws what jose throws if there is none. */
export type FindKey = ReturnType<typeof createLocalJWKSet>;

/** How keys are fetched and kept. */
export interface JwksOptions {
  /** After how many milliseconds keys are fetched again; 600,000 (10 minutes) by default. */
  readonly cacheMaxAgeMs?: number;
  /** The least time between two fetches, in milliseconds, whatever tokens arrive; 30,000 by default. */
  readonly cooldownMs?: number;
  /** How long one fetch may take, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number;
  /** How long the last good keys are used while the provider is away, in milliseconds; 86,400,000 (a day) by default. */
  readonly maxStaleMs?: number;
}

/** The keys that are in use. */
interface Known {
  readonly find: FindKey;
  readonly fetchedAtMs: number;
}

/** Gives the keys, as text of JSON; it is aborted when its time is out. */
export type FetchKeys = (signal: AbortSignal) => Promise<unknown>;

export class RemoteKeys {
  readonly #fetch: FetchKeys;
  readonly #options: Required<JwksOptions>;
  readonly #now: () => number;
  #known: Known | undefined;
  #pending: Promise<void> | undefined;
  #triedAtMs = Number.NEGATIVE_INFINITY;

  /** @param now returns the milliseconds of a monotonic clock; `performance.now()` by default. */
  constructor(fetchKeys: FetchKeys, options: JwksOptions, now: () => number = () => performance.now()) {
    this.#fetch = fetchKeys;
    this.#options = {
      cacheMaxAgeMs: 600_000,
      cooldownMs: 30_000,
      timeoutMs: 5_000,
      maxStaleMs: 86_400_000,
      ...options,
    };
    this.#now = now;
  }

  /**
   * The present keys. Old ones are given at once, and fetched again beside the request: a provider that is slow or
   * away delays nobody. @throws FwError 503 if there are none
   */
  async present(): Promise<FindKey> {
    const known = this.#usable();
    if (known !== undefined) {
      if (this.#now() - known.fetchedAtMs >= this.#options.cacheMaxAgeMs && this.#mayFetch())
        void this.#refresh();
      return known.find;
    }
    if (this.#pending !== undefined || this.#mayFetch()) await this.#refresh();
    const fetched = this.#usable();
    if (fetched !== undefined) return fetched.find;
    throw FwError.serviceUnavailable(
      'tokens cannot be verified now: the keys of the provider are not available',
      {
        headers: { 'Retry-After': String(Math.ceil(this.#options.cooldownMs / 1000)) },
      },
    );
  }

  /**
   * Newer keys than those, for a token whose key is unknown because the provider has changed its keys. Undefined if
   * there are none, or the last fetch was too short a time ago: tokens with made-up keys must not cause requests.
   */
  async newerThan(find: FindKey): Promise<FindKey | undefined> {
    if (this.#known?.find === find && (this.#pending !== undefined || this.#mayFetch()))
      await this.#refresh();
    return this.#known?.find === find ? undefined : this.#known?.find;
  }

  #usable(): Known | undefined {
    const known = this.#known;
    const { cacheMaxAgeMs, maxStaleMs } = this.#options;
    return known !== undefined && this.#now() - known.fetchedAtMs < cacheMaxAgeMs + maxStaleMs
      ? known
      : undefined;
  }

  #mayFetch(): boolean {
    return this.#pending === undefined && this.#now() - this.#triedAtMs >= this.#options.cooldownMs;
  }

  /** One fetch at a time. Never rejects: what fails is reported, and the last keys stay. */
  #refresh(): Promise<void> {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<void> {
    this.#triedAtMs = this.#now();
    try {
      const keys = await this.#fetch(AbortSignal.timeout(this.#options.timeoutMs));
      this.#known = { find: createLocalJWKSet(keys as JSONWebKeySet), fetchedAtMs: this.#now() };
    } catch (cause) {
      const error = new Error('the keys of the identity provider could not be fetched', { cause });
      reportError({ error, status: 503, method: 'OIDC', path: '' });
    }
  }
}
