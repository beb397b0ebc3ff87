// Signing in and out: changes who the page belongs to, in all windows of the browser.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../api.ts';
import type { User } from '../client.ts';
import { queryClient } from '../query-client.ts';

/** The windows of a browser share its session: who signs in or out in one of them does so in all. */
const windows = new BroadcastChannel('account');
windows.onmessage = ({ data }: MessageEvent<User | null>) => show(queryClient, data);

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({ ...api.accounts.signIn.mutationOptions(), onSuccess: (user) => enter(queries, user) });
}

export function useSignUp() {
  const queries = useQueryClient();
  return useMutation({ ...api.accounts.signUp.mutationOptions(), onSuccess: (user) => enter(queries, user) });
}

export function useSignOut({ hasPassword }: User) {
  const queries = useQueryClient();
  return useMutation({
    ...api.accounts.signOut.mutationOptions(),
    onSuccess: () => {
      // Whoever uses this browser next must not get in by the provider, who still knows the user.
      if (hasPassword) return enter(queries, null);
      windows.postMessage(null);
      location.assign('/auth/signed-out');
    },
  });
}

export function useDeleteAccount() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    ...api.accounts.remove.mutationOptions(),
    onSuccess: () => {
      navigate('/account-deleted');
      enter(queries, null);
    },
  });
}

function enter(queries: QueryClient, user: User | null): void {
  show(queries, user);
  windows.postMessage(user);
}

/** Nothing of one user may stay for the next: neither what was loaded, nor what waits to be sent. */
function show(queries: QueryClient, user: User | null): void {
  queries.getMutationCache().clear();
  queries.removeQueries({ queryKey: api.lists.queryKey() });
  queries.removeQueries({ queryKey: api.tasks.queryKey() });
  queries.removeQueries({ queryKey: api.sessions.queryKey() });
  queries.setQueryData(api.accounts.current.queryKey(), user);
}
