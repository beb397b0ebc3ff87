// Tracing: the lines that an application logs, as events with the fields of the spans around them.
import { isTraced, publishEvent } from './event.js';
import { isError } from './inspected.js';
import { isLevelEnabled, type LogLevel } from './log-level.js';
import { currentSpan, type SpanFields } from './span.js';
import { messageOf } from './thrown.js';

/** The fields of a line, or a function that makes them, which is called only if the line is published. */
type LineFields = SpanFields | (() => SpanFields);

/**
 * Logs a line: a message, with fields behind or before it. An error is the field `error`, and its message that of the
 * line if there is no other.
 */
export interface LogMethod {
  (message: string, fields?: LineFields): void;
  (fields: LineFields | Error, message?: string): void;
}

/** Logs lines of an application: `log.info('order paid', { id })`. Without a subscriber, nothing is made. */
export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  /** A logger all lines of which have these fields. */
  child(fields: SpanFields): Logger;
  /** Whether a line of this level is published: a subscriber takes it, and the level is not below `LOG_LEVEL`. */
  isLevelEnabled(level: LogLevel): boolean;
}

type First = string | LineFields | Error;
type Second = string | LineFields | undefined;

const NONE: SpanFields = Object.freeze({});

/** Methods of the prototype, so that a logger costs an object and no functions. */
class FieldLogger implements Logger {
  readonly #fields: SpanFields;

  constructor(fields: SpanFields) {
    this.#fields = fields;
  }

  trace(first: First, second?: Second): void {
    write('trace', this.#fields, first, second);
  }

  debug(first: First, second?: Second): void {
    write('debug', this.#fields, first, second);
  }

  info(first: First, second?: Second): void {
    write('info', this.#fields, first, second);
  }

  warn(first: First, second?: Second): void {
    write('warn', this.#fields, first, second);
  }

  error(first: First, second?: Second): void {
    write('error', this.#fields, first, second);
  }

  fatal(first: First, second?: Second): void {
    write('fatal', this.#fields, first, second);
  }

  child(fields: SpanFields): Logger {
    return new FieldLogger({ ...this.#fields, ...fields });
  }

  isLevelEnabled(level: LogLevel): boolean {
    return isTraced() && isLevelEnabled(level);
  }
}

/**
 * Logs lines for code that has no context: they have the fields of the spans around them, such as the `request_id` that
 * the middleware `requestId` gives, also after `await`.
 */
export const log: Logger = new FieldLogger(NONE);

/** The logger of a request, whose lines have its id also where they are written outside of its async context. */
export function requestLog(requestId: string | undefined): Logger {
  if (requestId === undefined || !isTraced() || 'request_id' in currentSpan()) return log;
  return new FieldLogger({ request_id: requestId });
}

function write(level: LogLevel, own: SpanFields, first: First, second: Second): void {
  if (!isTraced() || !isLevelEnabled(level)) return;
  const hasText = typeof first === 'string';
  const message = hasText ? first : second;
  const fields = copied(hasText ? second : first);
  publishEvent(level, textOf(message, fields), own === NONE ? fields : Object.assign({}, own, fields), 'app');
}

/** A copy in each case: the application may change what it has given. Getters and traps of a Proxy may throw. */
function copied(given: First | Second): SpanFields {
  try {
    return { ...fieldsOf(given) };
  } catch (error) {
    return { error };
  }
}

/** A callback of the application, and values from JavaScript, may be anything: a line must not end a request. */
function fieldsOf(given: First | Second): SpanFields {
  if (given === undefined) return NONE;
  let value: unknown = given;
  if (typeof given === 'function') {
    try {
      value = given();
    } catch (error) {
      return { error };
    }
  }
  if (isError(value)) return { error: value };
  if (typeof value !== 'object' || value === null) return value === undefined ? NONE : { value };
  return namedAsError(value as SpanFields);
}

/** `err`, as lines for pino have it, is `error`. */
function namedAsError(fields: SpanFields): SpanFields {
  if (!Object.hasOwn(fields, 'err') || Object.hasOwn(fields, 'error') || !isError(fields.err)) return fields;
  const { err: error, ...others } = fields;
  return { ...others, error };
}

function textOf(message: unknown, { error }: SpanFields): string {
  if (typeof message === 'string') return message;
  return isError(error) ? messageOf(error) : '';
}
