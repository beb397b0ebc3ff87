// Tracing: passes events to a pino logger, or to another logger with the same methods.

import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import { isProxy } from './inspected.js';
import type { Subscriber } from './subscribe.js';
import { readThrown, shownThrown, type Thrown } from './thrown.js';

type Write = (fields: object, message: string) => void;

/**
 * The methods of a pino logger that are used: one for each level, which takes fields and a message. Without `trace`,
 * `debug` or `fatal`, `info` and `error` take their lines.
 */
export type PinoLike = { readonly [Name in 'info' | 'warn' | 'error']: Write } & {
  readonly [Name in 'trace' | 'debug' | 'fatal']?: Write;
};

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
  return function pinoSubscriber({ level: given, message, fields, span }) {
    const level = typeof logger[given] === 'function' ? given : given === 'fatal' ? 'error' : 'info';
    const write: Write = (of, text) => logger[level as 'info'](of, text);
    if (!('error' in fields)) {
      write({ ...span, ...fields }, message);
      return;
    }
    const { error, ...rest } = fields;
    if (!isHard(error)) {
      try {
        write({ ...span, ...rest, err: error }, message);
        return;
      } catch {
        // A serializer has read what throws, or written to what is frozen.
      }
    }
    write({ ...span, ...rest, err: shown(error) }, message);
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
