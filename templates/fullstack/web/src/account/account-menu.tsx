// The header: where the page leads home, who is signed in, with the way to the account, and the way out.
import { Link } from 'wouter';
import type { User } from '../client.ts';
import { messageOf } from '../errors.ts';
import { notify } from '../ui/notices-store.ts';
import { useSignOut } from './use-account.ts';

export function AccountMenu({ user }: { user: User }) {
  const signOut = useSignOut(user);
  return (
    <header className="header">
      <Link className="brand" href="/">
        Lists
      </Link>
      <Link className="muted email" href="/account" title="Your account">
        {user.email}
      </Link>
      <button
        type="button"
        className="button"
        disabled={signOut.isPending}
        onClick={() =>
          signOut.mutate(undefined, {
            onError: (error) => notify(`You are still signed in. ${messageOf(error)}`),
          })
        }
      >
        Sign out
      </button>
    </header>
  );
}
