// The pages of links in mails, and the one that asks for a link to a new password.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api.ts';
import { isErrorOf } from '../client.ts';
import { faultsOf } from '../errors.ts';
import { EmailField, PasswordField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Message } from '../ui/message.tsx';
import { PageTitle } from '../ui/page-title.tsx';

/** The secret of the link is behind the # of the address, which browsers send to nobody. */
function useToken(): string {
  return useState(() => location.hash.slice(1))[0];
}

/** After that, the account is another: what the page knows of it is asked anew. */
function useRefresh() {
  const queries = useQueryClient();
  return { onSuccess: () => queries.invalidateQueries({ queryKey: api.accounts.queryKey() }) };
}

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
        <EmailField fault={faults.email} />
      </Form>
      <p className="muted">
        <Link href="/sign-in">Sign in</Link>
      </p>
    </>
  );
}

export function NewPassword() {
  const token = useToken();
  const reset = useMutation({ ...api.accounts.resetPassword.mutationOptions(), ...useRefresh() });
  const faults = faultsOf(reset.error, (error) =>
    isErrorOf(error, 'accounts.resetPassword')
      ? { form: 'This link was used, or is older than 30 minutes. Ask for a new one.' }
      : {},
  );
  if (reset.isSuccess) {
    return (
      <Message title="Password changed" href="/sign-in" link="Sign in">
        You are signed out everywhere.
      </Message>
    );
  }
  return (
    <>
      <PageTitle>New password</PageTitle>
      <Form
        action="Change password"
        call={reset}
        fault={faults.form}
        onSubmit={(text) => reset.mutate({ token, newPassword: text('password') })}
      >
        <PasswordField label="New password" isNew fault={faults.newPassword} />
      </Form>
      <p className="muted">
        <Link href="/forgotten-password">Ask for a new link</Link>
      </p>
    </>
  );
}

/** It waits for a click: programs that look into mails open links, too. */
export function ConfirmEmail() {
  const token = useToken();
  const confirm = useMutation({ ...api.accounts.confirmEmail.mutationOptions(), ...useRefresh() });
  const faults = faultsOf(confirm.error, (error) => {
    if (!isErrorOf(error, 'accounts.confirmEmail')) return {};
    return {
      form:
        error.error.name === 'emailTaken'
          ? 'Another account has this address by now.'
          : 'This link was used, or is older than a day. Your account page sends another one.',
    };
  });
  if (confirm.isSuccess) {
    return (
      <Message title="Address confirmed" href="/" link="Go to your lists">
        {confirm.data} is the address of your account.
      </Message>
    );
  }
  return (
    <>
      <PageTitle>Confirm your address</PageTitle>
      <p>One click, and we know that this e-mail address is yours.</p>
      <Form action="Confirm" call={confirm} fault={faults.form} onSubmit={() => confirm.mutate({ token })} />
      <p className="muted">
        <Link href="/">Go to your lists</Link>
      </p>
    </>
  );
}
