// Tracing: hands events to a pino logger, or to anything with its methods.
import type { Level } from './event.js';
import type { Subscriber } from './subscribe.js';

/** The part of a pino logger that is used: a method for each level that takes fields and a message. */
export type PinoLike = { readonly [Name in Level]: (fields: object, message: string) => void };

/** A subscriber for `subscribe`; errors are passed as `err`, as pino's serialisers expect. */
export function pinoSubscriber(logger: PinoLike): Subscriber {
  return function pinoSubscriber({ level, message, fields, span }) {
    const { error, ...rest } = fields;
    logger[level](error === undefined ? { ...span, ...rest } : { ...span, ...rest, err: error }, message);
  };
}
