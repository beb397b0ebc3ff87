// The procedures: what clients may call. Each is typed in one of three ways; all are checked when they are called.
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';
import contract from './rpc-contract.json' with { type: 'json' };
import { addTask, allTasks, findTask, type Priority, type Task } from './tasks.ts';

export const rpc = new RpcRegistry();

// 1. Plain TypeScript: `fw generate` reads the types from here and keeps them in rpc-contract.json.
rpc.useContract(contract);

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
    if (!task) throw errors.noSuchTask({ id: input.id }, { message: `there is no task ${input.id}` });
    task.isDone = true;
    return task;
  },
);

// 2. A schema, which can say more than a type: here with zod.
const NewTask = z.object({
  title: z.string().min(1).max(200),
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
});

rpc.mutation('addTask', { input: NewTask }, async ({ title, priority }): Promise<Task> => {
  return addTask(title, priority);
});

// 3. The types as a string.
rpc.queryWithTypes(
  'countTasks',
  () => ({ all: allTasks().length, done: allTasks().filter((task) => task.isDone).length }),
  'void',
  '{ all: number; done: number }',
);
