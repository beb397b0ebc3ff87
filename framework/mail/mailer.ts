// Mail: sends mails by a transport, with a time limit; in development, a mail without a transport becomes a file.
import { checkOptions } from '../options/check.js';
import { milliseconds, oneOf, type Rule, type Rules, required } from '../options/rules.js';
import { markHandled } from '../promises.js';
import { type CheckedMail, checkedMail, type Mail, type MailAddress, parseAddress } from './mail.js';
import { type MailOutcome, publishMail } from './mail-channel.js';
import { MailError } from './mail-error.js';

/** What sends mails, such as the transports of nodemailer. */
export interface MailTransport {
  /** Settles when the mail was handed over. `rejected` of the result are addresses that did not get it. */
  sendMail(mail: CheckedMail): Promise<unknown>;
  close?(): unknown;
}

/** Options of `mailer`. */
export interface MailerOptions {
  /** The sender, such as `Lists <lists@example.org>`. */
  from: string | MailAddress;
  /**
   * What sends the mails; nothing or an empty text for none. Without one, mails are files where NODE_ENV is
   * `development`, and `send` rejects elsewhere.
   */
  transport?: MailTransport | '' | false | null | undefined;
  /** How long the transport may take for a mail, in milliseconds; 30,000 by default. */
  timeout?: number;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Sends the mail.
   *
   * @throws MailError if it is malformed, or was not sent
   */
  send(mail: Mail): Promise<void>;
  /** Waits for the mails that are being sent, and closes the transport. */
  close(): Promise<void>;
}

const ADDRESS: Rule = {
  takes: "an address, such as 'Lists <lists@example.org>'",
  fault(value) {
    if (parseAddress(value) !== undefined) return undefined;
    return { code: typeof value === 'string' ? 'FW_OPTION_FORM' : 'FW_OPTION_TYPE' };
  },
};

const NONE = oneOf('', false);
const TRANSPORT: Rule = {
  takes: 'a transport, such as createTransport() of nodemailer makes it, or nothing',
  fault(value) {
    if (value === null || NONE.fault(value) === undefined) return undefined;
    return typeof (value as Partial<MailTransport>).sendMail === 'function'
      ? undefined
      : { code: 'FW_OPTION_TYPE' };
  },
};

const RULES: Rules<MailerOptions> = {
  from: required(ADDRESS),
  // An address of a mail server that was given instead has its password.
  transport: { ...TRANSPORT, isSecret: true },
  timeout: milliseconds(1),
};

const USUAL_TIMEOUT = 30_000;

/**
 * Makes what sends mails.
 *
 * ```ts
 * const mail = mailer({ from: 'Lists <lists@example.org>', transport: SMTP_URL && createTransport(SMTP_URL) });
 * await mail.send({ to: 'ada@example.org', subject: 'Welcome', text: 'Hello Ada' });
 * ```
 *
 * @throws ConfigError if an option is malformed
 */
export function mailer(options: MailerOptions): Mailer {
  const { from, transport, timeout = USUAL_TIMEOUT } = checkOptions<MailerOptions>('mailer', options, RULES);
  const sender = parseAddress(from) as MailAddress;
  const pending = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  async function send(given: Mail): Promise<void> {
    const mail = checkedMail(given, sender);
    if (closed) throw new MailError('FW_MAIL_CLOSED', 'the mail was not sent: its mailer is closed');
    publishMail(mail);
    const work = transport ? sendBy(transport, mail, timeout) : writeOrRefuse(mail);
    pending.add(work);
    try {
      publishMail(mail, await work);
    } catch (error) {
      publishMail(mail, { state: 'failed', error });
      throw error;
    } finally {
      pending.delete(work);
    }
  }

  async function end(): Promise<void> {
    await Promise.allSettled(pending);
    if (transport) await transport.close?.();
  }

  return {
    send,
    close() {
      closed ??= end();
      return closed;
    },
  };
}

async function sendBy(transport: MailTransport, mail: CheckedMail, limitMs: number): Promise<MailOutcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `the transport has not sent the mail within ${limitMs} ms, the timeout of the mailer`;
      reject(new MailError('FW_MAIL_TIMEOUT', message));
    }, limitMs);
  });
  try {
    // Later, nobody hears of its failure.
    const result = await Promise.race([markHandled(handedOver(transport, mail)), late]);
    const { rejected } = (result ?? {}) as { rejected?: unknown };
    if (Array.isArray(rejected) && rejected.length > 0) {
      throw new MailError(
        'FW_MAIL_FAILED',
        `the mail server refused ${rejected.length} of ${mail.to.length} recipients; the others get the mail`,
        { cause: result },
      );
    }
    return { state: 'sent' };
  } finally {
    clearTimeout(timer);
  }
}

async function handedOver(transport: MailTransport, mail: CheckedMail): Promise<unknown> {
  try {
    return await transport.sendMail(mail);
  } catch (cause) {
    throw new MailError('FW_MAIL_FAILED', `the mail was not sent: the transport failed${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Codes alone: what servers and drivers say may have addresses, links or passwords in it. */
function reasonOf(cause: unknown): string {
  const { code, responseCode } = codesOf(cause);
  const parts = [
    typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined,
    typeof responseCode === 'number' ? `status ${responseCode}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function codesOf(cause: unknown): { readonly code?: unknown; readonly responseCode?: unknown } {
  try {
    const { code, responseCode } = (cause ?? {}) as { code?: unknown; responseCode?: unknown };
    return { code, responseCode };
  } catch {
    // A Proxy, or a getter that throws.
    return {};
  }
}

async function writeOrRefuse(mail: CheckedMail): Promise<MailOutcome> {
  if (globalThis.process?.env.NODE_ENV !== 'development') {
    throw new MailError(
      'FW_MAIL_NO_TRANSPORT',
      'the mail was not sent: give mailer() a transport, such as createTransport(SMTP_URL) of nodemailer, or in tests that of new TestMailbox(); mails become files where NODE_ENV is development alone',
    );
  }
  const { writeMail } = await import('./mail-files.js');
  return { state: 'written', file: await writeMail(mail) };
}
