// Changes of tasks: each is one transaction, and whoever watches them is told.
import type { Context } from 'fw';
import { transaction } from 'fw/kysely';
import type { Selectable } from 'kysely';
import type { Database, Db } from '../database/database.ts';

export type Task = Selectable<Database['tasks']>;

export interface TaskChange {
  kind: 'added' | 'changed' | 'removed';
  task: Pick<Task, 'id' | 'ownerId'> & Partial<Task>;
}

/** What else happens when a task changes, such as an entry in an audit log or a message to other people. */
export interface TaskWatcher {
  /** Runs in the transaction of the change: what it writes is stored exactly if the change is. */
  changing?(trx: Db, change: TaskChange): Promise<void>;
  /** Runs when the change is stored; the answer waits for it. It must not fail: what is stored stays. */
  changed?(change: TaskChange): unknown;
}

/** Makes a change and tells the watcher of it. Nothing is stored if the watcher, or the client's leaving, ends it. */
export async function makeChange<Change extends TaskChange>(
  ctx: Context,
  watcher: TaskWatcher,
  work: (trx: Db) => Promise<Change>,
): Promise<Change> {
  const change = await transaction(ctx, async (trx) => {
    const made = await work(trx);
    await watcher.changing?.(trx, made);
    return made;
  });
  await watcher.changed?.(change);
  return change;
}
