// For who has forgotten the password: asks for a link by mail, and sets a new one with it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api.ts';
import { isErrorOf } from '../client.ts';
import { faultsOf } from '../errors.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { PageTitle } from '../ui/page-title.tsx';

export function ForgottenPassword() {
  const request = useMutation(api.accounts.requestReset.mutationOptions());
  const faults = faultsOf(request.error);
  return (
    <>
      <PageTitle>Forgotten password</PageTitle>
      <Form
        action="Send me a link"
        call={request}
        fault={faults.form}
        status={
          request.isSuccess ? 'If the address has an account, a mail with a link is on its way.' : undefined
        }
        onSubmit={(text) => request.mutate({ email: text('email') })}
      >
        <Field label="E-mail" name="email" type="email" autoComplete="email" fault={faults.email} />
      </Form>
      <p className="muted">
        <Link href="/sign-in">Sign in</Link>
      </p>
    </>
  );
}

/** The page of the link. Its secret is behind the # of the address, which browsers send to nobody. */
export function NewPassword() {
  const queries = useQueryClient();
  const [token] = useState(() => location.hash.slice(1));
  const reset = useMutation({
    ...api.accounts.resetPassword.mutationOptions(),
    onSuccess: () => queries.invalidateQueries({ queryKey: api.accounts.queryKey() }),
  });
  const faults = faultsOf(reset.error, (error) =>
    isErrorOf(error, 'accounts.resetPassword')
      ? { form: 'This link was used, or is older than 30 minutes. Ask for a new one.' }
      : {},
  );
  if (reset.isSuccess) {
    return (
      <>
        <PageTitle>Password changed</PageTitle>
        <p>You are signed out everywhere.</p>
        <Link href="/sign-in">Sign in</Link>
      </>
    );
  }
  return (
    <>
      <PageTitle>New password</PageTitle>
      <Form
        action="Change password"
        call={reset}
        fault={faults.form}
        onSubmit={(text) => reset.mutate({ token, newPassword: text('new') })}
      >
        <Field
          label="New password"
          name="new"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
          fault={faults.newPassword}
        />
      </Form>
      <p className="muted">
        <Link href="/forgotten-password">Ask for a new link</Link>
      </p>
    </>
  );
}
