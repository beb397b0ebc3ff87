// A form with an e-mail address and a password. The server validates it, and its faults are shown at the fields.
import type { UseMutationResult } from '@tanstack/react-query';
import type { User } from '../client.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { EmailField, PasswordField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { ProviderButton } from './provider.tsx';

interface Props {
  action: string;
  call: UseMutationResult<User, Error, { email: string; password: string }>;
  isNew?: boolean;
  /** What the errors that the procedure declares mean for the form. */
  explain: (error: Error) => Faults;
}

export function AccountForm({ action, call, isNew = false, explain }: Props) {
  const faults = faultsOf(call.error, explain);
  return (
    <>
      <Form
        action={action}
        call={call}
        fault={faults.form}
        onSubmit={(text) => call.mutate({ email: text('email'), password: text('password') })}
      >
        <EmailField fault={faults.email} />
        <PasswordField isNew={isNew} fault={faults.password} />
      </Form>
      <ProviderButton />
    </>
  );
}
