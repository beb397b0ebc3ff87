// What happens to accounts, for the log: who has signed up or in, and who has tried (OWASP ASVS 5.0.0, 16.3.1).
import { createHash } from 'node:crypto';
import type { Context } from 'fw';

export type AccountEvent =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'password-change'
  | 'password-reset'
  | 'account-deletion';

export interface AccountFacts {
  /** The id of the account, where there is one. */
  userId?: string | undefined;
  /** What somebody has entered; only a digest of it is logged. */
  email?: string;
  /** Why it failed; undefined if it succeeded. */
  failure?: string;
}

export function logAccountEvent(ctx: Context, event: AccountEvent, facts: AccountFacts): void {
  const { userId, email, failure } = facts;
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

/** Tells that two attempts were of the same address, without the address. */
function digestOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 16);
}
