// The tasks of a list. Whoever owns the list owns its tasks.
import { FwError } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';
import { currentUser } from '../auth/current-user.ts';
import type { Db } from '../database/database.ts';
import { Line } from '../text.ts';
import { listChanged } from './changes.ts';
import { requireList } from './lists.ts';

export interface Task {
  id: string;
  title: string;
  isDone: boolean;
}

const Id = z.uuid();
const Title = Line.trim().min(1, 'is empty').max(200, 'is too long');

export const tasks = RpcRegistry.group('tasks').use(currentUser);

/** The tasks of a list, the oldest first. */
tasks.query('inList', { input: z.object({ listId: Id }) }, async ({ listId }, call): Promise<Task[]> => {
  const { ctx, user } = call;
  await requireList(ctx.db(), user.id, listId);
  const rows = await ctx
    .db()
    .selectFrom('tasks')
    .select(['id', 'title', 'isDone'])
    .where('listId', '=', listId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, isDone: row.isDone === 1 }));
});

/** Adds a task. The caller makes its id, so a call that is repeated after a lost connection adds nothing twice. */
tasks.mutation(
  'add',
  { input: z.object({ id: Id, listId: Id, title: Title }) },
  async ({ id, listId, title }, { ctx, user }): Promise<void> => {
    await requireList(ctx.db(), user.id, listId);
    const row = { id, listId, title, isDone: 0, createdAt: new Date().toISOString() };
    await ctx
      .db()
      .insertInto('tasks')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await listOf(ctx.db(), user.id, id);
    listChanged(ctx, user.id, listId);
  },
);

/** Renames a task, or marks it as done or open. What is left out stays as it is. */
tasks.mutation(
  'change',
  { input: z.object({ id: Id, title: Title.optional(), isDone: z.boolean().optional() }) },
  async ({ id, title, isDone }, { ctx, user }): Promise<void> => {
    const listId = await listOf(ctx.db(), user.id, id);
    const change = {
      ...(title !== undefined && { title }),
      ...(isDone !== undefined && { isDone: Number(isDone) }),
    };
    if (Object.keys(change).length === 0) throw FwError.badRequest('give a title or isDone');
    await ctx.db().updateTable('tasks').set(change).where('id', '=', id).execute();
    listChanged(ctx, user.id, listId);
  },
);

tasks.mutation('remove', { input: z.object({ id: Id }) }, async ({ id }, { ctx, user }): Promise<void> => {
  const listId = await listOf(ctx.db(), user.id, id);
  await ctx.db().deleteFrom('tasks').where('id', '=', id).execute();
  listChanged(ctx, user.id, listId);
});

/**
 * The list that a task is in.
 * @throws FwError 404, unless the task is in a list of the user
 */
async function listOf(db: Db, ownerId: string, taskId: string): Promise<string> {
  const found = await db
    .selectFrom('tasks')
    .innerJoin('lists', 'lists.id', 'tasks.listId')
    .select('tasks.listId')
    .where('tasks.id', '=', taskId)
    .where('lists.ownerId', '=', ownerId)
    .executeTakeFirst();
  if (found === undefined) throw FwError.notFound(`there is no task ${taskId}`);
  return found.listId;
}
