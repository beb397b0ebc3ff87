// Inference: what was found, by file and in the order of places.
import type { Place } from '../compiler.js';
import type { FoundTypes } from '../found-types.js';
import { comparePlaces } from '../place-of.js';

type Found = { [Part in keyof FoundTypes]: FoundTypes[Part][number][] };

export type Grouped = ReadonlyMap<string, FoundTypes>;

const none = (): Found => ({ procedures: [], routes: [], sockets: [], places: [], notes: [] });

export const nothing: FoundTypes = none();

export function grouped(found: FoundTypes): Grouped {
  const groups = new Map<string, Found>();
  const groupOf = ({ place: { file } }: { readonly place: Place }) => {
    const group = groups.get(file) ?? none();
    groups.set(file, group);
    return group;
  };
  for (const one of found.procedures) groupOf(one).procedures.push(one);
  for (const one of found.routes) groupOf(one).routes.push(one);
  for (const one of found.sockets) groupOf(one).sockets.push(one);
  for (const one of found.places) groupOf(one).places.push(one);
  for (const one of found.notes) groupOf(one).notes.push(one);
  return groups;
}

export function foundIn(groups: Grouped, file: string): FoundTypes {
  return groups.get(file) ?? nothing;
}

/** What was found, of which several parts are of one file each: those of a file in the order of places. */
export function byFile(files: readonly (readonly FoundTypes[])[]): FoundTypes {
  const all = none();
  for (const parts of files) {
    all.procedures.push(...inOrder(parts.flatMap(({ procedures }) => procedures)));
    all.routes.push(...inOrder(parts.flatMap(({ routes }) => routes)));
    all.sockets.push(...inOrder(parts.flatMap(({ sockets }) => sockets)));
    all.places.push(...inOrder(parts.flatMap(({ places }) => places)));
    all.notes.push(...inOrder(parts.flatMap(({ notes }) => notes)));
  }
  return all;
}

/** @param move returns undefined for what is left out */
export function mapPlaces(found: FoundTypes, move: (place: Place) => Place | undefined): FoundTypes {
  const moved = <One extends { readonly place: Place }>(list: readonly One[]): One[] =>
    list.flatMap((one) => {
      const place = move(one.place);
      return place === undefined ? [] : [{ ...one, place }];
    });
  const { procedures, routes, sockets, places, notes } = found;
  return {
    procedures: moved(procedures),
    routes: moved(routes),
    sockets: moved(sockets),
    places: moved(places),
    notes: moved(notes),
  };
}

function inOrder<One extends { readonly place: Place }>(list: One[]): One[] {
  return list.sort((a, b) => comparePlaces(a.place, b.place));
}
