// A form with an e-mail address and a password. The server validates it, and its faults are shown at the fields.
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import type { User } from '../client.ts';
import { issuesOf, messageOf } from '../errors.ts';
import { Field } from '../ui/field.tsx';

interface Credentials {
  email: string;
  password: string;
}

/** Faults by the name of the field; `form` is for those of none. */
type Faults = Readonly<Partial<Record<keyof Credentials | 'form', string>>>;

interface Props {
  action: string;
  call: UseMutationResult<User, Error, Credentials>;
  passwordAutoComplete: 'current-password' | 'new-password';
  passwordHint?: string;
  /** What the errors that the procedure declares mean for the form. */
  explain: (error: Error) => Faults;
}

export function AccountForm({ action, call, passwordAutoComplete, passwordHint, explain }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const faults = call.error === null ? {} : faultsOf(call.error, explain);

  // A screen reader then says what is wrong.
  useEffect(() => {
    if (call.isError) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }, [call.isError]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    call.mutate({ email: String(data.get('email')), password: String(data.get('password')) });
  };

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {faults.form !== undefined && (
        <p className="fault" role="alert" tabIndex={-1}>
          {faults.form}
        </p>
      )}
      <Field label="E-mail" name="email" type="email" autoComplete="email" fault={faults.email} />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete={passwordAutoComplete}
        hint={passwordHint}
        fault={faults.password}
      />
      <button className="primary" type="submit" disabled={call.isPending}>
        {call.isPending ? 'One moment…' : action}
      </button>
    </form>
  );
}

function faultsOf(error: Error, explain: Props['explain']): Faults {
  const faults: Faults = { ...issuesOf(error), ...explain(error) };
  return Object.keys(faults).length > 0 ? faults : { form: messageOf(error) };
}
