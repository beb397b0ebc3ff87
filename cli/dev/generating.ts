// What the cycle waits for beside build and boot: files that are generated from the same change.
import { setTimeout as delay } from 'node:timers/promises';

/** The generation that one change set off. Neither promise rejects, and both settle in bounded time. */
export interface Generating {
  /** Sources of the server that were written; known before `done`. */
  readonly written: Promise<readonly string[]>;
  /** Everything is written, or cannot be: the new server may take traffic. */
  readonly done: Promise<void>;
}

/** Hands out what was written once: to the build where it is early enough, else after the boot. */
export interface Generated {
  early(): Promise<readonly string[]>;
  /** Waits for all that is generated. */
  late(): Promise<readonly string[]>;
  /** Milliseconds that were spent on waiting so far. */
  readonly waited: number;
}

/** A source that is known this soon spares a boot of code that lacks it, in milliseconds. */
const soon = 250;
const nothing: readonly string[] = [];

export function follow(generating: Generating | undefined): Generated {
  let isTaken = false;
  let waited = 0;

  async function wait<Result>(work: Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await work;
    waited += performance.now() - began;
    return result;
  }

  return {
    async early() {
      if (!generating) return nothing;
      const tooLate = delay(soon, nothing, { ref: false });
      const files = await wait(Promise.race([generating.written, tooLate]));
      isTaken = files.length > 0;
      return files;
    },
    async late() {
      if (!generating) return nothing;
      await wait(generating.done);
      return isTaken ? nothing : generating.written;
    },
    get waited() {
      return waited;
    },
  };
}
