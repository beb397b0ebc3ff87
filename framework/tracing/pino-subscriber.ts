// Tracing: passes events to a pino logger, or to another logger with the same methods.
import type { Level } from './event.js';
import type { Subscriber } from './subscribe.js';

/** The methods of a pino logger that are used: one for each level, which takes fields and a message. */
export type PinoLike = { readonly [Name in Level]: (fields: object, message: string) => void };

/** Makes a subscriber for `subscribe`; errors are passed as `err`, as pino's serializers expect. */
export function pinoSubscriber(logger: PinoLike): Subscriber {
  return function pinoSubscriber({ level, message, fields, span }) {
    const { error, ...rest } = fields;
    logger[level](error === undefined ? { ...span, ...rest } : { ...span, ...rest, err: error }, message);
  };
}
