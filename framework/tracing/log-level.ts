// Tracing: the levels of events, and which of them are published.
import diagnostics from 'node:diagnostics_channel';
import { checkValue } from '../options/check.js';
import { oneOf } from '../options/rules.js';
import type { TracingEvent } from './event.js';
import { isHeard } from './trace-channel.js';

/** The severity of an event, from the least to the greatest. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** As numbers, those of pino. */
export const RANKS: Readonly<Record<LogLevel | 'silent', number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 70,
};

const LEVEL = oneOf(...Object.keys(RANKS));

const channel = diagnostics.channel('fw:event');

/** Undefined until it is set or needed. */
let least: number | undefined;

/**
 * Publishes events of this level and above from now on, and `silent` none: lines of `log`, those of the framework, and
 * errors. By default it is the variable `LOG_LEVEL` of the environment, or `info`.
 *
 * @throws ConfigError if it is not a level
 */
export function setLogLevel(level: LogLevel | 'silent'): void {
  least = RANKS[checkValue('setLogLevel', 'the level', level, LEVEL)];
}

/** Whether events of this level are published. */
export function isLevelEnabled(level: LogLevel): boolean {
  least ??= levelOfEnvironment();
  return RANKS[level] >= least;
}

/** A level that is none is reported, and not obeyed: an app that runs must not stop because of its log. */
function levelOfEnvironment(): number {
  // Workers may have no process.
  const given = globalThis.process?.env?.LOG_LEVEL;
  if (given === undefined || given === '') return RANKS.info;
  const name = given.toLowerCase();
  if (Object.hasOwn(RANKS, name)) return RANKS[name as LogLevel];
  const message = `LOG_LEVEL is ${JSON.stringify(given)}; give one of ${Object.keys(RANKS).join(', ')}; until then it is info`;
  // Set before subscribers ask for it.
  least = RANKS.info;
  if (isHeard(channel)) {
    channel.publish({
      time: Date.now(),
      level: 'warn',
      message,
      fields: {},
      span: {},
    } satisfies TracingEvent);
  } else console.warn(message);
  return RANKS.info;
}
