// The messages between `fw dev` and its generator process over the IPC channel.
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import type { Outcome } from './outcome.js';

/** The files that changed since the last order; an empty list asks for a full generation. */
export interface GenerateOrder {
  fw: 'generate';
  changed: readonly AbsolutePath[];
}

/** There is a newer change: the current generation need not be finished. */
export interface NewerChange {
  fw: 'newer';
}

export type FromGenerator =
  /** The file is about to be written. */
  | { fw: 'writes'; file: AbsolutePath; text: string }
  /** The contract is up to date; `written` names it if it was written. */
  | { fw: 'contract'; written: readonly AbsolutePath[] }
  | { fw: 'generated'; outcome: Outcome; inputs: readonly AbsolutePath[] };
