// The page about an API: what the whole page knows: the place, the search and the credentials.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Credentials } from '../../../api-model/credentials.js';

/** The id of the open operation; empty for the overview. */
export const place: Signal<string> = signal(placeNow());
export const query: Signal<string> = signal('');
/** The kind that the list is limited to; empty for all. */
export const kind: Signal<string> = signal('');
/** The path of the page, without a slash at its end. */
export const base: string = typeof document === 'undefined' ? '' : (document.body.dataset.base ?? '');

const KEY = `fw-docs-credentials ${base}`;

/** Kept as long as this tab. */
export const credentials: Signal<Credentials> = signal(stored());
export const hasCredentials: ReadonlySignal<boolean> = computed(() =>
  Object.values(credentials.value).some((value) => value !== ''),
);

/** Calls back when the address changes. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    place.value = placeNow();
  });
}

export function hashOf(id: string): string {
  return `#/${encodeURIComponent(id)}`;
}

function placeNow(): string {
  if (typeof location === 'undefined') return '';
  try {
    return decodeURIComponent(location.hash.replace(/^#\/?/, ''));
  } catch {
    // An address that somebody has typed.
    return '';
  }
}

export function enter(name: string, value: string): void {
  credentials.value = { ...credentials.value, [name]: value };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(credentials.value));
  } catch {
    // Without storage they last as long as the page.
  }
}

export function forget(): void {
  credentials.value = {};
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

function stored(): Credentials {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as unknown;
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'string'));
  } catch {
    // Nothing that can be read was stored.
    return {};
  }
}
