// A form with an e-mail address and a password. The server validates it, and its faults are shown at the fields.
import type { UseMutationResult } from '@tanstack/react-query';
import type { User } from '../client.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';

interface Credentials {
  email: string;
  password: string;
}

interface Props {
  action: string;
  call: UseMutationResult<User, Error, Credentials>;
  passwordAutoComplete: 'current-password' | 'new-password';
  passwordHint?: string;
  /** What the errors that the procedure declares mean for the form. */
  explain: (error: Error) => Faults;
}

export function AccountForm({ action, call, passwordAutoComplete, passwordHint, explain }: Props) {
  const faults = faultsOf(call.error, explain);
  return (
    <Form
      action={action}
      call={call}
      fault={faults.form}
      onSubmit={(text) => call.mutate({ email: text('email'), password: text('password') })}
    >
      <Field label="E-mail" name="email" type="email" autoComplete="email" fault={faults.email} />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete={passwordAutoComplete}
        hint={passwordHint}
        fault={faults.password}
      />
    </Form>
  );
}
