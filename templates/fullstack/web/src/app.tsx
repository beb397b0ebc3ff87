// What the page shows: the sign-in, or the lists of the user who is signed in.
import { useQuery } from '@tanstack/react-query';
import { Redirect, Route, Switch, useRoute } from 'wouter';
import { AccountMenu } from './account/account-menu.tsx';
import { AccountPage, openPages } from './account/account-page.tsx';
import { SettingsPage } from './account/settings-page.tsx';
import { UnconfirmedHint } from './account/unconfirmed-hint.tsx';
import { api } from './api.ts';
import type { User } from './client.ts';
import { HomePage } from './lists/home-page.tsx';
import { ListPage } from './lists/list-page.tsx';
import { ListsNav } from './lists/lists-nav.tsx';
import { ConnectionBanner } from './live/connection-banner.tsx';
import { useLiveUpdates } from './live/use-live-updates.ts';
import { LoadError } from './ui/load-error.tsx';
import { NotFound } from './ui/not-found.tsx';
import { Notices } from './ui/notices.tsx';
import { PageTitle } from './ui/page-title.tsx';
import { Skeleton } from './ui/skeleton.tsx';

export function App() {
  // A session can end while a window is in the background, and another window can begin one by the provider.
  const account = useQuery({
    ...api.accounts.current.queryOptions(),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  const [isOpen] = useRoute(openPages);
  return (
    <>
      <ConnectionBanner />
      {account.isPending ? (
        <main className="centered">
          <PageTitle>Your lists</PageTitle>
          <Skeleton label="Loading" lines={3} />
        </main>
      ) : account.isError && account.data === undefined ? (
        <main className="centered">
          <div className="card stack">
            <PageTitle>Your lists</PageTitle>
            <LoadError what="The page" error={account.error} retry={account.refetch} />
          </div>
        </main>
      ) : account.data && !isOpen ? (
        <SignedIn key={account.data.id} user={account.data} />
      ) : (
        <AccountPage />
      )}
      <Notices />
    </>
  );
}

function SignedIn({ user }: { user: User }) {
  useLiveUpdates();
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AccountMenu user={user} />
      <ListsNav />
      <main className="content" id="content" tabIndex={-1}>
        <UnconfirmedHint user={user} />
        <Switch>
          <Route path="/lists/:id">{({ id }) => <ListPage key={id} id={id} />}</Route>
          <Route path="/account">
            <SettingsPage user={user} />
          </Route>
          <Route path="/" component={HomePage} />
          {/* Who has just signed in is still there. */}
          <Route path={/^\/(?:sign-in|sign-up|forgotten-password|account-deleted)$/}>
            <Redirect to="/" replace />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </main>
    </div>
  );
}
