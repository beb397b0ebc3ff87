// The procedures of the template rpc, with their types given in each of the three ways: takes the place of its src/rpc.ts.

export const threeStyles = `// The procedures that clients can call. There are three ways to give their types; each validates the input.
import { RpcRegistry } from 'fw/rpc';
import { log } from 'fw/tracing';
import { z } from 'zod';
import contract from './rpc-contract.json' with { type: 'json' };
import { addTask, allTasks, findTask, finishTask, type Priority, type Task, taskChanges } from './tasks.ts';

export const rpc = new RpcRegistry();

// 1. In TypeScript: \`fw generate\` reads the types of the handlers and writes them to rpc-contract.json.
rpc.loadContract(contract);

rpc.query('listTasks', async (input: { isDone?: boolean; priority?: Priority }): Promise<Task[]> => {
  return allTasks().filter(
    (task) =>
      (input.isDone === undefined || task.isDone === input.isDone) &&
      (input.priority === undefined || task.priority === input.priority),
  );
});

// Options come before the handler. A declared error has a name and typed data in the client.
rpc.mutation(
  'finishTask',
  { description: 'Marks a task as done.', errors: { noSuchTask: z.object({ id: z.number() }) } },
  async (input: { id: number }, { errors }): Promise<Task> => {
    const task = findTask(input.id);
    if (!task) throw errors.noSuchTask({ id: input.id }, { message: \`there is no task \${input.id}\` });
    log.info('task done', { id: task.id });
    return finishTask(task);
  },
);

// A subscription is an async generator: clients get what it yields, in a loop. The signal aborts when a client leaves.
rpc.subscription('onTaskChanged', async function* (input: { id?: number }, { signal }) {
  for await (const task of taskChanges(signal)) {
    if (input.id === undefined || task.id === input.id) yield task;
  }
});

// 2. As a schema, which can also limit lengths and set defaults. This one is made with zod.
const NewTask = z.object({
  title: z.string().min(1).max(200),
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
});

rpc.mutation('addTask', { input: NewTask }, async ({ title, priority }): Promise<Task> => {
  return addTask(title, priority);
});

// 3. As strings: the type of the input, and that of the output.
rpc.queryWithTypes(
  'countTasks',
  () => ({ all: allTasks().length, done: allTasks().filter((task) => task.isDone).length }),
  'void',
  '{ all: number; done: number }',
);
`;
