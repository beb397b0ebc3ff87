// Signing in and out: changes who the page belongs to.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../api.ts';
import type { User } from '../client.ts';

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
      if (!hasPassword) location.assign('/auth/signed-out');
      else enter(queries, null);
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

/** Nothing of one user may stay for the next: neither what was loaded, nor what waits to be sent. */
function enter(queries: QueryClient, user: User | null): void {
  queries.getMutationCache().clear();
  queries.removeQueries({ queryKey: api.lists.queryKey() });
  queries.removeQueries({ queryKey: api.tasks.queryKey() });
  queries.removeQueries({ queryKey: api.sessions.queryKey() });
  queries.setQueryData(api.accounts.current.queryKey(), user);
}
