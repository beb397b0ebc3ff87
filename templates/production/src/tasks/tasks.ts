// Tasks: each belongs to one user, who reaches it with a token or through an API key.
import { randomUUID } from 'node:crypto';
import { App, describeRoute, Path, Query, requireScope, Valid } from 'fw';
import { z } from 'zod';
import { currentUser } from '../auth/auth.ts';
import { Line, Lines } from '../text.ts';
import { Cursor } from './cursor.ts';
import { etagOf, IfMatch, IfMatchOptional, isKnown } from './etag.ts';
import { makeChange, type TaskWatcher } from './task-changes.ts';
import { addTask, changeTask, findTask, listTasks, removeTask } from './task-store.ts';

const Title = Line.trim().min(1).max(200);
const Notes = Lines.max(5000);
const Status = z.enum(['open', 'done']);

const NewTask = z.object({ title: Title, notes: Notes.default(''), status: Status.default('open') });
const Change = z
  .object({ title: Title, notes: Notes, status: Status })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must have title, notes or status');

const Filter = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: Cursor.optional(),
  status: Status.optional(),
  q: Line.min(1).max(100).optional().meta({ description: 'A part of the title.' }),
});

// What leaves the app: a column that is not here, such as the owner, stays inside.
const Task = z
  .object({
    id: z.uuid(),
    title: z.string(),
    notes: z.string(),
    status: Status,
    version: z.int().meta({ description: 'The ETag is this number in double quotes.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Task' });
const Page = z
  .object({
    items: z.array(Task),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next page; null on the last one.' }),
  })
  .meta({ id: 'TaskPage' });

const reads = [requireScope('tasks:read'), currentUser] as const;
const writes = [requireScope('tasks:write'), currentUser] as const;
const Id = Path('id', z.uuid());
const etag = { etag: z.string() };
const missing = { 404: 'There is no such task, or it belongs to somebody else.' };
const tags = ['tasks'];

export function tasks(watcher: TaskWatcher = {}): App {
  const app = App.withoutDefaults();

  app.get(
    describeRoute('/', { returns: Page, use: reads, tags, summary: 'My tasks, the newest first' }),
    Query(Filter),
    (filter, { ctx, user }) => listTasks(ctx.db(), user.id, filter),
  );

  app.post(
    describeRoute('/', {
      returns: { 201: { body: Task, headers: { location: z.string(), ...etag } } },
      use: writes,
      tags,
      summary: 'Add a task',
    }),
    Valid(NewTask),
    async (fields, { ctx, user }) => {
      const now = new Date().toISOString();
      const task = {
        id: randomUUID(),
        ownerId: user.id,
        ...fields,
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      await makeChange(ctx, watcher, async (trx) => {
        await addTask(trx, task);
        return { kind: 'added', task };
      });
      ctx.header('Location', `/tasks/${task.id}`).header('ETag', etagOf(task));
      return task;
    },
  );

  app.get(
    describeRoute('/:id', {
      returns: { 200: { body: Task, headers: etag }, 304: null },
      errors: missing,
      use: reads,
      tags,
      summary: 'One task',
    }),
    Id,
    async (id, { ctx, user }) => {
      const task = await findTask(ctx.db(), user.id, id);
      ctx.header('ETag', etagOf(task));
      if (!isKnown(ctx, task)) return task;
      ctx.status(304);
    },
  );

  app.patch(
    describeRoute('/:id', {
      returns: { 200: { body: Task, headers: etag } },
      errors: missing,
      use: writes,
      tags,
      summary: 'Change a task',
      description:
        'Fields that are left out stay. Of two changes of one version, the second is answered 412.',
    }),
    Id,
    IfMatch,
    Valid(Change),
    async (id, expected, change, { ctx, user }) => {
      const { task } = await makeChange(ctx, watcher, async (trx) => ({
        kind: 'changed',
        task: await changeTask(trx, user.id, id, expected, change),
      }));
      ctx.header('ETag', etagOf(task));
      return task;
    },
  );

  app.delete(
    describeRoute('/:id', {
      returns: { 204: null },
      errors: missing,
      use: writes,
      tags,
      summary: 'Remove a task',
    }),
    Id,
    IfMatchOptional,
    async (id, expected, { ctx, user }) => {
      await makeChange(ctx, watcher, async (trx) => {
        await removeTask(trx, user.id, id, expected);
        return { kind: 'removed', task: { id, ownerId: user.id } };
      });
    },
  );

  return app;
}
