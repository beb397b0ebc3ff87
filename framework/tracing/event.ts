// Tracing: structured events on the diagnostics channel `fw:event`; without a subscriber, none are made.
import diagnostics from 'node:diagnostics_channel';
import { currentSpan, type Fields } from './span.js';
import { isRecorded, publishTrace } from './trace-channel.js';

/** The severity of an event. */
export type Level = 'info' | 'warn' | 'error';

/** An event: the message on the diagnostics channel `fw:event`, and the argument of subscribers. */
export interface TracingEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The severity. */
  readonly level: Level;
  /** Text for people. */
  readonly message: string;
  /** Structured data, such as `method`, `path` and `status`. */
  readonly fields: Fields;
  /** The fields of the spans around it. */
  readonly span: Fields;
}

const channel = diagnostics.channel('fw:event');

/** Whether somebody takes events; check it before making one. */
export function isTraced(): boolean {
  return channel.hasSubscribers || isRecorded();
}

/** Whether the application subscribes to events; what must not be lost is printed otherwise. */
export function isLogged(): boolean {
  return channel.hasSubscribers;
}

/** Publishes an event with the fields of the current span. */
export function publishEvent(level: Level, message: string, fields: Fields): void {
  const event: TracingEvent = { time: Date.now(), level, message, fields, span: currentSpan() };
  channel.publish(event);
  if (isRecorded()) publishTrace({ type: 'log', event });
}

const unchecked = diagnostics.channel('fw:unchecked');

/**
 * Warns of what is not checked without a contract: as an event if there is a subscriber, else on stderr. `fw dev`
 * takes the warnings of a start until it knows that it has written no contract for it.
 */
export function warnUnchecked(message: string, fields: Fields): void {
  const tell = (): void => {
    if (isLogged()) publishEvent('warn', message, fields);
    else console.warn(message);
  };
  if (unchecked.hasSubscribers) unchecked.publish(tell);
  else tell();
}
