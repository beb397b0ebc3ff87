// The browsers that a user is signed in with, and the way to sign them out.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { SignedIn } from '../client.ts';
import { messageOf } from '../errors.ts';
import { LoadError } from '../ui/load-error.tsx';
import { notify } from '../ui/notices-store.ts';
import { Skeleton } from '../ui/skeleton.tsx';

export function SessionList() {
  const queries = useQueryClient();
  const sessions = useQuery(api.sessions.all.queryOptions());
  const settled = {
    onError: (error: Error) => notify(`The browser is still signed in. ${messageOf(error)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: api.sessions.queryKey() }),
  };
  const end = useMutation({ ...api.sessions.end.mutationOptions(), ...settled });
  const endOthers = useMutation({ ...api.sessions.endOthers.mutationOptions(), ...settled });

  if (sessions.data === undefined) {
    return sessions.isError ? (
      <LoadError what="Your browsers" error={sessions.error} retry={sessions.refetch} />
    ) : (
      <Skeleton label="Loading your browsers" lines={2} />
    );
  }
  return (
    <>
      <ul className="panel">
        {sessions.data.map((session) => (
          <li key={session.id} className="row">
            <Browser session={session} />
            {!session.isCurrent && (
              <button
                type="button"
                className="button"
                aria-label={`Sign out ${session.browser}`}
                disabled={end.isPending}
                onClick={() => end.mutate({ id: session.id })}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <button
          type="button"
          className="button"
          disabled={endOthers.isPending}
          onClick={() => endOthers.mutate(undefined)}
        >
          Sign out all others
        </button>
      )}
    </>
  );
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function Browser({ session: { browser, isCurrent, signedInAt, usedAt } }: { session: SignedIn }) {
  return (
    <div className="row-text row-lines">
      <p className="name">
        {browser} {isCurrent && <span className="badge">this browser</span>}
      </p>
      <p className="note muted">
        Signed in <time dateTime={signedInAt}>{time.format(new Date(signedInAt))}</time>, last used{' '}
        <time dateTime={usedAt}>{time.format(new Date(usedAt))}</time>
      </p>
    </div>
  );
}
