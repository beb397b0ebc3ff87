// Settings of servers: checks times in milliseconds.
import { ConfigError } from '../config-error.js';

/** The longest time of a Node timer; with a longer one, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws ConfigError when the time is not between `leastMs` and 2^31 - 1 milliseconds. */
export function checkTime(what: string, ms: number, leastMs: number): number {
  if (ms >= leastMs && ms <= LONGEST_TIMER_MS) return ms;
  throw new ConfigError(
    'FW_SETTING',
    `invalid ${what} ${ms}: give milliseconds, ${leastMs} to ${LONGEST_TIMER_MS}`,
  );
}
