// What the app writes with `console`, as lines of the request that it belongs to. The terminal gets it as before.
import { formatWithOptions } from 'node:util';
import { callSite } from '../../../../framework/tracing/call-site.js';
import type { TracingEvent } from '../../../../framework/tracing/event.js';
import { inspected } from '../../../../framework/tracing/inspected.js';
import type { LogLevel } from '../../../../framework/tracing/log-level.js';
import { redaction, SECRET_FIELDS } from '../../../../framework/tracing/redaction.js';

const LEVELS = {
  log: 'info',
  info: 'info',
  debug: 'debug',
  warn: 'warn',
  error: 'error',
} as const satisfies Record<string, LogLevel>;

/** In characters. */
const LONGEST_LINE = 4000;

/** A value of a line is cut, not the whole of it: it may be a response with all its rows. */
const SHORT = { maxArrayLength: 50, maxStringLength: 1000, colors: false };

/** Takes a line, and the place in the app that called. */
type Take = (event: TracingEvent, place: () => string) => void;

/**
 * Patches `console`, once: the app may patch it further.
 *
 * @param isWanted asked for each call; nothing else is done for one that is not wanted
 */
export function watchConsole(isWanted: () => boolean, take: Take): () => void {
  const restore: (() => void)[] = [];
  for (const [name, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, LogLevel][]) {
    const original = console[name];
    const recorded = function recorded(this: unknown, ...args: unknown[]): void {
      if (isWanted()) take(lineOf(level, args), callSite(recorded));
      original.apply(this, args);
    };
    Object.defineProperty(recorded, 'name', { value: name });
    console[name] = recorded;
    restore.push(() => {
      console[name] = original;
    });
  }
  return () => {
    for (const one of restore) one();
  };
}

function lineOf(level: LogLevel, args: readonly unknown[]): TracingEvent {
  const message = textOf(args).slice(0, LONGEST_LINE);
  return { time: Date.now(), level, message, fields: {}, span: {}, from: 'app' };
}

const hide = redaction(SECRET_FIELDS);

function textOf(args: readonly unknown[]): string {
  const shown = args.map((arg) => hide({ ...EMPTY, fields: { arg } }).fields.arg);
  try {
    return formatWithOptions(SHORT, ...shown);
  } catch {
    // The own code of a value: `console` throws for it, too, if the app has not expected that.
    return shown.map((arg) => (typeof arg === 'string' ? arg : inspected(arg, true))).join(' ');
  }
}

const EMPTY: TracingEvent = { time: 0, level: 'info', message: '', fields: {}, span: {} };
