// What is to be done about the migrations of the app, in lines.
import type { MigrationsState } from '../../process/messages.js';

export interface MigrationHints {
  /** Such as `npm run`. */
  readonly runScript: string;
  readonly hasKeys: boolean;
}

/** A line with what is the case, and one with what to do. */
export interface MigrationText {
  readonly what: string;
  readonly remedy: string;
}

export function migrationTexts(
  { pending, interrupted, edited, missing, url }: MigrationsState,
  { runScript, hasKeys }: MigrationHints,
): MigrationText[] {
  const where = url === undefined ? '' : ` (${url})`;
  const ways = `keep the database as it is: ${runScript} migrate keep · begin anew: ${runScript} migrate reset${where}`;
  const texts: MigrationText[] = [];
  for (const name of interrupted) {
    texts.push({
      what: `the migration ${name} was interrupted, and a part of it may have run`,
      remedy: `complete it by hand, then ${runScript} migrate resolve ${name} applied; or undo it by hand, then the same with reverted`,
    });
  }
  if (pending.length > 0) {
    const subject = pending.length === 1 ? 'a migration has' : `${pending.length} migrations have`;
    texts.push({
      what: `${subject} not run, so the app answers 503: ${pending.join(', ')}`,
      remedy: hasKeys ? `press m to run ${pending.length === 1 ? 'it' : 'them'}` : `run ${runScript} migrate`,
    });
  }
  for (const name of edited)
    texts.push({ what: `the migration ${name} was edited after it ran`, remedy: ways });
  for (const name of missing) {
    texts.push({
      what: `the migration ${name} has run, and this app does not have it; is it of another branch?`,
      remedy: ways,
    });
  }
  return texts;
}
