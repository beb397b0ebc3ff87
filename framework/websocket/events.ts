// WebSocket: declarations of events, by schemas or by plain TypeScript types.
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** A Standard Schema for the data of each event, by the event's name. */
export type EventSchemas = Readonly<Record<string, StandardSchemaV1>>;

/** A declaration of events by a plain TypeScript type, made by `events()`. */
export interface EventTypes<Events> {
  /** The type alone; there is no such value. */
  readonly '~events'?: Events;
}

/** Either declaration of events. */
export type EventDeclaration = EventSchemas | EventTypes<object>;

/** Events of any name and data: what is declared by nothing. */
export type AnyEvents = EventTypes<Record<string, unknown>>;

/** The data that a sender gives, by the event's name. */
export type EventInputs<Declared> = '~events' extends keyof Declared
  ? PlainEvents<Declared>
  : {
      [Name in keyof Declared]: Declared[Name] extends StandardSchemaV1
        ? StandardSchemaV1.InferInput<Declared[Name]>
        : never;
    };

/** The data that a receiver gets, by the event's name. */
export type EventOutputs<Declared> = '~events' extends keyof Declared
  ? PlainEvents<Declared>
  : {
      [Name in keyof Declared]: Declared[Name] extends StandardSchemaV1
        ? StandardSchemaV1.InferOutput<Declared[Name]>
        : never;
    };

type PlainEvents<Declared> = Declared extends EventTypes<infer Events> ? Events : never;

/** Data that may be undefined can be left out. */
export type EventArguments<Data> = undefined extends Data ? [data?: Data] : [data: Data];

/**
 * Declares events by a TypeScript type: its keys are the names, its values the data.
 *
 * ```ts
 * const channels = new ChannelManager({ sends: events<{ said: { from: string; text: string } }>() });
 * ```
 */
export function events<Events extends object>(): EventTypes<Events> {
  return MARKER as EventTypes<Events>;
}

/** True for what `events()` returns, false for schemas. */
export function isEventTypes(declared: EventDeclaration): declared is EventTypes<object> {
  return '~events' in declared;
}

const MARKER: object = Object.freeze({ '~events': undefined });
