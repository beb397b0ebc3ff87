// Optimistic updates: what the page shows is what the server has told, with the edits on top that it has not answered
// yet. An edit that fails is no longer on top, so there is nothing to roll back.
import type { List, ListsAddInput, Task, TasksAddInput, TasksChangeInput } from '../client.ts';

interface WithId {
  id: string;
}

export interface PendingTasks {
  added: readonly TasksAddInput[];
  changed: readonly TasksChangeInput[];
  removed: readonly WithId[];
}

export interface PendingLists {
  added: readonly ListsAddInput[];
  renamed: readonly ListsAddInput[];
  removed: readonly WithId[];
}

/** Each step has no effect if the server knows of it already: an edit is pending until the list is loaded again. */
export function withPendingTasks(known: readonly Task[], { added, changed, removed }: PendingTasks): Task[] {
  const tasks = new Map(known.map((task) => [task.id, task]));
  for (const { id, title } of added) if (!tasks.has(id)) tasks.set(id, { id, title, isDone: false });
  for (const change of changed) {
    const task = tasks.get(change.id);
    if (task !== undefined) tasks.set(change.id, { ...task, ...change });
  }
  for (const { id } of removed) tasks.delete(id);
  return [...tasks.values()];
}

/** How many tasks of a list are open, with the edits on top. @param known its tasks, if they were loaded */
export function openTasksOf(list: List, known: readonly Task[] | undefined, pending: PendingTasks): number {
  const added = pending.added.filter(({ listId }) => listId === list.id);
  const edited = new Set([...pending.changed, ...pending.removed].map(({ id }) => id));
  if (added.length === 0 && !known?.some(({ id }) => edited.has(id))) return list.openTasks;
  const tasks = withPendingTasks(known ?? [], { ...pending, added });
  const open = tasks.filter(({ isDone }) => !isDone).length;
  return known === undefined ? list.openTasks + open : open;
}

export function withPendingLists(known: readonly List[], { added, renamed, removed }: PendingLists): List[] {
  const lists = new Map(known.map((list) => [list.id, list]));
  for (const { id, name } of added) if (!lists.has(id)) lists.set(id, { id, name, openTasks: 0 });
  for (const { id, name } of renamed) {
    const list = lists.get(id);
    if (list !== undefined) lists.set(id, { ...list, name });
  }
  for (const { id } of removed) lists.delete(id);
  return [...lists.values()];
}
