// Testing: a transport of mails that keeps them, so that a test can follow the links in them.
import type { CheckedMail } from '../mail/mail.js';
import type { MailTransport } from '../mail/mailer.js';
import { checkOptions } from '../options/check.js';
import { either, filled, milliseconds, type Rule, type Rules } from '../options/rules.js';

/** A mail that the app has sent. */
export interface TestMail {
  /** The addresses, without names. */
  readonly to: readonly string[];
  readonly from: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Addresses of http and https in the text and in the HTML, each once, in their order. */
  readonly links: readonly string[];
}

/** Which mail a test waits for: all that is given must fit. */
export interface TestMailFilter {
  to?: string;
  subject?: string | RegExp;
}

/** Options of `TestMailbox.waitFor`. */
export interface TestMailOptions {
  /** In milliseconds; 5000 by default. */
  timeout?: number;
}

const EXPRESSION: Rule = {
  takes: 'an expression, such as /reset/',
  fault: (value) => (value instanceof RegExp ? undefined : { code: 'FW_OPTION_TYPE' }),
};

const FILTER: Rules<TestMailFilter> = {
  to: filled,
  subject: either(filled, EXPRESSION),
};
const OPTIONS: Rules<TestMailOptions> = { timeout: milliseconds(1) };
const USUAL_TIMEOUT = 5000;

/**
 * A mailbox for all mails of an App in a test.
 *
 * ```ts
 * const mailbox = new TestMailbox();
 * const mail = mailer({ from: 'lists@example.org', transport: mailbox.transport });
 * await mail.send({ to: 'ada@example.org', subject: 'Verify', text: 'https://lists.example/verify?token=abc' });
 * const { links } = await mailbox.waitFor({ to: 'ada@example.org' });
 * ```
 */
export class TestMailbox {
  /** For `mailer`. */
  readonly transport: MailTransport = { sendMail: async (mail) => this.#take(mail) };
  readonly #mails: TestMail[] = [];
  /** What `waitFor` has given. */
  readonly #seen = new Set<TestMail>();
  readonly #waiting = new Set<() => void>();

  /** All mails, the oldest first. */
  get mails(): readonly TestMail[] {
    return [...this.#mails];
  }

  /**
   * The next mail that fits, also one that came before: the oldest that no call has given yet.
   *
   * @throws Error that lists the mails that came, if none does in time
   */
  async waitFor(filter: TestMailFilter = {}, options: TestMailOptions = {}): Promise<TestMail> {
    const wanted = checkOptions<TestMailFilter>('TestMailbox.waitFor', filter, FILTER);
    const { timeout = USUAL_TIMEOUT } = checkOptions<TestMailOptions>(
      'TestMailbox.waitFor',
      options,
      OPTIONS,
    );
    const expires = AbortSignal.timeout(timeout);
    for (;;) {
      const found = this.#mails.find((mail) => !this.#seen.has(mail) && fits(mail, wanted));
      if (found !== undefined) {
        this.#seen.add(found);
        return found;
      }
      if (expires.aborted) throw new Error(this.#missing(wanted, timeout));
      await this.#changed(expires);
    }
  }

  #changed(expires: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        expires.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      expires.addEventListener('abort', wake);
    });
  }

  #take({ from, to, replyTo, subject, text, html }: CheckedMail): void {
    this.#mails.push({
      from: from.address,
      to: to.map(({ address }) => address),
      ...(replyTo !== undefined && { replyTo: replyTo.address }),
      subject,
      text,
      ...(html !== undefined && { html }),
      links: linksIn(text, html),
    });
    for (const wake of this.#waiting) wake();
  }

  #missing({ to, subject }: TestMailFilter, timeout: number): string {
    const wanted = [to && ` to ${to}`, subject && ` with the subject ${subject}`].filter(Boolean).join('');
    const came = this.#mails.map((mail) => {
      const given = this.#seen.has(mail) ? ', which a call of waitFor has given' : '';
      return `\n  to ${mail.to.join(', ')}: ${mail.subject}${given}`;
    });
    return `no mail${wanted} came within ${timeout} ms; ${came.length === 0 ? 'there are none' : `there are:${came.join('')}`}`;
  }
}

function fits({ to, subject }: TestMail, wanted: TestMailFilter): boolean {
  if (wanted.to !== undefined && !to.includes(wanted.to)) return false;
  if (wanted.subject === undefined) return true;
  return typeof wanted.subject === 'string'
    ? subject === wanted.subject
    : subject.search(wanted.subject) !== -1;
}

function linksIn(text: string, html = ''): string[] {
  const plain = [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => withoutEnd(link));
  const attributes = [...html.matchAll(/\bhref=(?:"(https?:\/\/[^"]*)"|'(https?:\/\/[^']*)')/gi)];
  const inHtml = attributes.map(([, double, single]) => (double ?? single ?? '').replaceAll('&amp;', '&'));
  return [...new Set([...plain, ...inHtml])];
}

/** Without the punctuation of the sentence around it. */
function withoutEnd(link: string): string {
  let end = link.length;
  while (/[.,;:!?)\]}']/.test(link[end - 1] ?? '')) end -= 1;
  return link.slice(0, end);
}
