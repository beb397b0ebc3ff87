// The navigation: all lists with the number of their open tasks, and a form for a new one.
import { Link, useLocation, useRoute } from 'wouter';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AddForm } from './add-form.tsx';
import { useListEdits, useLists } from './use-lists.ts';

export function ListsNav() {
  const { lists, error, refetch } = useLists();
  const [, params] = useRoute('/lists/:id');
  const [isAccount] = useRoute('/account');
  const [, navigate] = useLocation();
  const edits = useListEdits();

  const add = (name: string) => {
    const id = crypto.randomUUID();
    edits.add({ id, name });
    navigate(`/lists/${id}`);
  };

  return (
    <nav className="nav" aria-label="Lists" data-is-open={params === null && !isAccount}>
      <h2>Your lists</h2>
      {lists !== undefined ? (
        <ul>
          {lists.map(({ id, name, openTasks }) => (
            <li key={id}>
              <Link
                className="nav-link"
                href={`/lists/${id}`}
                aria-current={id === params?.id ? 'page' : undefined}
              >
                <span className="name">{name}</span>
                {openTasks > 0 && (
                  <span className="count">
                    {openTasks} <span className="hidden-text">open</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      ) : error !== null ? (
        <LoadError what="Your lists" error={error} retry={refetch} />
      ) : (
        <Skeleton label="Loading your lists" lines={4} />
      )}
      <AddForm label="New list" maxLength={100} onAdd={add} />
    </nav>
  );
}
