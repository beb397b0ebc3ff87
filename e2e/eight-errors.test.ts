// Eight errors as a developer meets them, with the packed package: the terminal, the page in a browser, the workbench
// and the log of production each say what happened, and at which line of the app.
import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, startDev } from './dev-session.js';
import { errorCases as cases, lineOf, meet, writeErrorApp } from './eight-errors.js';
import { freePort } from './free-port.js';
import { installFw, temporaryDirectory } from './packed.js';

let app: string;
beforeAll(() => {
  app = temporaryDirectory();
  installFw(app);
  writeErrorApp(app);
});

describe.skipIf(noBrowser !== undefined)('eight errors under fw dev', () => {
  let session: DevSession;
  let browser: Browser;
  let page: Page;
  let events: http.ClientRequest;
  const origin = (): string => `http://127.0.0.1:${session.port}`;

  beforeAll(async () => {
    session = await startDev({ app });
    events = http.get(`${origin()}/_fw/events`, { agent: false }, (response) => response.resume());
    events.on('error', () => {});
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    events?.destroy();
    await browser?.close();
    await session?.end('SIGTERM');
  });

  /** What the workbench has of the newest request to the path, as text. */
  async function inWorkbench(path: string): Promise<string> {
    const all = (await (await fetch(`${origin()}/_fw/requests`)).json()) as { id: number; target: string }[];
    const id = all.findLast(({ target }) => target === path)?.id;
    const detail = await (await fetch(`${origin()}/_fw/requests/${id}`)).text();
    return id === undefined ? '' : detail;
  }

  test.each(cases)('$at: the terminal, the workbench and the page say what and where', async (one) => {
    const place = `src/main.js:${lineOf(one.at)}`;
    const from = session.printed().length;
    await meet(session.port, one);
    await session.says(one.says, from);
    await session.says(new RegExp(place.replaceAll('.', '\\.')), from);
    await expect.poll(() => inWorkbench(one.path), { timeout: 60_000 }).toMatch(one.says);
    expect(await inWorkbench(one.path)).toMatch(
      new RegExp(`"file":"src/main\\.js","line":${lineOf(one.at)},|src/main\\.js:${lineOf(one.at)}`),
    );
    if (!one.hasPage) return;
    await page.goto(`${origin()}${one.path}`);
    await page.getByText(one.says).first().waitFor();
    await page.getByText(place).first().waitFor();
  });
});

describe('eight errors in production', () => {
  let child: ChildProcess;
  let output = '';
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    child = spawn(process.execPath, ['src/main.js'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    await vi.waitFor(() => expect(output).toMatch(/listening/), { timeout: 60_000 });
  });
  afterAll(() => child?.kill('SIGKILL'));

  test.each(cases.filter(({ at }) => at !== 'rejection'))(
    '$at: one line of JSON says what and where',
    async (one) => {
      const from = output.length;
      await meet(port, one);
      await expect.poll(() => output.slice(from), { timeout: 60_000 }).toMatch(one.says);
      const lines = output
        .slice(from)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      const line = lines.map((each) => JSON.stringify(each)).find((text) => one.says.test(text)) ?? '';
      expect(JSON.parse(line)).toMatchObject({ level: one.at === 'validation' ? 40 : 50 });
      // A refused input, and a result that cannot be sent, are found outside of the app: the log names their route.
      if (one.at === 'validation' || one.at === 'bigint') expect(line).toContain(one.path.split('?')[0]);
      else expect(line).toContain(`src/main.js:${lineOf(one.at)}`);
    },
  );
});
