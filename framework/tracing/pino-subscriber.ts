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
 * status below 500, is passed as an object without a stack. Messages of causes that an error has in its own are not
 * appended again. One that those serializers cannot show, such as a frozen
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
        write({ ...span, ...rest, err: forSerializers(thrown, repeatsCause(thrown)) }, message);
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

/**
 * The same error, as pino's serializers show it. They take the type from the class, which a bundler may have given another
 * name, such as `FwError2`, and they append the messages of all causes, unless a cause is a function, as VError has it.
 *
 * @param isSaid whether the messages of its causes are not appended; their stacks are
 */
function forSerializers({ source, name, cause }: Thrown, isSaid: boolean): unknown {
  const error = source as Error;
  const isOfItsClass = name === undefined || error.constructor?.name === name;
  const hasQuietCause = isSaid && cause !== undefined;
  if (isOfItsClass && !hasQuietCause) return error;
  const member = (value: unknown) => ({ value, configurable: true, writable: true });
  return Object.create(Object.getPrototypeOf(error) as object, {
    ...Object.getOwnPropertyDescriptors(error),
    stack: member(error.stack),
    ...(!isOfItsClass && { constructor: member(undefined) }),
    ...(hasQuietCause && { cause: member(() => forSerializers(cause, true)) }),
  });
}

/** Whether its message has that of one of its causes in it. */
function repeatsCause({ message, cause }: Thrown): boolean {
  for (let one = cause; one !== undefined; one = one.cause) {
    if (message.includes(one.message)) return true;
  }
  return false;
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
