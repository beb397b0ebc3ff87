// Accounts: checks an e-mail address and a password, with what belongs to that.
import type { Context } from '../../context/context.js';
import { FwError } from '../../http/errors.js';
import { checkOptions } from '../../options/check.js';
import { callback, type Rules, required } from '../../options/rules.js';
import { hashPassword, needsRehash, verifyPassword } from '../password/hash-password.js';
import type { SignInLimit } from '../password/sign-in-limit.js';
import { type AccountEvent, logAccountEvent } from './account-events.js';

/** What `passwordCheck` needs of a user. */
export interface PasswordUser {
  readonly id: string;
  /** Of `hashPassword`; null or undefined if the user has no password, as one of an identity provider. */
  readonly passwordHash?: string | null | undefined;
}

/** Options of `passwordCheck`. */
export interface PasswordCheckOptions<User extends PasswordUser> {
  /** Limits guesses; all ways to sign in should share it. */
  readonly limit: SignInLimit;
  /** The user of an e-mail address. */
  readonly find: (ctx: Context, email: string) => User | null | undefined | Promise<User | null | undefined>;
  /** Stores a stronger hash of the password, which was just right. */
  readonly rehash: (ctx: Context, user: User, passwordHash: string) => unknown;
}

/**
 * Gives the user of an e-mail address if the password is right, else undefined. A failure is logged as the event, which is
 * `sign-in` by default; log a success when you have let the user in.
 *
 * @throws FwError 429 after too many failures, 503 if they cannot be counted; what `find` and `rehash` throw
 */
export type PasswordCheck<User extends PasswordUser> = (
  ctx: Context,
  credentials: { readonly email: string; readonly password: string },
  event?: AccountEvent,
) => Promise<User | undefined>;

const RULES: Rules<PasswordCheckOptions<PasswordUser>> = {
  limit: required(callback('a limit of guesses, such as signInLimit() of fw/password')),
  find: required(callback('a function that finds the user of an e-mail address')),
  rehash: required(callback('a function that stores a new hash of the password')),
};

/**
 * Makes the function that checks passwords: guesses are limited, an account that does not exist takes as long as one that
 * does, failures are logged, and a hash that is weaker than those of today is made anew.
 *
 * ```ts
 * const checkPassword = passwordCheck({ limit: signInLimit(), find: findByEmail, rehash: setPasswordHash });
 * const user = await checkPassword(ctx, { email, password });
 * if (user === undefined) throw FwError.unauthorized('wrong e-mail address or password');
 * ```
 *
 * @throws ConfigError if an option is missing, unknown or not of its kind
 */
export function passwordCheck<User extends PasswordUser>(
  options: PasswordCheckOptions<User>,
): PasswordCheck<User> {
  const { limit, find, rehash } = checkOptions<PasswordCheckOptions<User>>('passwordCheck', options, RULES);
  return async function checkPassword(ctx, { email, password }, event = 'sign-in') {
    const user = (await find(ctx, email)) ?? undefined;
    const failed = (failure: string) => logAccountEvent(ctx, event, { userId: user?.id, email, failure });
    const hash = user?.passwordHash ?? undefined;
    const isRight = await limit(ctx, email, () => verifyPassword(password, hash)).catch((error: unknown) => {
      if (error instanceof FwError && error.status === 429) failed('too many failures');
      throw error;
    });
    if (!isRight || user === undefined) {
      failed('wrong password');
      return undefined;
    }
    if (hash !== undefined && needsRehash(hash)) await rehash(ctx, user, await hashPassword(password));
    return user;
  };
}
