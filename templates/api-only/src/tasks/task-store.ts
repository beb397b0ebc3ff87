// The queries on tasks. Each names the owner: the task of somebody else is as if it did not exist.
import { FwError } from 'fw';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { cursorAt } from './cursor.ts';
import { type Expected, etagOf } from './etag.ts';
import type { Task } from './task-changes.ts';

export interface TaskFilter {
  limit: number;
  cursor?: { createdAt: string; id: string } | undefined;
  status?: Task['status'] | undefined;
  q?: string | undefined;
}

export async function listTasks(
  db: Db,
  ownerId: string,
  { limit, cursor, status, q }: TaskFilter,
): Promise<{ items: Task[]; nextCursor: string | null }> {
  let query = db.selectFrom('tasks').selectAll().where('ownerId', '=', ownerId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (q !== undefined) {
    const pattern = `%${q.replace(/[!%_]/g, '!$&')}%`;
    query = query.where(sql<boolean>`lower(title) like lower(${pattern}) escape '!'`);
  }
  if (cursor !== undefined) {
    const { createdAt, id } = cursor;
    query = query.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(createdAt, id)));
  }
  // The id decides between tasks of one millisecond. The row beyond the limit tells that there is another page.
  const rows = await query
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null };
}

export async function addTask(db: Db, task: Task): Promise<void> {
  await db.insertInto('tasks').values(task).execute();
}

/** @throws FwError 404 */
export async function findTask(db: Db, ownerId: string, id: string): Promise<Task> {
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst();
  if (task === undefined) throw FwError.notFound(`there is no task ${id}`);
  return task;
}

/**
 * Changes a task if it has an expected version. That is checked by the statement that changes it: of two changes at
 * once, one finds the version of the other.
 * @throws FwError 404 or 412
 */
export async function changeTask(
  db: Db,
  ownerId: string,
  id: string,
  expected: Expected,
  change: { [Field in 'title' | 'notes']?: string | undefined } & { status?: Task['status'] | undefined },
): Promise<Task> {
  let query = db
    .updateTable('tasks')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: new Date().toISOString() }))
    .where('id', '=', id)
    .where('ownerId', '=', ownerId);
  if (expected !== 'any') query = query.where('version', 'in', expected);
  const changed = await query.returningAll().executeTakeFirst();
  return changed ?? refuse(db, ownerId, id);
}

/** @throws FwError 404 or 412 */
export async function removeTask(db: Db, ownerId: string, id: string, expected: Expected): Promise<void> {
  let query = db.deleteFrom('tasks').where('id', '=', id).where('ownerId', '=', ownerId);
  if (expected !== 'any') query = query.where('version', 'in', expected);
  const { numDeletedRows } = await query.executeTakeFirst();
  if (numDeletedRows === 0n) await refuse(db, ownerId, id);
}

/** @throws FwError 404 if the task does not exist, else 412 with the ETag that it has now */
async function refuse(db: Db, ownerId: string, id: string): Promise<never> {
  const tag = etagOf(await findTask(db, ownerId, id));
  throw FwError.preconditionFailed(`the task has changed; its ETag is ${tag} now`, {
    headers: { ETag: tag },
  });
}
