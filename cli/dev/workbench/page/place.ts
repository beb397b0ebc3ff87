// The page about the app: what is open, which the part of the address after # says, so that links and reloads work.
import { type Signal, signal } from '@preact/signals';

export type Section = 'requests' | 'app' | 'restarts' | 'charts' | 'mail' | 'docs';

export interface Place {
  readonly section: Section;
  /** The id of a request, the part of the app, or the page of the documentation; empty for none. */
  readonly item: string;
}

export const place: Signal<Place> = signal(readPlace(''));

/** Follows the address from now on. */
export function followAddress(): void {
  const read = (): void => {
    place.value = readPlace(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

/** Unknown places lead to the requests. */
export function readPlace(hash: string): Place {
  const [, section = '', item = ''] =
    /^#\/(requests|app|restarts|charts|mail)(?:\/([\w.-]{0,40}))?$/.exec(hash) ??
    /^#\/(docs)(?:\/([\w./:-]{0,200}))?$/.exec(hash) ??
    [];
  return { section: section === '' ? 'requests' : (section as Section), item };
}

export function linkTo(section: Section, item: string | number = ''): string {
  return item === '' ? `#/${section}` : `#/${section}/${item}`;
}

/** Goes there when the work is done, unless another place was opened meanwhile. */
export async function goWhenDone(work: Promise<string | number>, section: Section): Promise<void> {
  const from = location.hash;
  const item = await work;
  if (location.hash === from) goTo(section, item);
}

export function goTo(section: Section, item: string | number = ''): void {
  location.hash = linkTo(section, item);
}
