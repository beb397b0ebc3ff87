// Takes pictures of eight errors as a developer meets them under `fw dev`: the page of a browser and the workbench, in
// light, dark and narrow, and the terminal.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.js';
import { type ErrorCase, errorCases, meet, writeErrorApp } from '../eight-errors.js';
import { answering, freePort } from '../free-port.js';
import { terminalPage } from './terminal-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 760 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 760 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 760 } },
] as const;

/** @param folder is made if it is not there */
export async function takeErrors(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const app = mkdtempSync(join(tmpdir(), 'fw-pictures-'));
  mkdirSync(join(app, 'node_modules'));
  symlinkSync(root, join(app, 'node_modules/fw'), 'junction');
  writeErrorApp(app);
  const port = await freePort();
  const dev = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'dev', '--port', String(port)], {
    cwd: app,
    env: { ...process.env, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const browser = await launchBrowser();
  try {
    await answering(`http://127.0.0.1:${port}/report`);
    await takeAll({ browser, port, folder, printed: printedBy(dev) });
  } finally {
    await browser.close();
    dev.kill('SIGTERM');
    await once(dev, 'exit');
    rmSync(app, { recursive: true });
  }
}

interface Session {
  readonly browser: Browser;
  readonly port: number;
  readonly folder: string;
  /** What the terminal says since the last call, once it says nothing more. */
  readonly printed: () => Promise<string>;
}

async function takeAll(session: Session): Promise<void> {
  const { browser, port, printed } = session;
  const watching = await browser.newPage();
  await watching.goto(`http://127.0.0.1:${port}/_fw/`);
  await watching.getByText('ready', { exact: true }).waitFor();
  await printed();
  for (const one of errorCases) {
    await meet(port, one);
    await takeTerminal(session, one, await printed());
    for (const look of looks) {
      const context = await browser.newContext(look);
      const page = await context.newPage();
      await takeWorkbench(session, one, page, look.name);
      if (one.hasPage) await takePage(session, one, page, look.name);
      await context.close();
    }
    await printed();
  }
}

async function takeWorkbench(
  { port, folder }: Session,
  one: ErrorCase,
  page: Page,
  look: string,
): Promise<void> {
  const workbench = `http://127.0.0.1:${port}/_fw/`;
  const list = (await (await fetch(`${workbench}requests`)).json()) as { id: number; target: string }[];
  const id = list.findLast(({ target }) => target === one.path)?.id;
  await page.goto(`${workbench}#/requests/${id}`);
  await page.locator('.detail .tab-panel').waitFor();
  if (look !== 'narrow') await page.locator('.request-row').first().waitFor();
  await take(page, join(folder, `${one.at}-workbench-${look}.png`));
}

async function takePage({ port, folder }: Session, one: ErrorCase, page: Page, look: string): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}${one.path}`);
  await page.getByRole('main').waitFor();
  await take(page, join(folder, `${one.at}-page-${look}.png`));
}

async function takeTerminal({ browser, folder }: Session, one: ErrorCase, text: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 960, height: 400 } });
  await page.setContent(terminalPage(text));
  await take(page, join(folder, `${one.at}-terminal.png`), true);
  await page.close();
}

async function take(page: Page, path: string, fullPage = false): Promise<void> {
  await page.screenshot({ path, fullPage, animations: 'disabled', caret: 'hide' });
  console.log(path);
}

/** The terminal is silent for so long when an error was printed as a whole, in milliseconds. */
const SILENCE = 1000;

function printedBy(dev: ChildProcess): () => Promise<string> {
  let text = '';
  let last = Date.now();
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      last = Date.now();
    });
  return async () => {
    last = Date.now();
    while (Date.now() - last < SILENCE) await new Promise((done) => setTimeout(done, 100));
    const printed = text;
    text = '';
    return printed;
  };
}
