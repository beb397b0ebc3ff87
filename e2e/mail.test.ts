// Mails while an app is developed: the packed package, `fw dev`, a transport or none, and the workbench in a browser.
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, startDev } from './dev-session.js';
import { scaffold } from './packed.js';

/** What the HTML of the mail tries to load is here, and what its link leads to. */
const elsewhere = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.setHeader('Content-Type', 'text/html');
  response.end('<title>elsewhere</title>');
});
const asked: string[] = [];

const routes = (elsewhere: string): string => `
import { mailer } from 'fw/mail';

const link = '${elsewhere}/reset?token=abc';
const html = \`<!doctype html><style>i { display: none }</style><p>Grüße</p><i>hidden by its style</i><a href="\${link}">Reset</a>
<img src="${elsewhere}/pixel.png" alt=""><script>document.title = 'run'; fetch('${elsewhere}/script')</script>
<form action="${elsewhere}/form"><button>Send</button></form><meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">\`;
const files = mailer({ from: 'Lists <lists@example.org>', transport: process.env.SMTP_URL as '' | undefined });
const sends = mailer({
  from: 'lists@example.org',
  transport: { sendMail: async ({ to }) => { if (to[0]?.address.startsWith('nobody')) throw new Error('no such user'); } },
});
app.post('/reset', async () => {
  await files.send({ to: 'Zoë <zoe@example.org>', subject: 'Grüße: reset your password', text: \`Open \${link}.\\n<b>not bold</b>\`, html });
});
app.post('/by-transport', () => sends.send({ to: 'ada@example.org', subject: 'By a transport', text: 'x' }));
app.post('/fails', () => sends.send({ to: 'nobody@example.org', subject: 'To nobody', text: 'x' }));
`;

let app: string;
let session: DevSession;
let origin: string;
let browser: Browser;
let page: Page;

describe.skipIf(noBrowser !== undefined)('mails under fw dev', () => {
  beforeAll(async () => {
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    app = await scaffold({ template: 'basic', name: 'shop' });
    appendFileSync(
      join(app, 'src/app.ts'),
      routes(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`),
    );
    session = await startDev({ app });
    origin = `http://127.0.0.1:${session.port}`;
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  });

  afterAll(async () => {
    await browser?.close();
    await session?.end('SIGTERM');
    elsewhere.close();
    elsewhere.closeAllConnections();
  });

  const post = async (path: string): Promise<number> =>
    (await fetch(origin + path, { method: 'POST' })).status;

  it('are files without a transport, and a line in the terminal', async () => {
    expect(await post('/reset')).toBe(204);
    await session.says(
      /Mail to zoe@example\.org: Grüße: reset your password\n {2}node_modules\/\.fw\/mails\/\S+\.eml/,
    );
    const folder = join(app, 'node_modules/.fw/mails');
    const [file = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(
      /^Date: [\s\S]*\r\nSubject: =\?utf-8\?B\?[\s\S]*multipart\/alternative/,
    );
  });

  it('are in the workbench, also those from before it was opened, with links', async () => {
    await page.goto(`${origin}/_fw/`);
    // The page listens to keys by then.
    await page.getByRole('status').getByText('ready').waitFor();
    await page.keyboard.press('5');
    await page.getByRole('link', { name: /Grüße: reset your password/ }).click();
    await page.getByText('node_modules/.fw/mails/').waitFor();
    expect(await page.locator('.mail-text').innerText()).toMatch(
      /^Open http:\S+\/reset\?token=abc\.\n<b>not bold<\/b>$/,
    );
    const opens = page.context().waitForEvent('page');
    await page.locator('.mail-text').getByRole('link').click();
    const opened = await opens;
    await opened.waitForURL(/\/reset\?token=abc$/);
    expect(await opened.evaluate('window.opener')).toBeNull();
    await opened.close();
  });

  it('have HTML that runs nothing, asks nobody, and has links that work', async () => {
    asked.length = 0;
    await page.getByRole('tab', { name: 'HTML' }).click();
    const frame = page.frameLocator('iframe.mail-html');
    await frame.getByText('Grüße').waitFor();
    expect(await frame.getByText('hidden by its style').isVisible()).toBe(false);
    await frame.getByRole('button', { name: 'Send' }).click();
    const opens = page.context().waitForEvent('page');
    await frame.getByRole('link', { name: 'Reset' }).click();
    const opened = await opens;
    await opened.waitForURL(/\/reset\?token=abc$/);
    expect(await opened.title()).toBe('elsewhere');
    await opened.close();
    expect(asked.filter((url) => url !== '/favicon.ico')).toEqual(['/reset?token=abc']);
    expect(await page.title()).not.toBe('run');
  });

  it('come as they are sent by a transport, with how that ended and what has sent them', async () => {
    expect(await post('/by-transport')).toBe(204);
    await page.getByRole('link', { name: /By a transport sent/ }).waitFor();
    expect(await post('/fails')).toBe(500);
    await page.getByRole('link', { name: /To nobody failed/ }).click();
    await page.getByText('MailError: the mail was not sent: the transport failed').first().waitFor();
    await page.getByRole('link', { name: 'POST /fails' }).click();
    await page.locator('.head .target', { hasText: '/fails' }).waitFor();
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search mails' }).fill('zoe');
    await expect
      .poll(() => page.locator('.error-row').allInnerTexts())
      .toEqual([expect.stringContaining('Grüße')]);
  });

  it.each([
    ['light', 1440],
    ['light', 360],
    ['dark', 1440],
    ['dark', 360],
  ] as const)('have nothing that axe finds, in %s and %i pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    for (const place of ['#/mail', '#/mail/1', '#/mail/3']) {
      await page.goto(`${origin}/_fw/`);
      await page.goto(`${origin}/_fw/${place}`);
      await page.locator('.error-row:visible, .mail-text:visible').first().waitFor();
      if (place.endsWith('/1')) await page.getByRole('tab', { name: 'HTML' }).click();
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const options = { iframes: false };
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(options);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(violations, place).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), place).toBeLessThanOrEqual(
        width,
      );
      if (process.env.FW_PICTURES) {
        const name = `${colorScheme}-${width}-${place.replaceAll(/\W/g, '')}.png`;
        await page.screenshot({ path: join(process.env.FW_PICTURES, name) });
      }
    }
  });
});
