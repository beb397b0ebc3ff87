// Mail: what is sent, on the diagnostics channel `fw:mail`, for `fw dev`; without a subscriber, nothing is published.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../tracing/trace-channel.js';
import type { CheckedMail } from './mail.js';

/** How it ended: a transport has sent it, or it is a file, or neither. */
export type MailOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'written'; readonly file: string }
  | { readonly state: 'failed'; readonly error: unknown };

/** A message on the channel: a mail, when `send` is called, and again when that has ended. */
export interface MailMessage {
  readonly mail: CheckedMail;
  /** Absent at first. */
  readonly outcome?: MailOutcome;
}

const channel = diagnostics.channel('fw:mail');

export function publishMail(mail: CheckedMail, outcome?: MailOutcome): void {
  if (isHeard(channel)) channel.publish({ mail, ...(outcome && { outcome }) } satisfies MailMessage);
}
