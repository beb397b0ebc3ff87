// The page of a list: its name, its tasks, and a form for a new one.
import { Link, useLocation } from 'wouter';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { EditableText } from '../ui/editable-text.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { announce } from '../ui/notices-store.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AddForm } from './add-form.tsx';
import { TaskList } from './task-list.tsx';
import { useListEdits, useLists } from './use-lists.ts';
import { useTaskEdits } from './use-tasks.ts';

export function ListPage({ id }: { id: string }) {
  const { lists, error, refetch } = useLists();
  const [, navigate] = useLocation();
  const listEdits = useListEdits();
  const taskEdits = useTaskEdits();

  if (lists === undefined) {
    return (
      <div className="stack">
        <PageTitle>List</PageTitle>
        {error === null ? (
          <Skeleton label="Loading the list" lines={5} />
        ) : (
          <LoadError what="The list" error={error} retry={refetch} />
        )}
      </div>
    );
  }
  const list = lists.find((one) => one.id === id);
  if (list === undefined) return <NotFound what="This list does not exist, or belongs to somebody else." />;

  const remove = () => {
    navigate('/');
    listEdits.remove({ id });
    announce(`${list.name} deleted`);
  };
  const add = (title: string) => {
    taskEdits.add({ id: crypto.randomUUID(), listId: id, title });
    announce(`${title} added`);
  };

  return (
    <>
      <Link className="back" href="/">
        ← All lists
      </Link>
      <div className="title-row">
        <EditableText
          text={list.name}
          label="Name of the list"
          maxLength={100}
          onChange={(name) => listEdits.rename({ id, name })}
        >
          <PageTitle>{list.name}</PageTitle>
        </EditableText>
        <ConfirmButton
          className="button end"
          label="Delete list"
          question={`Delete “${list.name}” with all of its tasks?`}
          onConfirm={remove}
        />
      </div>
      <AddForm label="New task" maxLength={200} onAdd={add} />
      <TaskList listId={id} />
    </>
  );
}
