// Accounts: what happens to them, for the log.
import { createHash } from 'node:crypto';
import type { Context } from '../../context/context.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { anything, filled, type Rules } from '../../options/rules.js';

/** What happens to accounts; an app may have more. */
export type AccountEvent =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'password-change'
  | 'password-reset'
  | 'email-confirmation'
  | 'email-change'
  | 'account-deletion'
  | (string & {});

/** Facts of an event of an account. */
export interface AccountFacts {
  /** The id of the account, where there is one. */
  readonly userId?: string | undefined;
  /** What somebody has entered. Only a digest of it is logged, which tells that two attempts were of the same address. */
  readonly email?: string | undefined;
  /** Why it failed; undefined if it succeeded. */
  readonly failure?: string | undefined;
}

const RULES: Rules<AccountFacts> = { userId: anything, email: anything, failure: anything };

/**
 * Logs what has happened to an account: who has signed up or in, and who has tried (OWASP ASVS 5.0.0, 16.3.1). A success
 * is a line of the level `info`, a failure one of `warn`, with the fields `event`, `outcome`, `reason`, `user_id`,
 * `email_digest` and `client`.
 *
 * ```ts
 * logAccountEvent(ctx, 'sign-in', { userId: user.id });
 * logAccountEvent(ctx, 'sign-in', { email, failure: 'wrong password' });
 * ```
 *
 * @throws ConfigError if the event is empty, or a fact is unknown
 */
export function logAccountEvent(ctx: Context, event: AccountEvent, facts: AccountFacts = {}): void {
  checkValue('logAccountEvent', 'the event', event, filled);
  const { userId, email, failure } = checkOptions('logAccountEvent', facts, RULES);
  // Made only if the line is wanted.
  const fields = () => ({
    event,
    outcome: failure === undefined ? 'success' : 'failure',
    ...(failure !== undefined && { reason: failure }),
    ...(userId !== undefined && { user_id: userId }),
    ...(email !== undefined && { email_digest: digestOf(email) }),
    client: ctx.clientIp(),
  });
  if (failure === undefined) ctx.log.info(event, fields);
  else ctx.log.warn(`${event} failed: ${failure}`, fields);
}

function digestOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 16);
}
