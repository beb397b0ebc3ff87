// Settings: what the App that listens decides for every request, whichever mounted App answers it.
import type { ReadClientIp } from './client-address/trusted-proxies.js';
import type { ConnectionTimes } from './connection-times.js';

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Settings {
  gracePeriodMs = 30_000;
  maxBodySize: number | undefined;
  requestTimeoutMs: number | undefined;
  connection: Partial<ConnectionTimes> = {};
  /** Set where a proxy is trusted; without it the peer is the client. */
  readClientIp: ReadClientIp | undefined;
  /** The loading that may set it. */
  loadClientIp: (() => Promise<void>) | undefined;
  /** The setting that was changed first, for an App that is mounted with it. */
  firstSet: string | undefined;
  #loading: Promise<unknown> | undefined;

  /** Code that a setting needs; requests wait for it. */
  load(module: Promise<unknown>): void {
    const both = Promise.all([this.#loading, module]);
    // Whoever waits gets the failure; until then it must not end the process.
    both.catch(() => {});
    this.#loading = both;
  }

  /** What requests must wait for; undefined once everything is there. Rejects where a setting is wrong. */
  async loaded(): Promise<void> {
    await this.#loading;
    this.#loading = undefined;
  }

  get isLoaded(): boolean {
    return this.#loading === undefined;
  }
}

/** @throws Error when a timer could not keep the time. */
export function checkTime(what: string, ms: number, leastMs: number): number {
  if (ms >= leastMs && ms <= LONGEST_TIMER_MS) return ms;
  throw new Error(`invalid ${what} ${ms}: give milliseconds, ${leastMs} to ${LONGEST_TIMER_MS}`);
}
