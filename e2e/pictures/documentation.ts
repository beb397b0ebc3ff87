// Takes the pictures of the documentation, from the app in shop/ under `fw dev`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser.js';
import { answering, freePort } from '../free-port.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(root, 'framework/docs/pictures');
const size = { width: 1280, height: 760 };
const themes = ['light', 'dark'] as const;
const key = 'shop_0000000000000000000000000000000000000000000';

export async function takeDocumentation(): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const dev = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'dev', '--port', String(port)], {
    cwd: join(root, 'e2e/pictures/shop'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await answering(`${origin}/products`);
    const browser = await launchBrowser();
    mkdirSync(pictures, { recursive: true });
    for (const theme of themes) await takeAll(browser, origin, theme);
    await browser.close();
  } finally {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
}

async function takeAll(browser: Browser, origin: string, theme: (typeof themes)[number]): Promise<void> {
  const context = await browser.newContext({ viewport: size, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(`${origin}/_fw/`);
  await page.getByText('ready', { exact: true }).waitFor();
  await makeTraffic(origin);
  await page
    .getByRole('link', { name: /GET \/products\?search=lamp/ })
    .first()
    .click();
  await page.locator('.timeline').waitFor();
  await take(page, `workbench-${theme}`);
  await page
    .getByRole('link', { name: /\/orders\/7/ })
    .first()
    .click();
  await page.locator('.frame').waitFor();
  if (theme === 'light') await take(page, 'workbench-error-light');
  await page.goto(`${origin}/docs`);
  await page.getByText('Place an order').first().click();
  if (theme === 'light') await take(page, 'docs-page-light');
  if (theme === 'light') {
    await context.setExtraHTTPHeaders({ 'X-Api-Key': key });
    await page.goto(`${origin}/orders/7`);
    await page.getByRole('main').waitFor();
    await take(page, 'error-page-light');
  }
  await context.close();
}

async function makeTraffic(origin: string): Promise<void> {
  const json = { 'Content-Type': 'application/json', 'X-Api-Key': key };
  const shipTo = { street: 'Lindenstr. 4', city: 'Berlin', country: 'DE' };
  const send = (path: string, init?: RequestInit) =>
    fetch(`${origin}${path}`, init).then((answer) => answer.text());
  const call = (method: string, params: object) =>
    send('/rpc', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  for (let round = 0; round < 4; round += 1) {
    await send('/products');
    await call('cart.get', { cart: 'a1' });
    await send('/products/2');
    await send('/products/99');
    await send('/orders', { method: 'POST', headers: json, body: JSON.stringify({ product: 1, shipTo }) });
    await call('cart.add', { cart: 'a1', product: 1, count: 14 });
    await send('/orders', { method: 'POST', headers: json, body: JSON.stringify({ product: 1, count: 0 }) });
    await send('/orders/7', { headers: json });
    await send('/products?search=lamp');
  }
}

/** As WebP, which the browser itself makes: a quarter of the size of PNG. */
async function take(page: Page, name: string): Promise<void> {
  // Whatever moves has come to rest, and the focus shows nowhere.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const other = await page.context().newPage();
  const url = await other.evaluate(
    async (data) => {
      const bitmap = await createImageBitmap(await (await fetch(data)).blob());
      const canvas = Object.assign(document.createElement('canvas'), {
        width: bitmap.width,
        height: bitmap.height,
      });
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      return canvas.toDataURL('image/webp', 0.4);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await other.close();
  const webp = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  writeFileSync(join(pictures, `${name}.webp`), webp);
  console.log(`${name}.webp: ${webp.length} bytes`);
}
