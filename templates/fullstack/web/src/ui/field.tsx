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
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        className="input input-wide"
        {...input}
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={`note ${fault === undefined ? 'muted' : 'fault'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

export function EmailField(props: Partial<Props>) {
  return <Field label="E-mail" name="email" type="email" autoComplete="email" {...props} />;
}

export function PasswordField({ isNew = false, ...props }: Partial<Props> & { isNew?: boolean }) {
  const [autoComplete, hint] = isNew ? ['new-password', 'At least 12 characters.'] : ['current-password'];
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete={autoComplete}
      hint={hint}
      {...props}
    />
  );
}
