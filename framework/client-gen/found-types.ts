// Inference: what was found of an app's procedures, routes and sockets: types, and no references to a compiler.
import type { RouteTypes, SocketTypes } from '../rpc/contract/route-types.js';
import type { ProcedureTypes } from '../wire/wire-type.js';
import type { Place, PlacedNotes, Registration } from './compiler/compiler.js';
import type { Uses } from './walk/defined-types.js';

export interface FoundProcedure extends Pick<Registration<never>, 'name' | 'kind' | 'place' | 'hasSchema'> {
  readonly types: ProcedureTypes;
  readonly uses: Uses;
}

export interface FoundRoute {
  /** `GET /users/:id`. */
  readonly name: string;
  readonly place: Place;
  readonly types: RouteTypes;
  readonly uses: Uses;
}

export interface FoundSocket {
  readonly path: string;
  readonly place: Place;
  readonly types: SocketTypes;
  readonly uses: Uses;
}

export interface FoundPlace {
  readonly name: string;
  readonly place: Place;
}

export interface FoundTypes {
  readonly procedures: readonly FoundProcedure[];
  readonly routes: readonly FoundRoute[];
  readonly sockets: readonly FoundSocket[];
  /** The places of all procedures whose names are literals. */
  readonly places: readonly FoundPlace[];
  readonly notes: readonly PlacedNotes[];
}
