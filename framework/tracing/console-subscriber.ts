// Tracing: prints events for people or for log collectors, one line each.

import { inspect } from 'node:util';
import { ConfigError } from '../config-error.js';
import type { Level, TracingEvent } from './event.js';
import { shownJson, shownStack, shownText } from './shown-text.js';
import type { Fields } from './span.js';
import type { Subscriber } from './subscribe.js';

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
 * @throws ConfigError when the format is unknown.
 */
export function consoleSubscriber(options: ConsoleSubscriberOptions = {}): Subscriber {
  const { output = process.stdout } = options;
  const format = options.format ?? (output.isTTY ? 'pretty' : 'json');
  if (format !== 'pretty' && format !== 'json') {
    throw new ConfigError(
      'FW_OPTION',
      `consoleSubscriber: unknown format ${JSON.stringify(format)}; use 'pretty' or 'json'`,
    );
  }
  const render = format === 'json' ? toJson : (event: TracingEvent) => toPretty(event, output.isTTY === true);
  return function consoleSubscriber(event) {
    output.write(`${render(event)}\n`);
  };
}

function toJson({ time, level, message, fields, span }: TracingEvent): string {
  const plain = Object.fromEntries(
    Object.entries({ ...span, ...fields }).map(([name, value]) => [name, toPlain(value, hasStack(fields))]),
  );
  return shownJson(JSON.stringify({ time: new Date(time).toISOString(), level, message, ...plain }));
}

/** Errors have no useful JSON form; other values without one are converted to text, so that no event is lost. */
function toPlain(value: unknown, withStack: boolean): unknown {
  try {
    if (value instanceof Error) return errorToPlain(value, withStack);
    return JSON.stringify(value) === undefined ? inspected(value) : value;
  } catch {
    return inspected(value);
  }
}

function errorToPlain({ name, message, stack }: Error, withStack: boolean): object {
  return withStack ? { name, message, stack } : { name, message };
}

/** Not for what a client did wrong: its stack leads to no mistake in the code, and would hide the rest of the log. */
function hasStack({ status }: Fields): boolean {
  return typeof status !== 'number' || status >= 500;
}

function inspected(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return '(a value that cannot be shown)';
  }
}

const COLOURS: Readonly<Record<Level, number>> = { info: 32, warn: 33, error: 31 };

function toPretty({ time, level, message, fields, span }: TracingEvent, colours: boolean): string {
  const clock = new Date(time).toISOString().slice(11, 23);
  const name = level.toUpperCase().padEnd(5);
  const shown = colours ? `\u001b[${COLOURS[level]}m${name}\u001b[0m` : name;
  const where = Object.keys(span).length > 0 ? ` ${pairs(span)}` : '';
  const stack = hasStack(fields) && fields.error instanceof Error ? `\n${shownStack(fields.error)}` : '';
  return `${clock} ${shown} ${shownText(message)}${where}${stack}`;
}

function pairs(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${shownText(typeof value === 'string' ? value : inspected(value))}`)
    .join(' ');
}
