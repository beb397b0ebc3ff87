// WebSocket: the types of events, from plain TypeScript types or from schemas.
import type { EventTypes, SocketEvents } from '../extract/socket-route.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/**
 * Declares events by a plain TypeScript type: its keys are the names of events, its values their data. `fw generate`
 * reads the type, so that what clients send is checked by it.
 *
 * ```ts
 * interface FromClient { say: { text: string } }
 * websocket({ receives: eventTypes<FromClient>(), on: { say(socket, { text }) {} } });
 * ```
 */
export function eventTypes<Events extends object>(): EventTypes<Events> {
  return plain as EventTypes<Events>;
}

/** @deprecated Use `eventTypes`. */
export function events<Events extends object>(): EventTypes<Events> {
  return eventTypes<Events>();
}

const plain: EventTypes<never> = Object.freeze({});

/** The data of events by their names, as a handler gets it. */
export type EventOutputs<Events extends SocketEvents> = [Events] extends [never]
  ? never
  : Events extends { readonly [event: string]: StandardSchemaV1 }
    ? { [Event in keyof Events]: StandardSchemaV1.InferOutput<Events[Event]> }
    : Events extends EventTypes<infer Plain>
      ? Plain
      : never;

/** The data of events by their names, as `emit` takes it. */
export type EventInputs<Events extends SocketEvents> = [Events] extends [never]
  ? never
  : Events extends { readonly [event: string]: StandardSchemaV1 }
    ? { [Event in keyof Events]: StandardSchemaV1.InferInput<Events[Event]> }
    : Events extends EventTypes<infer Plain>
      ? Plain
      : never;

/** The schemas by event; undefined for plain types. */
export function schemasOf(
  events: SocketEvents | undefined,
): ReadonlyMap<string, StandardSchemaV1> | undefined {
  if (events === undefined || events === plain) return undefined;
  return new Map(Object.entries(events as Record<string, StandardSchemaV1>));
}
