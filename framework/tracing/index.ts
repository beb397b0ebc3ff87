// The public names of `fw/tracing`.
export { type ConsoleSubscriberOptions, consoleSubscriber } from './console-subscriber.js';
export type { LogLevel, TracingEvent } from './event.js';
export { type PinoLike, pinoSubscriber } from './pino-subscriber.js';
export { currentSpan, type SpanFields, withSpan } from './span.js';
export { type Subscriber, subscribe } from './subscribe.js';
