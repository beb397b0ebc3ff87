// Migrations: runs them, one process at a time, and notes what has run.
import { makesNotes } from './compared.js';
import { type MigrationNote, notesOf, prepareNotes, removeNote, setNote } from './notes.js';
import type { Direction, MigrationSession, MigrationTarget } from './target.js';

/**
 * Runs those of the names for which it is still due, in this order. Returns the names of those that it ran: another process
 * may have run the others meanwhile.
 *
 * @throws Error that names the migration which failed, with its error as the cause
 */
export async function runMigrations(
  target: MigrationTarget,
  direction: Direction,
  names: readonly string[],
): Promise<readonly string[]> {
  const { engine, sql } = target;
  await target.prepare();
  if (makesNotes(engine)) await prepareNotes(engine, sql);
  const checksums = new Map((await target.list()).map(({ name, checksum }) => [name, checksum ?? '']));
  return target.alone(async (session) => {
    const { read, write } = session;
    if (engine === 'mysql') assertNotInterrupted(await notesOf(engine, read));
    const applied = new Set((await target.applied(read)).map(({ name }) => name));
    const due = names.filter((name) => applied.has(name) === (direction === 'down'));
    for (const name of due) {
      const checksum = checksums.get(name) ?? '';
      if (engine === 'mysql') await stepNoted(session, direction, { name, checksum, isRunning: true });
      else await session.step(direction, name, () => {});
      await target.record(write, name, direction === 'up');
      if (!makesNotes(engine)) continue;
      if (direction === 'up') await setNote(write, { name, checksum, isRunning: false });
      else await removeNote(write, name);
    }
    return due;
  });
}

/** Where a run is not undone if it fails: the note stays if a part of it has run. */
async function stepNoted(
  { write, step }: MigrationSession,
  direction: Direction,
  note: MigrationNote,
): Promise<void> {
  await setNote(write, note);
  let hasChanged = false;
  try {
    await step(direction, note.name, () => {
      hasChanged = true;
    });
  } catch (error) {
    if (!hasChanged) await removeNote(write, note.name);
    throw error;
  }
}

/** No other process runs one now. */
function assertNotInterrupted(notes: readonly MigrationNote[]): void {
  const found = notes.find(({ isRunning }) => isRunning);
  if (found === undefined) return;
  throw new Error(
    `the migration '${found.name}' was interrupted, and a part of it may have run: this database does not undo changes of tables. Look at what it has done; then complete it by hand and run \`resolve ${found.name} applied\`, or undo it by hand and run \`resolve ${found.name} reverted\``,
  );
}

export function failedMigration(name: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`the migration '${name}' failed: ${message}`, { cause: error });
}
