// The page at /: what to do first.
import { PageTitle } from '../ui/page-title.tsx';
import { useLists } from './use-lists.ts';

export function HomePage() {
  const { lists } = useLists();
  if (lists === undefined) return <PageTitle>Your lists</PageTitle>;
  const open = lists.reduce((sum, { openTasks }) => sum + openTasks, 0);
  return lists.length === 0 ? (
    <div className="card empty">
      <PageTitle>Welcome</PageTitle>
      <p className="muted">
        You have no lists yet. Add the first one under “Your lists”, such as “Groceries”.
      </p>
    </div>
  ) : (
    <div className="card empty">
      <PageTitle>{open === 0 ? 'All done' : open === 1 ? '1 open task' : `${open} open tasks`}</PageTitle>
      <p className="muted">Choose a list, or add one. Every window shows every change at once.</p>
    </div>
  );
}
