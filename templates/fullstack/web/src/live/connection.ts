// Whether the page is connected: the state of the network, and that of the stream of changes.
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();

/** Called by the stream of changes. */
export function setLost(lost: boolean): void {
  isLost = lost;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}

export function useConnection(): 'connected' | 'reconnecting' | 'offline' {
  const isOnline = useIsOnline();
  const lost = useSyncExternalStore(subscribe, () => isLost);
  if (!isOnline) return 'offline';
  return lost ? 'reconnecting' : 'connected';
}
