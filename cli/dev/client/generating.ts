// What the cycle waits for in addition to build and boot: files that are generated from the same change.
import { setTimeout as delay } from 'node:timers/promises';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import { fingerprint } from '../../files/file-stamps.js';

/** The generation that one change started. Neither promise rejects, and both settle in bounded time. */
export interface Generating {
  /** Sources of the server that are generated. */
  readonly sources: AbsolutePath[];
  /** Settles when these sources are up to date, which is before `done`. */
  readonly settled: Promise<void>;
  /** Settles when everything is written or has failed: the new server may accept connections. */
  readonly done: Promise<void>;
}

/** Waits for one generation, and knows whether a build contains what it made. */
export interface Generated {
  readonly sources: AbsolutePath[];
  /** Call it when a build begins, which reads the sources as they are now. */
  mark(): void;
  /** Waits for a short time; true if a source was written after the build had begun. */
  isAheadSoon(): Promise<boolean>;
  /** The same, after the whole generation. */
  isAhead(): Promise<boolean>;
  /** Milliseconds spent on waiting so far. */
  readonly waited: number;
}

/** How long a build waits for generated sources, to avoid a boot of code without them, in milliseconds. */
const SOON = 250;

export function follow(generating: Generating | undefined): Generated {
  const sources = generating?.sources ?? [];
  let marked = '';
  let waited = 0;

  async function wait(work: Promise<unknown> | undefined): Promise<boolean> {
    if (!work) return false;
    const began = performance.now();
    await work;
    waited += performance.now() - began;
    return marked !== fingerprint(sources);
  }

  return {
    sources,
    mark() {
      marked = fingerprint(sources);
    },
    isAheadSoon: () =>
      wait(generating && Promise.race([generating.settled, delay(SOON, undefined, { ref: false })])),
    isAhead: () => wait(generating?.done),
    get waited() {
      return waited;
    },
  };
}
