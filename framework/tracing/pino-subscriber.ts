// Tracing: passes events to a pino logger, or to another logger with the same methods.

import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import type { LogLevel } from './event.js';
import { isProxy } from './inspected.js';
import type { Subscriber } from './subscribe.js';
import { readThrown, shownThrown, type Thrown } from './thrown.js';

/** The methods of a pino logger that are used: one for each level, which takes fields and a message. */
export type PinoLike = { readonly [Name in LogLevel]: (fields: object, message: string) => void };

const LOGGER = objectWith(['info', 'warn', 'error'], 'a logger, such as pino()');

/**
 * Makes a subscriber for `subscribe`; errors are passed as `err`, as pino's serializers expect. One that those cannot
 * show, such as a frozen error, a Proxy, or one whose cause is not an error, is passed as an object with its name, its
 * message and, as `stack`, all that can be shown of it.
 *
 * @throws ConfigError if it is not a logger.
 */
export function pinoSubscriber(logger: PinoLike): Subscriber {
  checkValue('pinoSubscriber', 'the logger', logger, LOGGER);
  return function pinoSubscriber({ level, message, fields, span }) {
    if (!('error' in fields)) {
      logger[level]({ ...span, ...fields }, message);
      return;
    }
    const { error, ...rest } = fields;
    if (!isHard(error)) {
      try {
        logger[level]({ ...span, ...rest, err: error }, message);
        return;
      } catch {
        // A serializer has read what throws, or written to what is frozen.
      }
    }
    logger[level]({ ...span, ...rest, err: shown(error) }, message);
  };
}

function isHard(error: unknown): boolean {
  return error === undefined || isProxy(error) || hasOddCause(readThrown(error));
}

/** Whether a cause is not an error: pino leaves it out. */
function hasOddCause({ cause, errors }: Thrown): boolean {
  return (
    (cause !== undefined && (cause.name === undefined || hasOddCause(cause))) || errors.some(hasOddCause)
  );
}

/** Without a prototype, so that pino takes the type from the name. */
function shown(error: unknown): unknown {
  const { name, message } = readThrown(error);
  const stack = shownThrown(error);
  return name === undefined ? stack : Object.assign(Object.create(null), { name, message, stack });
}
