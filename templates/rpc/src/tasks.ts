// The data of the service: tasks, kept in memory. Replace them with your own.

/** Something to do. */
export interface Task {
  id: number;
  title: string;
  priority: Priority;
  isDone: boolean;
}

export type Priority = 'low' | 'normal' | 'high';

const tasks: Task[] = [{ id: 1, title: 'Edit src/rpc.ts', priority: 'normal', isDone: false }];

export function allTasks(): Task[] {
  return tasks;
}

export function addTask(title: string, priority: Priority): Task {
  const task: Task = { id: tasks.length + 1, title, priority, isDone: false };
  tasks.push(task);
  return task;
}

export function findTask(id: number): Task | undefined {
  return tasks.find((task) => task.id === id);
}
