// Settings: how long a server waits for the other end of a connection.
import { checkTime } from './settings.js';

/** In milliseconds. */
export interface ConnectionTimes {
  /** To receive the head of a request; 10,000 by default. */
  headMs: number;
  /** Without a byte of a request's body, while it is being read; 30,000 by default. */
  idleBodyMs: number;
  /** That a connection without a request is kept; 5,000 by default. */
  keepAliveMs: number;
}

export const CONNECTION_TIMES: Readonly<ConnectionTimes> = {
  headMs: 10_000,
  idleBodyMs: 30_000,
  keepAliveMs: 5_000,
};

/** @throws Error when a name is unknown or a time out of range. */
export function checkConnectionTimes(times: Partial<ConnectionTimes>): Partial<ConnectionTimes> {
  for (const [name, ms] of Object.entries(times)) {
    if (!Object.hasOwn(CONNECTION_TIMES, name)) {
      const known = Object.keys(CONNECTION_TIMES).join(', ');
      throw new Error(`connectionTimes has no '${name}'; it has ${known}`);
    }
    checkTime(`connectionTimes.${name}`, ms, 1);
  }
  return times;
}
