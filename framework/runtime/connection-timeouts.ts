// Settings: how long a server waits for the client of a connection.
import { checkOptions } from '../options/check.js';
import { milliseconds, type Rules } from '../options/rules.js';

/** How long a server waits for the client, in milliseconds; see `app.connectionTimeouts()`. */
export interface ConnectionTimeouts {
  /** Maximum time to receive the head of a request; 10,000 by default. Then the answer is 408. */
  headersMs: number;
  /** Maximum time without a byte of a request body that is being read; 30,000 by default. */
  idleBodyMs: number;
  /** How long an idle connection is kept; 5,000 by default. */
  keepAliveMs: number;
}

export const CONNECTION_TIMEOUTS: Readonly<ConnectionTimeouts> = {
  headersMs: 10_000,
  idleBodyMs: 30_000,
  keepAliveMs: 5_000,
};

const RULES: Rules<ConnectionTimeouts> = {
  headersMs: milliseconds(1),
  idleBodyMs: milliseconds(1),
  keepAliveMs: milliseconds(1),
};

/** @throws ConfigError if a name is unknown or a time is out of range. */
export function checkConnectionTimeouts(times: Partial<ConnectionTimeouts>): Partial<ConnectionTimeouts> {
  return checkOptions<Partial<ConnectionTimeouts>>('connectionTimeouts', times, RULES);
}
