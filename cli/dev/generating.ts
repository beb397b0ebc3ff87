// What the cycle waits for beside build and boot: files that are generated from the same change.
import { setTimeout as delay } from 'node:timers/promises';
import { fingerprint } from './file-stamps.js';

/** The generation that one change set off. Neither promise rejects, and both settle in bounded time. */
export interface Generating {
  /** Sources of the server that are generated. */
  readonly sources: string[];
  /** They are as they should be; known before `done`. */
  readonly settled: Promise<void>;
  /** Everything is written, or cannot be: the new server may take traffic. */
  readonly done: Promise<void>;
}

/** The wait for one generation, and whether a build has what it made. */
export interface Generated {
  readonly sources: string[];
  /** A build begins: it has the sources as they are now. */
  mark(): void;
  /** Waits for a little; true where the build lacks something that was written since. */
  isAheadSoon(): Promise<boolean>;
  /** The same, after all that is generated. */
  isAhead(): Promise<boolean>;
  /** Milliseconds that were spent on waiting so far. */
  readonly waited: number;
}

/** A source that is settled this soon spares a boot of code that lacks it, in milliseconds. */
const soon = 250;

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
      wait(generating && Promise.race([generating.settled, delay(soon, undefined, { ref: false })])),
    isAhead: () => wait(generating?.done),
    get waited() {
      return waited;
    },
  };
}
