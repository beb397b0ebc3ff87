// The public names of `fw/tracing`.
export { type ConsoleSubscriberOptions, consoleSubscriber } from './console-subscriber.js';
export type { TracingEvent } from './event.js';
export { type Logger, type LogMethod, log } from './log.js';
export {
  type LogLevel,
  /** @deprecated Use `LogLevel`. */
  type LogLevel as Level,
  setLogLevel,
} from './log-level.js';
export { type PinoLike, pinoSubscriber } from './pino-subscriber.js';
export { SECRET_FIELDS } from './redaction.js';
export type {
  /** @deprecated Use `SpanFields`. */
  SpanFields as Fields,
} from './span.js';
export { currentSpan, type SpanFields, withSpan } from './span.js';
export { type SubscribeOptions, type Subscriber, subscribe } from './subscribe.js';
