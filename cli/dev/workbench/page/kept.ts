// The page about the app: what was pinned and saved, kept up to date by the events of `fw dev`.
import { type Signal, signal } from '@preact/signals';
import type { KeptList } from '../protocol.js';

export const kept: Signal<KeptList> = signal({ pins: [], saved: [] });

/** The number of the pin in the place of a request, such as `pin-3`; undefined for another place. */
export function pinOf(item: string): number | undefined {
  const found = /^pin-(\d{1,9})$/.exec(item)?.[1];
  return found === undefined ? undefined : Number(found);
}
