// Tracing: prints events, one line each: JSON for log collectors, or for people clock, level, request, message and fields,
// one below the other.

import { checkOptions } from '../options/check.js';
import { objectWith, oneOf, type Rules } from '../options/rules.js';
import { displayed } from './displayed.js';
import type { TracingEvent } from './event.js';
import { inspected, shownText } from './inspected.js';
import { jsonLines } from './json-line.js';
import type { LogLevel } from './log-level.js';
import type { Subscriber } from './subscribe.js';
import { hasStack } from './thrown.js';

/** Options of `consoleSubscriber`. */
export interface ConsoleSubscriberOptions {
  /**
   * `pretty` for people, or `json` for log collectors, in the form of pino; by default `pretty` on a terminal and `json`
   * elsewhere.
   */
  format?: 'pretty' | 'json';
  /** Where lines are written; stdout by default. */
  output?: { write(text: string): unknown; isTTY?: boolean };
}

/**
 * Makes a subscriber for `subscribe` that writes one line per event. NO_COLOR and FORCE_COLOR of the environment say
 * whether lines for people are coloured; by default they are on a terminal.
 *
 * @throws ConfigError if an option is unknown or not of its kind.
 */
export function consoleSubscriber(options: ConsoleSubscriberOptions = {}): Subscriber {
  const given = checkOptions('consoleSubscriber', options, RULES);
  const { output = process.stdout, format = output.isTTY ? 'pretty' : 'json' } = given;
  const toLine = format === 'json' ? jsonLines() : prettyLines(wantsColours(output.isTTY === true));
  return function consoleSubscriber(event) {
    output.write(`${toLine(event)}\n`);
  };
}

const RULES: Rules<ConsoleSubscriberOptions> = {
  format: oneOf('pretty', 'json'),
  output: objectWith(['write'], 'an object with write(text), such as process.stderr'),
};

const COLOURS: Readonly<Record<LogLevel, number>> = {
  trace: 90,
  debug: 36,
  info: 32,
  warn: 33,
  error: 31,
  fatal: 35,
};

/** Characters of a request's id, which are a column. */
const ID_LENGTH = 8;

/** Makes a function that gives the line of an event, and below it the stack of its error, without the end. */
function prettyLines(withColours: boolean): (event: TracingEvent) => string {
  const paint = (text: string, code: number, end: number): string =>
    withColours && text !== '' ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  const dim = (text: string): string => paint(text, 2, 22);
  /** Once there are requests, lines of none leave their column free. */
  let hasIds = false;
  return function toPretty({ time, level, message, fields, span, from }) {
    const { request_id: given, ...around } = span;
    const { request_id: own = given, error, ...others } = fields;
    const id = typeof own === 'string' ? shortId(own) : '';
    hasIds ||= id !== '';
    // The messages of the framework have their fields in them.
    const said = from === 'app' ? (typeof error === 'object' ? others : { ...others, error }) : {};
    const name = level.toUpperCase().padEnd(5);
    const parts = [
      dim(clockOf(time)),
      paint(name, COLOURS[level], 39),
      ...(hasIds ? [dim(id.padEnd(ID_LENGTH))] : []),
      shownText(message),
      dim(pairs({ ...around, ...said })),
    ];
    const stack =
      typeof error === 'object' && error !== null ? displayed(error, hasStack(fields), withColours) : '';
    const origin = from !== 'app' && hasStack(fields) ? fields.place : undefined;
    const lines = [parts.filter(Boolean).join(' '), stack];
    if (typeof origin === 'string') lines.push(`    ${shownText(origin)}`);
    return lines.filter(Boolean).join('\n');
  };
}

/** Whether a terminal gets colours: FORCE_COLOR and NO_COLOR come first. */
function wantsColours(isTTY: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = globalThis.process?.env ?? {};
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY && TERM !== 'dumb';
}

/** The local time of day, of 24 hours. */
function clockOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4/i;

/** The beginning of a UUID v4; of other ids the end, because many begin with the time. */
function shortId(id: string): string {
  return shownText(UUID_V4.test(id) ? id.slice(0, ID_LENGTH) : id.slice(-ID_LENGTH));
}

function pairs(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${shownText(name)}=${shownText(shownValue(value))}`)
    .join(' ');
}

/** A text in quotes, if it could be read as more than one. */
function shownValue(value: unknown): string {
  if (typeof value !== 'string') return inspected(value, true);
  return value === '' || /[ ="]/.test(value) ? JSON.stringify(value) : value;
}
