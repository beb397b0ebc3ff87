// Inference: what was found, by file.
import type { AbsolutePath } from '../../files/absolute-path.js';
import type { Place } from '../compiler/compiler.js';
import type { FoundTypes } from '../found-types.js';

type Found = { [Part in keyof FoundTypes]: FoundTypes[Part][number][] };

export type Grouped = ReadonlyMap<AbsolutePath, FoundTypes>;

const none = (): Found => ({ procedures: [], routes: [], sockets: [], places: [], notes: [] });

export function grouped(found: FoundTypes): Grouped {
  const groups = new Map<AbsolutePath, Found>();
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

export function foundIn(groups: Grouped, file: AbsolutePath): FoundTypes {
  return groups.get(file) ?? none();
}

export function together(parts: readonly FoundTypes[]): FoundTypes {
  return {
    procedures: parts.flatMap(({ procedures }) => procedures),
    routes: parts.flatMap(({ routes }) => routes),
    sockets: parts.flatMap(({ sockets }) => sockets),
    places: parts.flatMap(({ places }) => places),
    notes: parts.flatMap(({ notes }) => notes),
  };
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
