// What `fw dev` and its generator tell each other over the process channel.
import type { Outcome } from './outcome.js';

/** Absolute paths of what changed since the last order; none asks for everything. */
export interface GenerateOrder {
  fw: 'generate';
  changed: readonly string[];
}

/** A newer change is there: what is under way need not be finished. */
export interface NewerChange {
  fw: 'newer';
}

export type FromGenerator =
  /** About to be written. */
  | { fw: 'writes'; file: string; text: string }
  /** The contract is as it should be; named where it was written for that. */
  | { fw: 'contract'; written: readonly string[] }
  | { fw: 'generated'; outcome: Outcome; inputs: readonly string[] };
