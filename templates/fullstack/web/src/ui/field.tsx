// A labelled field of a form, with a hint and the fault that the server has found.
import { type ComponentProps, useId } from 'react';

interface Props extends ComponentProps<'input'> {
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
}

export function Field({ label, hint, fault, ...input }: Props) {
  const id = useId();
  const note = fault === undefined ? hint : `${label} ${fault}.`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={fault === undefined ? 'muted' : 'fault'}>
          {note}
        </p>
      )}
    </div>
  );
}
