// The cache of what the page has loaded, and what holds for all calls.
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { api } from './api.ts';
import { isConnectionError, isSignedOut } from './errors.ts';

// Shows an edit before the browser paints: a check box must not jump back for a moment.
notifyManager.setScheduler(queueMicrotask);

/** Whatever finds out that the session has ended: the page asks who is signed in, and shows the sign-in. */
function onError(error: Error): void {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: api.accounts.queryKey() });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Live updates tell what to load again; without them, a window that comes to the front does.
      staleTime: 30_000,
      retry: (failures, error) => isConnectionError(error) && failures < 2,
    },
  },
});
