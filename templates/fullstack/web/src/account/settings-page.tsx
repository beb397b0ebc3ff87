// The page at /account: the e-mail address, the password, where the user is signed in, and the end of the account.
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { User } from '../client.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { useProvider } from './provider.tsx';
import { SessionList } from './session-list.tsx';

export function SettingsPage({ user }: { user: User }) {
  const provider = useProvider() ?? 'a provider';
  return (
    <>
      <Link className="back" href="/">
        ← Your lists
      </Link>
      <PageTitle>Your account</PageTitle>
      <Section title="E-mail address">
        <EmailForm user={user} />
      </Section>
      <Section title="Password">
        {user.hasPassword ? (
          <PasswordForm email={user.email} />
        ) : (
          <p className="muted">You sign in with {provider}: this account has no password of its own.</p>
        )}
      </Section>
      <Section title="Where you are signed in">
        <SessionList />
      </Section>
      <Section title="Delete account">
        <DeleteAccount user={user} />
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
