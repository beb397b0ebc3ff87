// The e-mail address of the account, and the form that changes it.
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api.ts';
import { isErrorOf, type User } from '../client.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { EmailField, PasswordField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';

export function EmailForm({ user }: { user: User }) {
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    ...api.accounts.changeEmail.mutationOptions(),
    onSuccess: () => form.current?.reset(),
  });
  const faults = faultsOf(change.error, explain);
  return (
    <>
      <p className="name">
        {user.email}{' '}
        <span className={user.isConfirmed ? 'badge badge-good' : 'badge'}>
          {user.isConfirmed ? 'confirmed' : 'not confirmed'}
        </span>
      </p>
      {user.hasPassword && (
        <Form
          ref={form}
          label="Change your e-mail address"
          action="Change address"
          call={change}
          fault={faults.form}
          status={
            change.isSuccess
              ? `A link is on its way to ${change.variables.email}. The address changes when you open it.`
              : undefined
          }
          onSubmit={(text) => change.mutate({ email: text('email'), password: text('password') })}
        >
          <EmailField label="New e-mail address" fault={faults.email} />
          <PasswordField label="Your password" fault={faults.password} />
        </Form>
      )}
    </>
  );
}

function explain(error: Error): Faults {
  if (!isErrorOf(error, 'accounts.changeEmail')) return {};
  return error.error.name === 'emailTaken' ? { email: 'has an account already' } : { password: 'is wrong' };
}
