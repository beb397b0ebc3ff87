// Live updates: while the user is signed in, the server tells which lists have changed, in whatever window.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, client } from '../api.ts';
import { isSignedOut } from '../errors.ts';
import { setLost, useIsOnline } from './connection.ts';

const RETRY_MS = 3000;

/** Follows the changes while the browser is online. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  const isOnline = useIsOnline();
  useEffect(() => {
    if (!isOnline) return;
    const controller = new AbortController();
    void followUntil(controller.signal, queries);
    return () => {
      controller.abort();
      setLost(false);
    };
  }, [isOnline, queries]);
}

async function followUntil(signal: AbortSignal, queries: QueryClient): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(signal, queries);
    } catch (error) {
      if (signal.aborted) return;
      // Another window has signed out: asks who is signed in, and the page shows the sign-in.
      if (isSignedOut(error)) await queries.invalidateQueries({ queryKey: api.accounts.queryKey() });
      else setLost(true);
    }
    await pause(signal);
  }
}

async function follow(signal: AbortSignal, queries: QueryClient): Promise<void> {
  const onState = (state: 'open' | 'lost') => {
    if (signal.aborted) return;
    setLost(state === 'lost');
    // What has changed before the stream was open is not known, so everything is loaded again.
    if (state === 'open') refresh(queries);
  };
  for await (const { listId } of client.changes.follow({
    signal,
    onState,
    reconnect: { maxDelayMs: 5000 },
  })) {
    refresh(queries, listId);
  }
}

function refresh(queries: QueryClient, listId?: string): void {
  const tasks = listId === undefined ? api.tasks.queryKey() : api.tasks.inList.queryKey({ listId });
  void queries.invalidateQueries({ queryKey: api.lists.queryKey() });
  void queries.invalidateQueries({ queryKey: tasks });
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, RETRY_MS);
    signal.addEventListener('abort', end);
  });
}
