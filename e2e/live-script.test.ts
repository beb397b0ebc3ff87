// The page about the app and the script for pages of the app, with the packed package; and that a server in
// production has neither.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { freePort } from './free-port.js';
import { checkout, installFw, temporaryDirectory } from './packed.js';

const source = (text: string) => `
import { App } from 'fw';
import { securityHeaders } from 'fw/middleware';
const page = '<!doctype html><title>page</title>' + (process.env.FW_LIVE_SCRIPT ?? '') + '<h1>${text}</h1><input>';
const app = new App()
  .use(securityHeaders({ csp: "default-src 'none'; script-src 'self'; connect-src 'self'" }))
  .get('/', (ctx) => ctx.html(page));
await app.listen(Number(process.env.PORT));
console.log('listening');
`;

let app: string;
let main: string;
beforeAll(() => {
  app = temporaryDirectory();
  installFw(app);
  symlinkSync(join(checkout, 'node_modules/esbuild'), join(app, 'node_modules/esbuild'));
  mkdirSync(join(app, 'src'));
  main = join(app, 'src/main.js');
  writeFileSync(main, source('one'));
});

describe.skipIf(noBrowser !== undefined)('under fw dev', () => {
  let browser: Browser;
  let session: DevSession;
  let folder: string;
  beforeAll(async () => {
    folder = temporaryDirectory('fw-tmp');
    session = await startDev({ app, env: { TMPDIR: folder } });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    if (session?.child.exitCode === null) await session.end('SIGKILL');
  });

  test('a page of the app shows a failure and reloads when it is fixed', async () => {
    expect(session.printed()).toContain(`http://127.0.0.1:${session.port}/_fw/  requests, routes, errors`);
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text());
    });
    await page.goto(`http://127.0.0.1:${session.port}/`);
    const overlay = page.locator('fw-error-overlay');
    save(session, main, `${source('two')}const broken = "<img src=x>";;;; const = 1;`);
    await overlay.getByRole('alertdialog').waitFor();
    const text = await overlay.getByRole('alertdialog').innerText();
    expect(text).toContain('build failed: 1 error');
    expect(text).toContain('The last good version keeps answering.');
    expect(text).toContain('"<img src=x>"');
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });

    // Whoever types is not interrupted.
    await page.locator('input').focus();
    save(session, main, `${source('two')}const again = ;`);
    await overlay.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    save(session, main, source('three'));
    await page.getByRole('heading', { name: 'three' }).waitFor();
    expect(await overlay.count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a browser gets the failure while no version answers, and the app when it is fixed', async () => {
    const from = save(session, main, 'throw new Error("no start")');
    await session.says(/no start/, from);
    const port = session.port;
    await session.end('SIGTERM');
    // Nothing is left: neither the pipe of the page nor its folder.
    expect(readdirSync(folder)).toEqual([]);
    session = await startDev({ app, args: ['--port', String(port)], env: { TMPDIR: folder } });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole('alertdialog').getByText('Error: no start').first().waitFor();
    save(session, main, source('fixed'));
    await page.getByRole('heading', { name: 'fixed' }).waitFor();
    await page.close();
    await session.end('SIGTERM');
  });
});

test('a server in production has no such page, and the framework no code of it', async () => {
  writeFileSync(main, source('production'));
  const { FW_LIVE_SCRIPT: _, ...env } = process.env;
  const port = await freePort();
  const server = spawn(process.execPath, [main], {
    cwd: app,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    for (const path of ['/_fw', '/_fw/', '/_fw/live.js', '/_fw/requests']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    }
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).not.toContain('_fw');
  } finally {
    server.kill('SIGKILL');
  }
  const dist = join(app, 'node_modules/fw/dist/framework');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  expect(files.filter((name) => readFileSync(join(dist, name), 'utf8').includes('/_fw'))).toEqual([]);
});
