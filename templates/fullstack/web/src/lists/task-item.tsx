// One task: a check box, its title, which can be edited in place, and a button that deletes it.
import type { MouseEvent } from 'react';
import type { Task } from '../client.ts';
import { useIsOnline } from '../live/connection.ts';
import { EditableText } from '../ui/editable-text.tsx';
import { announce } from '../ui/notices-store.ts';
import { useTaskEdits } from './use-tasks.ts';

export function TaskItem({ task, isWaiting }: { task: Task; isWaiting: boolean }) {
  const { id, title, isDone } = task;
  const edits = useTaskEdits();
  const isOnline = useIsOnline();

  const remove = (event: MouseEvent<HTMLButtonElement>) => {
    focusNeighbour(event.currentTarget);
    edits.remove({ id });
    announce(`${title} deleted`);
  };

  return (
    <li className="row">
      <EditableText
        text={title}
        label="Title of the task"
        maxLength={200}
        onChange={(text) => edits.change({ id, title: text })}
      >
        <label className="row-text">
          <input
            className="checkbox"
            type="checkbox"
            checked={isDone}
            onChange={(event) => edits.change({ id, isDone: event.currentTarget.checked })}
          />
          <span className={isDone ? 'name name-done' : 'name'}>{title}</span>
        </label>
        {isWaiting && !isOnline && <span className="badge">not sent yet</span>}
      </EditableText>
      <button
        type="button"
        className="button button-quiet"
        aria-label={`Delete ${title}`}
        data-deletes
        onClick={remove}
      >
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  );
}

/** The button that was pressed disappears: the focus moves to that of the next task, or to the form. */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li');
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
  const next = neighbour?.querySelector<HTMLElement>('[data-deletes]');
  (next ?? document.querySelector<HTMLElement>('.content .add-form input'))?.focus();
}
