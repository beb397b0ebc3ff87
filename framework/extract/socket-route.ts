// WebSockets: what `app.websocket` registers, and what documents and clients say about it.
import type { Context } from '../context/context.js';
import type { FwResponse } from '../http/response.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** The plain types of events by their names, made by `events` of `fw/websocket`. */
export interface EventTypes<Events extends object = object> {
  /** Exists in the types only. */
  readonly '~events'?: Events;
}

/** A schema for each event by its name, or the plain types of events. */
export type SocketEvents = { readonly [event: string]: StandardSchemaV1 } | EventTypes;

/** What clients know of a WebSocket. */
export interface SocketDescription {
  /** What clients may send. Undefined if messages are not events. */
  readonly receives: SocketEvents | undefined;
  /** What clients get. */
  readonly sends: SocketEvents | undefined;
  readonly protocols: readonly string[];
  /** Whether subscriptions of a registry travel over it. */
  readonly hasRpc: boolean;
  /** The largest message, in bytes. */
  readonly maxMessageSize: number;
  readonly isCompressed: boolean;
  /** Set if what clients send is declared by plain types: takes the checks of the contract. @internal */
  readonly useChecks?: (checks: ReadonlyMap<string, EventCheck>) => void;
}

/** Checks the data of one event. */
export type EventCheck = (
  data: unknown,
) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;

/**
 * A WebSocket, made by `websocket` of `fw/websocket`. `Args` are the arguments of its `data`, `Receives` and `Sends`
 * the data of its events by their names.
 */
export interface WebSocketRoute<
  Args extends readonly unknown[] = never,
  Receives extends object = object,
  Sends extends object = object,
> {
  /** Exists in the types only. */
  readonly '~args'?: (...args: Args) => void;
  /** Exists in the types only. */
  readonly '~receives'?: Receives;
  /** Exists in the types only. */
  readonly '~sends'?: Sends;
  /** @internal */
  readonly description: SocketDescription;
  /** Makes the response that switches the protocol. @internal */
  upgrade(ctx: Context, args: readonly unknown[]): FwResponse | Promise<FwResponse>;
}
