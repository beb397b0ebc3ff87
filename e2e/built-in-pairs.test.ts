// The built-in middleware with their defaults, with and without each three of them, in a browser: what people do on a page goes through.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selfSigned } from '../framework/conformance/self-signed.js';
import { App, type RunningServer } from '../framework/index.js';
import { subscribe } from '../framework/tracing/index.js';
import { launchBrowser, noBrowser } from './browser.js';
import { type BuiltIn, builtInNames, missingChoices, stacks } from './built-in-pairs/built-ins.js';
import { expectedActs, foreignScript, makeSite } from './built-in-pairs/site.js';

test('every three are tried in each way, with and without each', () => {
  expect(missingChoices()).toEqual([]);
});

describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const servers: RunningServer[] = [];
  /** What the console says, and responses that are errors. */
  const complaints: string[] = [];

  beforeAll(async () => {
    // Without a subscriber, `logger` does nothing.
    subscribe(() => {});
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()} for ${answer.url()}`);
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  beforeEach(async () => {
    // Cookies have no ports, so that those of one server would reach the next.
    await page.context().clearCookies();
    complaints.length = 0;
  });

  const named = (some: typeof stacks) => some.map((stack) => [stack.join(', '), stack] as const);
  const listen = async (app: App): Promise<string> => {
    const server = await app.listen(0);
    servers.push(server);
    return server.url;
  };

  test.each(named(stacks))('%s', async (_name, stack) => {
    await walk(page, await listen(makeSite(stack)));
    expect(complaints).toEqual([]);
  });

  test.each(named(stacks.slice(-2)))('the page of an API behind %s', async (_name, stack) => {
    await page.goto(`${await listen(makeSite(stack))}/docs`);
    await page.getByText('/report').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('all of them over HTTPS', async () => {
    const listener = createServer(selfSigned).listen(0, 'localhost');
    await once(listener, 'listening');
    const stop = new AbortController();
    const all = builtInNames;
    const ended = makeSite(all).serveWithShutdown(listener, stop.signal);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await walk(await context.newPage(), `https://localhost:${(listener.address() as AddressInfo).port}`);
    await context.close();
    stop.abort();
    await ended;
  });

  test('a form works in a page that comes back from the back/forward cache, or is not in it', async () => {
    await using caching = await launchBrowser(['--disable-back-forward-cache']);
    const tab = await caching.newPage();
    const seen: unknown[] = [];
    for (const stack of [['requestId'], ['csrf'], ['session', 'csrf'], builtInNames] as const) {
      await tab.context().clearCookies();
      await tab.goto(await listen(makeSite(stack)));
      await tab.evaluate('onpageshow = () => { window.isRestored = true; }');
      await click(tab, '#send', 'form');
      await tab.goBack({ waitUntil: 'commit' });
      await tab.waitForSelector('#send');
      // Whether other pages are restored depends on the version: what counts is that their forms work.
      if (stack.join() === 'requestId') expect(await tab.evaluate('window.isRestored')).toBe(true);
      await click(tab, '#send', 'form');
      seen.push(await tab.textContent('#saved'));
    }
    expect(seen).toEqual(Array(4).fill('saved ada  2'));
  });

  test('pages of other sites may do what cors says', async () => {
    const home = await listen(new App().get('/', (ctx) => ctx.html('<!doctype html>')));
    await page.goto(home.replace('127.0.0.1', 'localhost'));
    for (const stack of stacks.filter((names) => names.includes('cors'))) {
      const seen = await page.evaluate(foreignScript(await listen(makeSite(stack))));
      const post = stack.includes('csrf') ? refusedPost(stack) : 200;
      // Browsers send cookies with images, so that what scripts may read is not for pages to embed.
      const isKept = stack.includes('securityHeaders') || stack.includes('helmet');
      const images = { read: 1, embedded: isKept ? 'failed' : 1, shared: 1 };
      expect([stack, seen]).toEqual([stack, { get: 200, post, ...images, events: 'news' }]);
    }
  });
});

/** A refusal by middleware that runs before `cors` cannot be read. */
function refusedPost(stack: readonly BuiltIn[]): unknown {
  return stack.indexOf('cors') < stack.indexOf('csrf') ? 403 : 'failed';
}

/** What people do on a page, one after the other. */
async function walk(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const beacons: number[] = [];
  const answered = page.waitForResponse((answer) => {
    if (answer.url().endsWith('/beacon')) beacons.push(answer.status());
    return beacons.length === 2;
  });
  expect(await page.evaluate('act()')).toEqual(expectedActs);
  await answered;
  expect(beacons).toEqual([204, 204]);
  await download(page);
  await click(page, '#next', 'next');
  await page.goBack();
  await click(page, '#send', 'form');
  expect(await page.textContent('#saved')).toBe('saved ada  2');
  await page.reload();
  expect(await page.textContent('#saved')).toBe('saved ada  3');
}

async function download(page: Page): Promise<void> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate("document.querySelector('#report').click()"),
  ]);
  expect(file.suggestedFilename()).toBe('résumé.txt');
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^(?:ünï ){500}$/);
}

async function click(page: Page, selector: string, leadsTo: string): Promise<void> {
  await Promise.all([
    page.waitForURL(`**/${leadsTo}`),
    page.evaluate(`document.querySelector('${selector}').click()`),
  ]);
}
