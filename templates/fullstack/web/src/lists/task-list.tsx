// The tasks of a list, in each of the states that loading can have.
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TaskItem } from './task-item.tsx';
import { useTasks } from './use-tasks.ts';

export function TaskList({ listId }: { listId: string }) {
  const { tasks, waiting, error, refetch } = useTasks(listId);
  if (tasks === undefined) {
    if (error !== null) return <LoadError what="The tasks" error={error} retry={refetch} />;
    return <Skeleton label="Loading the tasks" lines={4} />;
  }
  if (tasks.length === 0) return <p className="card muted">Nothing to do yet. Add the first task above.</p>;
  const done = tasks.filter(({ isDone }) => isDone).length;
  return (
    <>
      <p className="progress">
        <progress className="progress-bar" aria-label="Done" value={done} max={tasks.length} />
        <span>
          {done} of {tasks.length} done
        </span>
      </p>
      <ul className="panel" aria-label="Tasks">
        {tasks.map((task) => (
          <TaskItem key={task.id} task={task} isWaiting={waiting.has(task.id)} />
        ))}
      </ul>
    </>
  );
}
