// The lists of a user. Each query names the owner: the list of somebody else is as if it did not exist.
import { FwError } from 'fw';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';
import { currentUser } from '../auth/current-user.ts';
import type { Db } from '../database/database.ts';
import { Line } from '../text.ts';
import { listChanged } from './changes.ts';

export interface List {
  id: string;
  name: string;
  /** How many of its tasks are not done. */
  openTasks: number;
}

const Id = z.uuid();
const Name = Line.trim().min(1, 'is empty').max(100, 'is too long');

export const lists = RpcRegistry.group('lists').use(currentUser);

/** The lists, the oldest first. */
lists.query('all', async (_: undefined, { ctx, user }): Promise<List[]> => {
  const rows = await ctx
    .db()
    .selectFrom('lists')
    .leftJoin('tasks', (join) => join.onRef('tasks.listId', '=', 'lists.id').on('tasks.isDone', '=', 0))
    .where('lists.ownerId', '=', user.id)
    .groupBy(['lists.id', 'lists.name', 'lists.createdAt'])
    .orderBy('lists.createdAt')
    .orderBy('lists.id')
    .select((eb) => ['lists.id', 'lists.name', eb.fn.count('tasks.id').as('openTasks')])
    .execute();
  return rows.map((row) => ({ ...row, openTasks: Number(row.openTasks) }));
});

/** Adds a list. The caller makes its id, so a call that is repeated after a lost connection adds nothing twice. */
lists.mutation(
  'add',
  { input: z.object({ id: Id, name: Name }) },
  async ({ id, name }, { ctx, user }): Promise<void> => {
    const row = { id, name, ownerId: user.id, createdAt: new Date().toISOString() };
    await ctx
      .db()
      .insertInto('lists')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await requireList(ctx.db(), user.id, id);
    listChanged(ctx, user.id, id);
  },
);

lists.mutation(
  'rename',
  { input: z.object({ id: Id, name: Name }) },
  async ({ id, name }, { ctx, user }): Promise<void> => {
    await requireList(ctx.db(), user.id, id);
    await ctx.db().updateTable('lists').set({ name }).where('id', '=', id).execute();
    listChanged(ctx, user.id, id);
  },
);

/** Removes a list with its tasks. */
lists.mutation('remove', { input: z.object({ id: Id }) }, async ({ id }, { ctx, user }): Promise<void> => {
  await ctx.db().deleteFrom('lists').where('id', '=', id).where('ownerId', '=', user.id).execute();
  listChanged(ctx, user.id, id);
});

/** @throws FwError 404, unless the user has this list */
export async function requireList(db: Db, ownerId: string, id: string): Promise<void> {
  const list = await db
    .selectFrom('lists')
    .select('id')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst();
  if (list === undefined) throw FwError.notFound(`there is no list ${id}`);
}
