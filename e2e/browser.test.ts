// An app of the packed package in a browser: event streams, streams, forms, files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { installFw, temporaryDirectory } from './packed.js';

const script = `
function readNews(count) {
  return new Promise((resolve, reject) => {
    const source = new EventSource('/events');
    const seen = [];
    source.addEventListener('news', (event) => {
      seen.push({ id: event.lastEventId, data: JSON.parse(event.data) });
      if (seen.length < count) return;
      source.close();
      resolve(seen);
    });
    source.addEventListener('message', () => reject(new Error('an event without a name')));
  });
}

function readPush() {
  return new Promise((resolve) => {
    const source = new EventSource('/push');
    source.onopen = () => document.body.setAttribute('data-open', '');
    source.onmessage = (event) => {
      source.close();
      resolve(event.data);
    };
  });
}

async function upload(size) {
  const form = new FormData();
  form.append('title', 'ünï');
  form.append('file', new Blob([new Uint8Array(size).fill(7)], { type: 'image/png' }), 'p\u00efc "1".png');
  const response = await fetch('/upload', { method: 'POST', body: form });
  return response.json();
}

async function readChunks() {
  const response = await fetch('/chunks');
  const reader = response.body.getReader();
  const decode = ({ value }) => new TextDecoder().decode(value);
  const first = decode(await reader.read());
  // The server continues only now: what was read before did not wait for the end.
  await fetch('/release', { method: 'POST' });
  return [first, decode(await reader.read())];
}
`;

const app = `
import { App, SseEvent, sseChannel } from 'fw';
import { securityHeaders } from 'fw/middleware';

const news = sseChannel();
let connections = 0;
const page = '<!doctype html><title>page</title><script src="/assets/page.js"></script><p>page</p>';

const app = new App()
  .use(securityHeaders({ csp: "default-src 'self'" }))
  .get('/', (ctx) => ctx.html(page))
  .serveStatic('/assets', 'public')
  .serveSpa('public', 'app.html')
  .post('/upload', async (ctx) => {
    const parts = [];
    for await (const part of ctx.req.multipart()) {
      if (part.kind === 'field') parts.push([part.name, part.value]);
      else {
        let length = 0;
        for await (const chunk of part.stream) length += chunk.length;
        parts.push([part.name, part.filename, part.type, length]);
      }
    }
    return ctx.json(parts);
  })
  .get('/events', (ctx) => ctx.sse(async function* () {
    connections += 1;
    const last = Number(ctx.lastEventId() ?? 0);
    yield SseEvent.comment('hello').retry(50);
    for (let id = last + 1; id <= last + 3; id += 1) {
      yield SseEvent.new({ id, text: 'ligne\\n\\ndata: ünï \\u2028' }).event('news').id(String(id));
    }
  }()))
  .get('/push', (ctx) => ctx.sseKeepAlive(news.sender.subscribe(), 50))
  .post('/push', async (ctx) => { news.sender.send(SseEvent.data(await ctx.req.text())); })
  .get('/connections', () => connections)
  .get('/chunks', (ctx) => ctx.stream(async function* () {
    yield 'first ';
    await new Promise((resolve) => { release = resolve; });
    yield 'second';
  }(), 'text/plain'))
  .post('/release', () => { release(); });
let release;

const server = await app.listen(0);
console.log(server.url);
`;

describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let directory: string;
  const stop: (() => unknown)[] = [];

  beforeAll(async () => {
    directory = temporaryDirectory();
    installFw(directory);
    writeFileSync(join(directory, 'app.mjs'), app);
    mkdirSync(join(directory, 'public'));
    writeFileSync(join(directory, 'public/page.js'), script);
    writeFileSync(join(directory, 'public/app.html'), '<!doctype html><title>single page</title>');
    const server = spawn(process.execPath, ['app.mjs'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop.push(async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    });
    const [line] = await once(server.stdout, 'data');
    url = String(line).trim();
    browser = await launchBrowser();
    stop.push(() => browser.close());
    page = await browser.newPage();
    await page.goto(url);
  });

  afterAll(async () => {
    for (const end of stop.reverse()) await end();
  });

  test('an EventSource receives each event immediately, and continues after the last one when it reconnects', async () => {
    const events = await page.evaluate('readNews(7)');
    const text = 'ligne\n\ndata: ünï \u2028';
    expect(events).toEqual([1, 2, 3, 4, 5, 6, 7].map((id) => ({ id: String(id), data: { id, text } })));
    expect(Number(await (await fetch(`${url}/connections`)).text())).toBeGreaterThanOrEqual(3);
  });

  test('events that are sent to a channel reach every open page', async () => {
    const other = await browser.newPage();
    await other.goto(url);
    const answers = [page, other].map((one) => one.evaluate('readPush()'));
    for (const one of [page, other]) await one.waitForSelector('[data-open]', { state: 'attached' });
    await fetch(`${url}/push`, { method: 'POST', body: 'two\nlines' });
    expect(await Promise.all(answers)).toEqual(['two\nlines', 'two\nlines']);
    await other.close();
  });

  test('a streamed body arrives in chunks', async () => {
    const chunks = await page.evaluate('readChunks()');
    expect(chunks).toEqual(['first ', 'second']);
  });

  test('a form is uploaded as FormData', async () => {
    expect(await page.evaluate('upload(3000000)')).toEqual([
      ['title', 'ünï'],
      ['file', 'pïc "1".png', 'image/png', 3_000_000],
    ]);
  });

  test('an edited file is used at the next load, and an unknown path gets the single page', async () => {
    const other = await browser.newPage();
    await other.goto(`${url}/somewhere/deep`);
    expect(await other.title()).toBe('single page');
    writeFileSync(join(directory, 'public/app.html'), '<!doctype html><title>edited page</title>');
    await other.reload();
    expect(await other.title()).toBe('edited page');
    await other.close();
  });
});
