// Mails of an app on the page about it: over the whole way, and what is kept of many.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { RawMail } from '../../process/records.js';
import { startTrialApp, type TrialApp } from '../trial-app.js';
import type { MailDetail, MailSummary } from './protocol.js';
import { SentMails } from './sent-mails.js';
import { events } from './trial-page.js';

/** As fw/mail publishes mails: one that is sent, and with `?fail` one that is not. */
const source = `
import diagnostics from 'node:diagnostics_channel';
import http from 'node:http';
const channel = diagnostics.channel('fw:mail');
http.createServer(async (request, response) => {
  const mail = {
    from: { name: 'Lists', address: 'lists@example.org' },
    to: [{ name: '', address: 'ada@example.org' }],
    subject: 'Reset',
    text: 'https://lists.example/reset?token=abc',
    html: '<!DOCTYPE html><p>Reset</p>',
  };
  await undefined;
  if (channel.hasSubscribers) channel.publish({ mail });
  await new Promise((done) => setImmediate(done));
  const failed = { state: 'failed', error: new RangeError('the transport failed') };
  if (request.url !== '/crash') channel.publish({ mail, outcome: request.url === '/fail' ? failed : { state: 'sent' } });
  response.end('done');
}).listen(4567);`;

let app: TrialApp | undefined;
afterEach(() => app?.close());

async function json<Data>(path: string): Promise<Data> {
  return JSON.parse((await app?.get(path))?.text ?? '') as Data;
}

/** Resolves with the mail, once its request is known too. */
async function settled(id: number): Promise<MailDetail> {
  await expect.poll(async () => (await json<MailDetail>(`/_fw/mails/${id}`)).request).toBeDefined();
  return json(`/_fw/mails/${id}`);
}

describe('a mail', () => {
  it('is kept while nobody looks, with its links and the page that has sent it', async () => {
    app = await startTrialApp({ 'src/main.ts': source });
    await app.get('/sign-up?token=secret', {
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });
    const detail = await settled(1);
    expect(detail).toEqual({
      id: 1,
      began: expect.any(Number),
      state: 'sent',
      from: 'Lists <lists@example.org>',
      to: ['ada@example.org'],
      subject: 'Reset',
      text: 'https://lists.example/reset?token=abc',
      hasHtml: true,
      request: expect.objectContaining({ method: 'GET', target: '/sign-up?token=••••••', status: 200 }),
    });
    expect(await json<MailSummary[]>('/_fw/mails')).toMatchObject([
      { id: 1, state: 'sent', request: { id: 1 } },
    ]);
    expect((await app.get('/_fw/mails/2')).status).toBe(404);
  });

  it('comes to the page when it is sent, and again with its end and its request', async () => {
    app = await startTrialApp({ 'src/main.ts': source });
    const page = await events(app.port);
    await app.get('/fail');
    expect(await page.next<MailSummary>('mail')).toMatchObject({ id: 1, state: 'sending' });
    await page.next<MailSummary>('mail', ({ state }) => state === 'failed');
    await page.next<MailSummary>('mail', ({ request }) => request?.target === '/fail');
    const { error } = await json<MailDetail>('/_fw/mails/1');
    expect(error).toMatchObject({
      title: 'RangeError: the transport failed',
      code: { place: { file: 'src/main.ts' } },
    });
    page.close();
  });

  it('of a process that has ended was not sent', async () => {
    app = await startTrialApp({ 'src/main.ts': source });
    await app.get('/crash');
    expect(await json('/_fw/mails/1')).toMatchObject({ state: 'sending' });
    await app.save('src/main.ts', `${source}\n`);
    await expect.poll(async () => (await json<MailDetail>('/_fw/mails/1')).state).toBe('failed');
    expect(await json('/_fw/mails/1')).not.toHaveProperty('error');
  });

  it('has its HTML in a frame that may do nothing but open links in another tab', async () => {
    app = await startTrialApp({ 'src/main.ts': source });
    await app.get('/');
    const { headers, text } = await app.get('/_fw/mail-html/1');
    expect(text).toBe('<!DOCTYPE html><base target="_blank"><p>Reset</p>');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; /);
    expect(policy).not.toContain('script');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const stranger = await app.get('/_fw/mail-html/1', { 'sec-fetch-site': 'cross-site' });
    expect(stranger.status).toBe(403);
  });
});

describe('SentMails', () => {
  const raw: RawMail = { seq: 1, began: 1, state: 'sending', from: 'a', to: ['b'], subject: 's', text: 't' };

  function opened(): { mails: SentMails; list: () => MailSummary[]; published: MailSummary[] } {
    const published: MailSummary[] = [];
    const publish = (mail: MailSummary): void => void published.push(mail);
    const mails = new SentMails({ root: '/', request: () => undefined, publish });
    return {
      mails,
      published,
      list: () => mails.list,
    };
  }

  it('keeps the last 100, and does not bring back one that was forgotten', () => {
    const { mails, list } = opened();
    for (let seq = 1; seq <= 101; seq++) mails.take('7', { ...raw, seq });
    expect(list().map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
    mails.take('7', { ...raw, seq: 1, state: 'sent' });
    expect(list().map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
  });

  it('says of those alone whose process has ended that they were not sent', () => {
    const { mails, list } = opened();
    for (const worker of ['7', '8']) mails.take(worker, raw);
    mails.take('7', { ...raw, seq: 2 });
    mails.take('7', { ...raw, seq: 2, state: 'sent' });
    mails.gone('7');
    expect(list().map(({ state }) => state)).toEqual(['failed', 'sending', 'sent']);
  });

  it('has no page of a mail without HTML', () => {
    const { mails } = opened();
    mails.take('7', raw);
    const { 'GET /_fw/mail-html/:id': answer } = mails.routes;
    const request = new IncomingMessage(new Socket());
    for (const [id, message] of [
      [1, 'this mail has no HTML'],
      [2, 'mail 2 is not kept any more'],
    ] as const) {
      expect(() => answer?.(request, new ServerResponse(request), id)).toThrow(message);
    }
  });

  it('keeps 8 MB', () => {
    const { mails, list } = opened();
    for (let seq = 1; seq <= 30; seq++) mails.take('7', { ...raw, seq, html: 'x'.repeat(256 * 1024) });
    expect(list().map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, index) => index + 16));
  });

  it('tells which mails have a request that is known now', () => {
    const { mails, published } = opened();
    mails.take('7', { ...raw, record: 3 });
    mails.take('8', { ...raw, record: 3 });
    published.length = 0;
    mails.known('7', [1, 2, 3]);
    expect(published.map(({ id }) => id)).toEqual([1]);
  });
});
