// What happens to accounts, for the log: who has signed up or in, and who has tried (OWASP ASVS 5.0.0, 16.3.1).
import { createHash } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { Context } from 'fw';
import { currentSpan, type TracingEvent } from 'fw/tracing';

/** The channel that `subscribe` of fw/tracing listens to. */
const channel = diagnostics.channel('fw:event');

export type AccountEvent = 'sign-up' | 'sign-in' | 'sign-out' | 'password-change' | 'password-reset';

export interface AccountFacts {
  /** The id of the account, where there is one. */
  userId?: string | undefined;
  /** What somebody has entered; only a digest of it is logged. */
  email?: string;
  /** Why it failed; undefined if it succeeded. */
  failure?: string;
}

export function logAccountEvent(ctx: Context, event: AccountEvent, facts: AccountFacts): void {
  if (!channel.hasSubscribers) return;
  const { userId, email, failure } = facts;
  const fields = {
    event,
    outcome: failure === undefined ? 'success' : 'failure',
    ...(failure !== undefined && { reason: failure }),
    ...(userId !== undefined && { user_id: userId }),
    ...(email !== undefined && { email_digest: digestOf(email) }),
    client: ctx.clientIp(),
  };
  channel.publish({
    time: Date.now(),
    level: failure === undefined ? 'info' : 'warn',
    message: failure === undefined ? event : `${event} failed: ${failure}`,
    fields,
    span: currentSpan(),
  } satisfies TracingEvent);
}

/** Tells that two attempts were of the same address, without the address. */
function digestOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url').slice(0, 16);
}
