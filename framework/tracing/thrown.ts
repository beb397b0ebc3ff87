// Tracing: reads what was thrown, whatever it is: of another realm, frozen, a Proxy, no error at all, or with getters that
// throw. Everything that shows an error shows what is read here. Nothing here throws.
import { placeFrames } from './error-places.js';
import { inspected, isError, shownText } from './inspected.js';

/** A thrown value, as data. */
export interface Thrown {
  /** Undefined if it is not an error. */
  readonly name: string | undefined;
  /** The message of an error, its name if it has none; the text of another value. */
  readonly message: string;
  /** `name: message`; another value as `util.inspect` shows it, on one line or several. */
  readonly title: string;
  /** The frames of the stack, such as `at handler (file:///app/main.ts:3:4)`. */
  readonly frames: readonly string[];
  /** Where it comes from if no line of the application has run, in the same form: `at schema (file:///app/main.ts:3:4)`. */
  readonly places: readonly string[];
  readonly code: string | number | undefined;
  /** The other members by name, as text, or errors themselves. */
  readonly members: readonly (readonly [name: string, value: string | Thrown])[];
  readonly cause: Thrown | undefined;
  /** Those of an AggregateError. */
  readonly errors: readonly Thrown[];
  /** What was read. */
  readonly source: unknown;
}

/** A chain of causes may be endless, and an AggregateError may have thousands of errors. */
const MOST_CAUSES = 8;
const MOST_ERRORS = 10;
const MOST_MEMBERS = 20;

/** The members that are shown in a place of their own. */
const OWN_PLACE: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause']);

export function readThrown(thrown: unknown): Thrown {
  return readOne(thrown, []);
}

/** The message of an error, its name if it has none; the text of another value on one line. */
export function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return typeof thrown === 'string' ? thrown : inspected(thrown, true);
  return textOf(thrown, 'message') || nameOf(thrown);
}

/** @param around the errors that this one is in */
function readOne(thrown: unknown, around: readonly unknown[]): Thrown {
  if (!isError(thrown)) return { ...plain(messageOf(thrown), inspected(thrown)), source: thrown };
  if (around.includes(thrown)) return plain('[circular]');
  if (around.length >= MOST_CAUSES) return plain('[more causes]');
  const inside = [...around, thrown];
  const name = nameOf(thrown);
  const message = textOf(thrown, 'message');
  const code = read(thrown, 'code');
  const errors = errorsOf(thrown, inside);
  return {
    name,
    message: message || name,
    title: message === '' ? name : `${name}: ${message}`,
    frames: framesOf(textOf(thrown, 'stack'), message),
    places: attempt(() => placeFrames(thrown)) ?? [],
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    members: membersOf(thrown, inside, errors !== undefined),
    cause: attempt(() => 'cause' in thrown) === true ? readOne(read(thrown, 'cause'), inside) : undefined,
    errors: errors ?? [],
    source: thrown,
  };
}

function plain(message: string, title: string = message): Thrown {
  const none = {
    frames: [],
    places: [],
    members: [],
    errors: [],
    cause: undefined,
    code: undefined,
    source: undefined,
  };
  return { name: undefined, message, title, ...none };
}

/** That of its class, if it has none of its own. */
function nameOf(error: Error): string {
  const name = textOf(error, 'name') || 'Error';
  if (name !== 'Error') return name;
  const className = attempt(() => error.constructor.name);
  return typeof className === 'string' && className !== '' ? className : name;
}

/** The message comes first in a stack, and may contain text from a client that looks like a frame. */
function framesOf(stack: string, message: string): string[] {
  const at = stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  const frames = rest.split('\n').filter((line) => FRAME.test(line));
  // A SyntaxError of a module begins with the place, and the code.
  const place = stack.slice(0, Math.max(at, 0)).split('\n', 1)[0] ?? '';
  if (PLACE.test(place)) frames.unshift(`at ${place}`);
  return frames.map((line) => line.trim());
}

const FRAME = /^[\t ]+at /;
const PLACE = /^(?:file:|\/|[A-Z]:\\).*:\d+$/;

/** Undefined if it is not an error of errors. */
function errorsOf(error: Error, inside: readonly unknown[]): Thrown[] | undefined {
  const errors = attempt(() => {
    const value = read(error, 'errors');
    return Array.isArray(value) && (error.name === 'AggregateError' || value.some(isError))
      ? [value.slice(0, MOST_ERRORS), value.length]
      : undefined;
  });
  if (errors === undefined) return undefined;
  const [shown, count] = errors as [unknown[], number];
  const all = shown.map((one) => readOne(one, inside));
  if (count > MOST_ERRORS) all.push(plain(`[${count - MOST_ERRORS} more errors]`));
  return all;
}

/** Without running getters. */
function membersOf(
  error: Error,
  inside: readonly unknown[],
  hasErrors: boolean,
): (readonly [string, string | Thrown])[] {
  const names = attempt(() => Object.keys(error)) ?? [];
  const members: (readonly [string, string | Thrown])[] = [];
  for (const name of names) {
    if (OWN_PLACE.has(name) || (hasErrors && name === 'errors')) continue;
    if (members.length === MOST_MEMBERS) break;
    const property = attempt(() => Object.getOwnPropertyDescriptor(error, name));
    if (property === undefined) continue;
    if (!('value' in property)) members.push([name, '[Getter]']);
    else if (isError(property.value)) members.push([name, readOne(property.value, inside)]);
    else members.push([name, inspected(property.value, true)]);
  }
  return members;
}

/** The value of a member of an error; undefined if it is a getter. */
export function memberOf({ source }: Thrown, name: string): unknown {
  return attempt(() => Object.getOwnPropertyDescriptor(source, name)?.value as unknown);
}

/**
 * Whether the stack of an error is of use, by the fields of its event: what a client did wrong leads to no mistake in the
 * code, and would hide the rest of the log.
 */
export function hasStack({ status, isCut }: Readonly<Record<string, unknown>>): boolean {
  return typeof status !== 'number' || status >= 500 || isCut === true;
}

function textOf(error: Error, member: string): string {
  const value = read(error, member);
  if (typeof value === 'string') return value;
  return value === undefined ? '' : inspected(value, true);
}

function read(error: Error, member: string): unknown {
  return attempt(() => (error as unknown as Record<string, unknown>)[member]);
}

/** Undefined if it throws: a getter, a Proxy inside. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Never throws. */
export function shownThrown(thrown: unknown): string {
  return thrownLines(readThrown(thrown)).join('\n');
}

/** Each line by itself; the first one is the title. */
export function thrownLines({ name, title, frames, places, members, cause, errors }: Thrown): string[] {
  const lines = name === undefined ? linesOfValue(title) : [shownText(title)];
  for (const frame of [...frames, ...places]) lines.push(`    ${shownText(frame)}`);
  for (const [member, value] of members) {
    const inner = typeof value === 'string' ? linesOfValue(value) : thrownLines(value);
    lines.push(...labelled(shownText(member), inner));
  }
  if (cause !== undefined) lines.push(...labelled('[cause]', thrownLines(cause)));
  for (const error of errors) lines.push(...labelled('[error]', thrownLines(error)));
  return lines;
}

/** The value's own code may have written it: its lines are indented, so that none looks like another event. */
function linesOfValue(text: string): string[] {
  return text.split('\n').map((line, index) => (index === 0 ? '' : '    ') + shownText(line));
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `  ${label}: ${line}` : `  ${line}`));
}
