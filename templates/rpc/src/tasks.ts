// The data of the service: tasks, kept in memory. Replace them with your own.
import { PubSub } from 'fw';

/** Something to do. */
export interface Task {
  id: number;
  title: string;
  priority: Priority;
  isDone: boolean;
}

export type Priority = 'low' | 'normal' | 'high';

const tasks: Task[] = [{ id: 1, title: 'Edit src/rpc.ts', priority: 'normal', isDone: false }];

/** Tells of tasks that were added or finished. */
const changes = new PubSub<Task>();

export function allTasks(): Task[] {
  return tasks;
}

export function addTask(title: string, priority: Priority): Task {
  const task: Task = { id: tasks.length + 1, title, priority, isDone: false };
  tasks.push(task);
  changes.publish('tasks', task);
  return task;
}

export function finishTask(task: Task): Task {
  task.isDone = true;
  changes.publish('tasks', task);
  return task;
}

/** The tasks that change from now on, until the signal aborts. */
export function taskChanges(signal: AbortSignal): AsyncIterable<Task> {
  return changes.subscribe('tasks', { signal });
}

export function findTask(id: number): Task | undefined {
  return tasks.find((task) => task.id === id);
}
