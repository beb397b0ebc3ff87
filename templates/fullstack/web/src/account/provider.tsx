// Sign-in with a provider, if the app has one: the way there, and what went wrong on the way back.
import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Message } from '../ui/message.tsx';

/** What the provider is called; null if there is none, or it is not known yet. */
export function useProvider(): string | null {
  return (
    useQuery({ ...api.accounts.provider.queryOptions(), staleTime: Number.POSITIVE_INFINITY }).data ?? null
  );
}

export function ProviderButton() {
  const provider = useProvider();
  if (provider === null) return null;
  return (
    <>
      <p className="divider">or</p>
      {/* The server leads from there to the provider, and back to this address. */}
      <a className="button" href={`/auth/sign-in?return_to=${encodeURIComponent(location.pathname)}`}>
        Sign in with {provider}
      </a>
    </>
  );
}

const reasons: Readonly<Record<string, string>> = {
  400: 'It took too long, or was begun in another browser.',
  401: 'It was cancelled, or refused there.',
  403: 'Your e-mail address is not confirmed there. Confirm it, and try again.',
  409: 'Your e-mail address has an account with a password here. Sign in with that.',
  503: 'The server there cannot be reached. Try again in a minute.',
};

export function SignInFailed() {
  const status = new URLSearchParams(location.search).get('status') ?? '';
  const provider = useProvider() ?? 'the provider';
  return (
    <Message title="You are not signed in" href="/sign-in" link="Back to the sign-in">
      The sign-in with {provider} has failed.{' '}
      {Object.hasOwn(reasons, status) ? reasons[status] : 'Something went wrong on the server.'}
    </Message>
  );
}
