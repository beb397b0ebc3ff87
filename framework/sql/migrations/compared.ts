// Migrations: where checksums are kept and compared, and where the table of notes is needed.
import type { Engine } from '../database-url.js';

/** In development: what is minified says the same in another way, and nobody edits it. */
export function isCompared(): boolean {
  return process.env.NODE_ENV !== 'production';
}

/** In production, only where a run may be interrupted half-way: MySQL cannot undo changes of tables. */
export function makesNotes(engine: Engine): boolean {
  return engine === 'mysql' || isCompared();
}
