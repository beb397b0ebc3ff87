// Settings of servers: checks times in milliseconds.
import { checkValue } from './check.js';
import { either, milliseconds, type Rule, unlimited } from './rules.js';

/** The time of a request. */
export const requestTime: Rule = either(milliseconds(1), unlimited);

/** @throws ConfigError if it is not a whole number of milliseconds between `leastMs` and 2^31 - 1. */
export function checkTime(who: string, ms: number, leastMs: number): number {
  return checkValue(who, 'the time', ms, milliseconds(leastMs));
}
