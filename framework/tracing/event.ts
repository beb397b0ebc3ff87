// Tracing: structured events on the diagnostics channel `fw:event`; nothing is made or printed without a subscriber.
import diagnostics from 'node:diagnostics_channel';
import { currentSpan, type Fields } from './span.js';

export type Level = 'info' | 'warn' | 'error';

/** The message of the diagnostics channel `fw:event`, and what `subscribe` hands over. */
export interface TracingEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: Level;
  readonly message: string;
  /** What the event says, for machines. */
  readonly fields: Fields;
  /** The fields of the spans it happened in. */
  readonly span: Fields;
}

const channel = diagnostics.channel('fw:event');

/** True where an event would reach somebody: ask before making one. */
export function isTraced(): boolean {
  return channel.hasSubscribers;
}

/** Publishes an event with the current span. */
export function publishEvent(level: Level, message: string, fields: Fields): void {
  channel.publish({ time: Date.now(), level, message, fields, span: currentSpan() } satisfies TracingEvent);
}
