// Tracing: an event as a line of JSON in the form of pino, which its tools and the collectors that are set up for it
// read: {"level":30,"time":1700000000000,"pid":1,"hostname":"web","id":7,"msg":"order paid"}.
import type { TracingEvent } from './event.js';
import { inspected, isError, shownJson } from './inspected.js';
import { type LogLevel, RANKS } from './log-level.js';
import { hasStack, memberOf, readThrown, type Thrown } from './thrown.js';

/** Members of every line: a field of that name has a `_` behind it. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'msg']);

/** Characters that JSON or `shownJson` escapes, and halves of pairs. */
const SPECIAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that are escaped.
  /["\\\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Makes a function that gives the line of an event, without its end. */
export function jsonLines(): (event: TracingEvent) => string {
  const { pid } = globalThis.process ?? {};
  const hostname = globalThis.process?.getBuiltinModule?.('node:os')?.hostname();
  const source =
    (pid === undefined ? '' : `,"pid":${pid}`) +
    (hostname === undefined ? '' : `,"hostname":${quoted(hostname)}`);
  const heads = Object.fromEntries(
    Object.entries(RANKS).map(([level, rank]) => [level, `{"level":${rank},"time":`]),
  ) as Record<LogLevel, string>;
  return function toJson({ level, time, message, fields, span }) {
    let line = heads[level] + time + source;
    const withStack = hasStack(fields);
    for (const name of Object.keys(span)) {
      if (!Object.hasOwn(fields, name)) line += member(name, span[name], withStack, fields);
    }
    for (const name of Object.keys(fields)) line += member(name, fields[name], withStack, fields);
    return `${line}${message === '' ? '' : `,"msg":${quoted(message)}`}}`;
  };
}

function member(name: string, value: unknown, withStack: boolean, fields: TracingEvent['fields']): string {
  if (value === undefined) return '';
  const label = name === 'err' && Object.hasOwn(fields, 'error') ? ',"err_":' : labelOf(name);
  if (typeof value === 'string') return label + quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? label + value : `${label}null`;
  if (typeof value === 'boolean' || value === null) return label + value;
  return label + jsonOf(value, withStack);
}

const MOST_LABELS = 1000;
const LABELS = new Map<string, string>();

function labelOf(name: string): string {
  const known = LABELS.get(name);
  if (known !== undefined) return known;
  const shown = name === 'error' ? 'err' : OWN_MEMBERS.has(name) ? `${name}_` : name;
  const label = `,${quoted(shown)}:`;
  if (LABELS.size < MOST_LABELS && name.length <= 200) LABELS.set(name, label);
  return label;
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? shownJson(JSON.stringify(text)) : `"${text}"`;
}

/** Errors have no useful JSON form; other values without one are converted to text, so that no event is lost. */
function jsonOf(value: unknown, withStack: boolean): string {
  if (isError(value)) return shownJson(JSON.stringify(errorForm(readThrown(value), withStack)));
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return shownJson(text);
  } catch {
    // A bigint, a loop, or its own code.
  }
  return quoted(inspected(value, true));
}

/** The longest object in an error, in characters of JSON: it may be a whole response. */
const LONGEST_MEMBER = 4000;

/**
 * An error in the form of pino's serializer, its cause as a member; another value as text.
 *
 * @param withStack without it, for what clients have done wrong
 */
export function errorForm(thrown: Thrown, withStack: boolean): object | string {
  const { name, message, title, frames, places, members, cause, errors } = thrown;
  if (name === undefined) return message;
  const form: Record<string, unknown> = Object.create(null);
  form.type = name;
  form.message = message;
  if (withStack) form.stack = [title, ...frames, ...places].join('\n    ');
  for (const [member, text] of members) {
    if (member in form) continue;
    form[member] =
      typeof text === 'string' ? plainMember(memberOf(thrown, member), text) : errorForm(text, withStack);
  }
  if (errors.length > 0) form.aggregateErrors = errors.map((one) => errorForm(one, withStack));
  if (cause !== undefined) form.cause = errorForm(cause, withStack);
  return form;
}

/** Objects of classes, such as a socket, are not opened. */
function plainMember(value: unknown, text: string): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return text;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return text;
    const json: string | undefined = JSON.stringify(value);
    return json === undefined || json.length > LONGEST_MEMBER ? text : JSON.parse(json);
  } catch {
    return text;
  }
}
