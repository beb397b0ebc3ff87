// The form that changes the password.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api.ts';
import { isErrorOf } from '../client.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { PasswordField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';

export function PasswordForm({ email }: { email: string }) {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    ...api.accounts.changePassword.mutationOptions(),
    onSuccess: () => {
      form.current?.reset();
      return queries.invalidateQueries({ queryKey: api.sessions.queryKey() });
    },
  });
  const faults = faultsOf(change.error, explain);
  return (
    <Form
      ref={form}
      label="Change your password"
      action="Change password"
      call={change}
      fault={faults.form}
      status={change.isSuccess ? 'Changed. All other browsers are signed out.' : undefined}
      onSubmit={(text) => change.mutate({ currentPassword: text('current'), newPassword: text('new') })}
    >
      {/* Tells password managers whose password it is. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordField label="Current password" name="current" fault={faults.currentPassword} />
      <PasswordField label="New password" name="new" isNew fault={faults.newPassword} />
    </Form>
  );
}

function explain(error: Error): Faults {
  return isErrorOf(error, 'accounts.changePassword') ? { currentPassword: 'is wrong' } : {};
}
