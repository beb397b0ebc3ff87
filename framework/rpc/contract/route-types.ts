// RPC: the routes and sockets of a contract file: what `fw generate` knows about those of an App.
import type { ProcedureNotes, WireType } from '../../wire/wire-type.js';

/**
 * What a route answers: the types of bodies by status and media type. A status without a media type has no body; the
 * status `2XX` stands for answers that the types do not show.
 */
export type AnswerTypes = Readonly<Record<string, Readonly<Record<string, WireType>>>>;

/** What is inferred about a route, whose key is `GET /users/:id`. */
export interface RouteTypes extends ProcedureNotes {
  /** Undefined if the route declares its answers, or nothing is known about them. */
  readonly answers?: AnswerTypes;
  /** The beginning of the path that the type of the App declares: `new App<'/orgs/:org'>()`. */
  readonly prefix?: string;
}

/** The data of events by their names. */
export type EventWireTypes = Readonly<Record<string, WireType>>;

/** What is inferred about a socket, whose key is its path. */
export interface SocketTypes extends ProcedureNotes {
  /** What clients send; undefined if it has schemas or none. */
  readonly receives?: EventWireTypes;
  /** What clients get; undefined if it has schemas or none. */
  readonly sends?: EventWireTypes;
  /** The beginning of the path that the type of the App declares. */
  readonly prefix?: string;
}
