// The last mails of the app, and what the page gets of them. The links in them are shown: they are what the page is for.
import type { ServerResponse } from 'node:http';
import type { RawMail } from '../../process/records.js';
import type { MailDetail, MailSummary, RequestSummary } from './protocol.js';
import { Refusal } from './refusals.js';
import { shownError } from './shown-error.js';
import { type Routes, written } from './workbench-server.js';

const MOST_MAILS = 100;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The HTML of a mail is a page of its own, in a frame: without scripts and forms, and without anything of other servers,
 * which would learn that it was read. Its links open in another tab.
 */
const HTML_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

interface Entry {
  readonly id: number;
  readonly worker: string;
  raw: RawMail;
}

export interface SentMailsOptions {
  /** The folder of the project. */
  readonly root: string;
  /** The request or the job of that number of a worker; undefined while it is not known. */
  request(worker: string, seq: number): RequestSummary | undefined;
  /** Tells the page. */
  publish(mail: MailSummary): void;
}

export class SentMails {
  readonly #options: SentMailsOptions;
  /** By worker and number, the oldest first. */
  readonly #byKey = new Map<string, Entry>();
  #count = 0;

  constructor(options: SentMailsOptions) {
    this.#options = options;
  }

  /** The oldest first. */
  get list(): MailSummary[] {
    return [...this.#byKey.values()].map((entry) => this.#summary(entry));
  }

  get routes(): Routes {
    return {
      'GET /_fw/mails': () => this.list,
      'GET /_fw/mails/:id': (_, __, id) => this.#detail(this.#find(id)),
      'GET /_fw/mail-html/:id': (_, response, id) => answerHtml(response, this.#find(id).raw),
    };
  }

  take(worker: string, raw: RawMail): void {
    const key = `${worker}:${raw.seq}`;
    const known = this.#byKey.get(key);
    // One that was forgotten meanwhile does not come back.
    if (known === undefined && raw.state !== 'sending') return;
    const entry = known ?? { id: ++this.#count, worker, raw };
    entry.raw = raw;
    this.#byKey.set(key, entry);
    this.#forgetOldest();
    this.#options.publish(this.#summary(entry));
  }

  /** These requests and jobs of a worker are known now, or have changed. */
  known(worker: string, seqs: readonly number[]): void {
    for (const entry of this.#byKey.values()) {
      const { record } = entry.raw;
      if (entry.worker !== worker || record === undefined || !seqs.includes(record)) continue;
      this.#options.publish(this.#summary(entry));
    }
  }

  /** A worker has ended: what it had not sent, it never will. */
  gone(worker: string): void {
    for (const entry of this.#byKey.values()) {
      if (entry.worker === worker && entry.raw.state === 'sending') {
        this.take(worker, { ...entry.raw, state: 'failed' });
      }
    }
  }

  #find(id: number): Entry {
    const found = [...this.#byKey.values()].find((entry) => entry.id === id);
    if (found === undefined) throw new Refusal(404, 'NotFound', `mail ${id} is not kept any more`);
    return found;
  }

  #summary({ id, worker, raw }: Entry): MailSummary {
    const { began, state, to, subject, record } = raw;
    const request = record === undefined ? undefined : this.#options.request(worker, record);
    return { id, began, state, to, subject, ...(request !== undefined && { request }) };
  }

  #detail(entry: Entry): MailDetail {
    const { from, replyTo, text, html, isCut, file, error } = entry.raw;
    return {
      ...this.#summary(entry),
      from,
      ...(replyTo !== undefined && { replyTo }),
      text,
      hasHtml: html !== undefined,
      ...(isCut && { isCut }),
      ...(file !== undefined && { file }),
      ...(error !== undefined && { error: shownError(error, this.#options.root) }),
    };
  }

  #forgetOldest(): void {
    let bytes = 0;
    for (const { raw } of this.#byKey.values()) bytes += sizeOf(raw);
    for (const [key, { raw }] of this.#byKey) {
      if (this.#byKey.size <= MOST_MAILS && bytes <= MOST_BYTES) return;
      this.#byKey.delete(key);
      bytes -= sizeOf(raw);
    }
  }
}

function sizeOf({ text, html = '' }: RawMail): number {
  return 1000 + 2 * (text.length + html.length);
}

function answerHtml(response: ServerResponse, { html }: RawMail): symbol {
  if (html === undefined) throw new Refusal(404, 'NotFound', 'this mail has no HTML');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': HTML_POLICY,
  });
  const doctype = /^\s*<!doctype[^>]{0,300}>/i.exec(html)?.[0] ?? '';
  response.end(`${doctype}<base target="_blank">${html.slice(doctype.length)}`);
  return written;
}
