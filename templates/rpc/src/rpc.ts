// The procedures that clients can call.
import { RpcRegistry } from 'fw/rpc';
import { log } from 'fw/tracing';
import { z } from 'zod';
import contract from './rpc-contract.json' with { type: 'json' };
import { addTask, allTasks, findTask, finishTask, type Task, taskChanges } from './tasks.ts';

export const rpc = new RpcRegistry();

// Inputs have a schema, which checks them. Types of results are those of the handlers: `fw generate` reads them from here,
// and writes them to rpc-contract.json. (It can read inputs, too: `rpc.query('add', async (input: { n: number }) => …)`. And
// `rpc.queryWithTypes` takes both types as text.)
rpc.loadContract(contract);

const Priority = z.enum(['low', 'normal', 'high']);

rpc.query(
  'listTasks',
  { input: z.object({ isDone: z.boolean().optional(), priority: Priority.optional() }) },
  async ({ isDone, priority }): Promise<Task[]> => {
    return allTasks().filter(
      (task) =>
        (isDone === undefined || task.isDone === isDone) &&
        (priority === undefined || task.priority === priority),
    );
  },
);

rpc.query('countTasks', async (): Promise<{ all: number; done: number }> => {
  return { all: allTasks().length, done: allTasks().filter((task) => task.isDone).length };
});

rpc.mutation(
  'addTask',
  { input: z.object({ title: z.string().min(1).max(200), priority: Priority.default('normal') }) },
  async ({ title, priority }): Promise<Task> => addTask(title, priority),
);

// A declared error has a name and typed data in the client.
rpc.mutation(
  'finishTask',
  {
    description: 'Marks a task as done.',
    input: z.object({ id: z.number() }),
    errors: { noSuchTask: z.object({ id: z.number() }) },
  },
  async ({ id }, { errors }): Promise<Task> => {
    const task = findTask(id);
    if (!task) throw errors.noSuchTask({ id }, { message: `there is no task ${id}` });
    log.info('task done', { id });
    return finishTask(task);
  },
);

// A subscription is an async generator: clients get what it yields, in a loop. The signal aborts when a client leaves.
rpc.subscription(
  'onTaskChanged',
  { input: z.object({ id: z.number().optional() }) },
  async function* ({ id }, { signal }): AsyncGenerator<Task> {
    for await (const task of taskChanges(signal)) if (id === undefined || task.id === id) yield task;
  },
);
