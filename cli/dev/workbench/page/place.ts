// The page about the app: what is open, which the part of the address after # says, so that links and reloads work.
import { type Signal, signal } from '@preact/signals';

export type Section = 'requests' | 'app' | 'cycle';

export interface Place {
  readonly section: Section;
  /** The id of a request or a cycle, or the part of the app; empty for none. */
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
  const [, section = '', item = ''] = /^#\/(requests|app|cycle)(?:\/([\w.-]{0,40}))?$/.exec(hash) ?? [];
  return { section: section === '' ? 'requests' : (section as Section), item };
}

export function linkTo(section: Section, item: string | number = ''): string {
  return item === '' ? `#/${section}` : `#/${section}/${item}`;
}

export function goTo(section: Section, item: string | number = ''): void {
  location.hash = linkTo(section, item);
}
