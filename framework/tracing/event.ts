// Tracing: structured events on the diagnostics channel `fw:event`; without a subscriber, none are made.
import diagnostics from 'node:diagnostics_channel';
import { THIS_RUNTIME } from '../this-runtime.js';
import { isLevelEnabled, type LogLevel } from './log-level.js';
import { currentSpan, type SpanFields } from './span.js';
import { isHeard, isRecorded, publishTrace } from './trace-channel.js';

/** An event: the message on the diagnostics channel `fw:event`, and the argument of subscribers. */
export interface TracingEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The severity. */
  readonly level: LogLevel;
  /** Text for people. */
  readonly message: string;
  /** Structured data, such as `method`, `path` and `status`. */
  readonly fields: SpanFields;
  /** The fields of the spans around it. */
  readonly span: SpanFields;
  /** `app` if the application has logged it, by `ctx.log` or `log`; otherwise it comes from the framework. */
  readonly from?: 'app';
}

const channel = diagnostics.channel('fw:event');

/** Whether somebody takes events; check it before making one. */
export function isTraced(): boolean {
  return isHeard(channel) || isRecorded();
}

/** Publishes an event with the fields of the current span, unless its level is below that of the log. */
export function publishEvent(level: LogLevel, message: string, fields: SpanFields, from?: 'app'): void {
  if (!isLevelEnabled(level)) return;
  const event: TracingEvent = {
    time: Date.now(),
    level,
    message,
    fields,
    span: currentSpan(),
    ...(from !== undefined && { from }),
  };
  channel.publish(event);
  if (isRecorded()) publishTrace({ type: 'log', event });
}

/**
 * Warns of something at registration: as an event if the application subscribes to events, else on stderr, so that it is
 * never lost. On Workers always there, because they allow no publishing while modules are loaded.
 */
export function warn(message: string, fields: SpanFields): void {
  if (isHeard(channel) && THIS_RUNTIME !== 'Workers') publishEvent('warn', message, fields);
  else console.warn(message);
}

const unchecked = diagnostics.channel('fw:unchecked');

/**
 * Warns of what is not checked without a contract. `fw dev` takes the warnings of a start until it knows that it has
 * written no contract for it.
 */
export function warnUnchecked(message: string, fields: SpanFields): void {
  const tell = (): void => warn(message, fields);
  if (isHeard(unchecked)) unchecked.publish(tell);
  else tell();
}
