// Settings: how long a server waits for the client of a connection.
import { ConfigError } from '../config-error.js';
import { checkTime } from './check-time.js';

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

/** @throws ConfigError when a name is unknown or a time is out of range. */
export function checkConnectionTimeouts(times: Partial<ConnectionTimeouts>): Partial<ConnectionTimeouts> {
  for (const [name, ms] of Object.entries(times)) {
    if (!Object.hasOwn(CONNECTION_TIMEOUTS, name)) {
      const known = Object.keys(CONNECTION_TIMEOUTS).join(', ');
      throw new ConfigError('FW_SETTING', `connectionTimeouts has no '${name}'; it has ${known}`);
    }
    checkTime(`connectionTimeouts.${name}`, ms, 1);
  }
  return times;
}
