// The page at /account: the password, and where the user is signed in.
import { Link } from 'wouter';
import type { User } from '../client.ts';
import { PageTitle } from '../ui/page-title.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';

export function SettingsPage({ user }: { user: User }) {
  return (
    <>
      <Link className="back" href="/">
        ← Your lists
      </Link>
      <PageTitle>Your account</PageTitle>
      <section className="section" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <PasswordForm email={user.email} />
      </section>
      <section className="section" aria-labelledby="sessions">
        <h2 id="sessions">Where you are signed in</h2>
        <SessionList />
      </section>
    </>
  );
}
