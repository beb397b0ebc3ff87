// What the page tells the user: notices of failures, and announcements for screen readers.
import { useSyncExternalStore } from 'react';

export interface Notice {
  id: number;
  text: string;
}

/** More would cover the page. */
const MOST = 3;

let nextId = 1;
let state: { notices: readonly Notice[]; announcement: string } = { notices: [], announcement: '' };
const listeners = new Set<() => void>();

function update(changes: Partial<typeof state>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

/** Shows a notice until the user dismisses it. */
export function notify(text: string): void {
  update({ notices: [...state.notices, { id: nextId++, text }].slice(-MOST) });
}

export function dismiss(id: number): void {
  update({ notices: state.notices.filter((notice) => notice.id !== id) });
}

/** Lets screen readers say what everybody else sees. */
export function announce(announcement: string): void {
  update({ announcement });
}

export function useNotices(): typeof state {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
