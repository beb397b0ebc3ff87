// A form of one line that adds something, and is ready for the next.
import type { FormEvent } from 'react';

interface Props {
  label: string;
  maxLength: number;
  onAdd: (text: string) => void;
}

export function AddForm({ label, maxLength, onAdd }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get('text')).trim();
    if (text === '') return;
    form.reset();
    onAdd(text);
  };
  return (
    <form className="add-form" onSubmit={submit}>
      <input
        className="input input-wide"
        name="text"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        autoComplete="off"
      />
      <button type="submit" className="button button-primary">
        Add
      </button>
    </form>
  );
}
