// Tracing: passes events to a pino logger, or to another logger with the same methods.

import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import { isProxy } from './inspected.js';
import { errorForm } from './json-line.js';
import type { Subscriber } from './subscribe.js';
import { hasStack, readThrown, shownThrown, type Thrown } from './thrown.js';

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
 * Makes a subscriber for `subscribe`; errors are passed as `err`, as pino's serializers expect. One of a client, with a
 * status below 500, is passed as an object without a stack. One that those serializers cannot show, such as a frozen
 * error, a Proxy, or one whose cause is not an error, is passed as an object with its name, its message and, as `stack`,
 * all that can be shown of it.
 *
 * @throws ConfigError if it is not a logger.
 */
export function pinoSubscriber(logger: PinoLike): Subscriber {
  checkValue('pinoSubscriber', 'the logger', logger, LOGGER);
  return function pinoSubscriber({ level: given, message, fields, span }) {
    const level = typeof logger[given] === 'function' ? given : given === 'fatal' ? 'error' : 'info';
    const write: Write = (of, text) => logger[level as 'info'](of, text);
    if (!('error' in fields)) {
      // Faster than spreading two objects, many times on Node 20.
      write(Object.assign({}, span, fields), message);
      return;
    }
    const { error, ...rest } = fields;
    if (!hasStack(fields)) {
      write({ ...span, ...rest, err: errorForm(readThrown(error), false) }, message);
      return;
    }
    const thrown = readThrown(error);
    if (!isHard(error, thrown)) {
      try {
        write(
          { ...span, ...rest, err: isOfItsClass(error, thrown) ? error : named(error as Error) },
          message,
        );
        return;
      } catch {
        // A serializer has read what throws, or written to what is frozen.
      }
    }
    write({ ...span, ...rest, err: shown(error, thrown) }, message);
  };
}

function isHard(error: unknown, thrown: Thrown): boolean {
  return error === undefined || isProxy(error) || hasOddCause(thrown);
}

/** pino takes the type of an error from its class, which a bundler may have given another name, such as `FwError2`. */
function isOfItsClass(error: unknown, { name }: Thrown): boolean {
  return name === undefined || (error as Error).constructor?.name === name;
}

/** The same error for serializers, whose type is its name. */
function named(error: Error): Error {
  const members = Object.getOwnPropertyDescriptors(error);
  return Object.create(Object.getPrototypeOf(error) as object, {
    ...members,
    stack: { value: error.stack, configurable: true, writable: true },
    constructor: { value: undefined, configurable: true, writable: true },
  }) as Error;
}

/** Whether a cause is not an error: pino leaves it out. */
function hasOddCause({ cause, errors }: Thrown): boolean {
  return (
    (cause !== undefined && (cause.name === undefined || hasOddCause(cause))) || errors.some(hasOddCause)
  );
}

/** Without a prototype, so that pino takes the type from the name. */
function shown(error: unknown, { name, message }: Thrown): unknown {
  const stack = shownThrown(error);
  return name === undefined ? stack : Object.assign(Object.create(null), { name, message, stack });
}
