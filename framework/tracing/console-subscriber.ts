// Tracing: prints events for people or for log collectors, one line each.

import { checkOptions } from '../options/check.js';
import { objectWith, oneOf, type Rules } from '../options/rules.js';
import { displayed } from './displayed.js';
import type { TracingEvent } from './event.js';
import { inspected, shownJson, shownText } from './inspected.js';
import type { LogLevel } from './log-level.js';
import type { SpanFields } from './span.js';
import type { Subscriber } from './subscribe.js';
import { isError, readThrown, type Thrown } from './thrown.js';

/** Options of `consoleSubscriber`. */
export interface ConsoleSubscriberOptions {
  /** `pretty` for people or `json` for log collectors; by default `pretty` on a terminal and `json` elsewhere. */
  format?: 'pretty' | 'json';
  /** Where lines are written; stdout by default. */
  output?: { write(text: string): unknown; isTTY?: boolean };
}

/**
 * Makes a subscriber for `subscribe` that writes one line per event.
 *
 * @throws ConfigError if an option is unknown or not of its kind.
 */
export function consoleSubscriber(options: ConsoleSubscriberOptions = {}): Subscriber {
  const given = checkOptions('consoleSubscriber', options, RULES);
  const { output = process.stdout, format = output.isTTY ? 'pretty' : 'json' } = given;
  const render = format === 'json' ? toJson : (event: TracingEvent) => toPretty(event, output.isTTY === true);
  return function consoleSubscriber(event) {
    output.write(`${render(event)}\n`);
  };
}

const RULES: Rules<ConsoleSubscriberOptions> = {
  format: oneOf('pretty', 'json'),
  output: objectWith(['write'], 'an object with write(text), such as process.stderr'),
};

function toJson({ time, level, message, fields, span }: TracingEvent): string {
  const head = JSON.stringify({ time: new Date(time).toISOString(), level, message }).slice(0, -1);
  const rest = Object.entries({ ...span, ...fields }).map(
    ([name, value]) => `,${JSON.stringify(name)}:${jsonOf(value, hasStack(fields))}`,
  );
  return shownJson(`${head}${rest.join('')}}`);
}

/** Errors have no useful JSON form; other values without one are converted to text, so that no event is lost. */
function jsonOf(value: unknown, withStack: boolean): string {
  if (isError(value)) return JSON.stringify(plainOf(readThrown(value), withStack));
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch {
    // A bigint, a loop, or its own code.
  }
  return JSON.stringify(inspected(value, true));
}

function plainOf(thrown: Thrown, withStack: boolean): object | string {
  const { name, message, title, code, frames, places, cause, errors } = thrown;
  if (name === undefined) return message;
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(withStack && { stack: [title, ...frames, ...places].join('\n    ') }),
    ...(cause !== undefined && { cause: plainOf(cause, withStack) }),
    ...(errors.length > 0 && { errors: errors.map((one) => plainOf(one, withStack)) }),
  };
}

/** Not for what a client did wrong: its stack leads to no mistake in the code, and would hide the rest of the log. */
function hasStack({ status, isCut }: SpanFields): boolean {
  return typeof status !== 'number' || status >= 500 || isCut === true;
}

const COLOURS: Readonly<Record<LogLevel, number>> = {
  trace: 90,
  debug: 36,
  info: 32,
  warn: 33,
  error: 31,
  fatal: 35,
};

function toPretty({ time, level, message, fields, span, from }: TracingEvent, colours: boolean): string {
  const clock = new Date(time).toISOString().slice(11, 23);
  const name = level.toUpperCase().padEnd(5);
  const shown = colours ? `\u001b[${COLOURS[level]}m${name}\u001b[0m` : name;
  const { error, ...others } = fields;
  // The messages of the framework have their fields in them.
  const listed = from === 'app' ? { ...span, ...(typeof error === 'object' ? others : fields) } : span;
  const text = Object.keys(listed).length > 0 ? ` ${pairs(listed)}` : '';
  const where = colours && text !== '' ? `\u001b[2m${text}\u001b[22m` : text;
  const stack =
    typeof error === 'object' && error !== null ? displayed(error, hasStack(fields), colours) : '';
  return `${clock} ${shown} ${shownText(message)}${where}${stack === '' ? '' : `\n${stack}`}`;
}

function pairs(fields: SpanFields): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${shownText(name)}=${shownText(typeof value === 'string' ? value : inspected(value, true))}`,
    )
    .join(' ');
}
