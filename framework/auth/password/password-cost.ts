// Passwords: how much work a hash is. Tests that sign in over and over set less.
import { ConfigError } from '../../config-error.js';
import { shown } from '../../options/shown.js';

/** What OWASP recommends first: 2^17 blocks of 1 KB, so 128 MB for each hash. */
const USUAL = 17;
const LEAST = 10;
const MOST = 20;

/**
 * The binary logarithm of N of scrypt (RFC 7914, section 2), by the variable FW_PASSWORD_COST.
 *
 * @throws ConfigError if it is malformed, or less than usual outside of development and tests.
 */
export function passwordCost(): number {
  const { FW_PASSWORD_COST: set = '', NODE_ENV } = globalThis.process?.env ?? {};
  if (set === '') return USUAL;
  const cost = /^\d{2}$/.test(set) ? Number(set) : 0;
  if (cost < LEAST || cost > MOST) {
    throw new ConfigError(
      'FW_PASSWORD_COST',
      `FW_PASSWORD_COST is ${shown(set)}; give a whole number from ${LEAST} to ${MOST}, or leave it out for ${USUAL}`,
    );
  }
  if (cost < USUAL && NODE_ENV !== 'test' && NODE_ENV !== 'development') {
    throw new ConfigError(
      'FW_PASSWORD_COST',
      `FW_PASSWORD_COST is ${cost}, and NODE_ENV is ${shown(NODE_ENV)}: hashes of so little work are guessed quickly; leave it out, or set NODE_ENV to 'test' or 'development'`,
    );
  }
  return cost;
}
