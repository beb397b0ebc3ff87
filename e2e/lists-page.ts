// The page of the template fullstack, as a user with a browser uses it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const password = 'correct horse battery';

/** A window of a browser, with everything in its console that somebody should look at. */
export interface Window {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

/** With cookies of its own, or those of another window. */
export async function openWindow(
  browser: Browser | undefined,
  url: string,
  context?: BrowserContext,
): Promise<Window> {
  const own =
    context ?? (await browser?.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } }));
  if (own === undefined) throw new Error('no browser was launched');
  own.setDefaultTimeout(60_000);
  const page = await own.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return { page, context: own, complaints };
}

export async function enter(
  page: Page,
  action: 'Sign in' | 'Sign up',
  email: string,
  secret: string = password,
): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(secret);
  await page.getByRole('button', { name: action }).click();
}

export function heading(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 1, name });
}

export async function addList(page: Page, name: string): Promise<void> {
  await page.getByLabel('New list').fill(name);
  await page.keyboard.press('Enter');
  await heading(page, name).waitFor();
}

export async function addTask(page: Page, title: string): Promise<void> {
  await page.getByLabel('New task').fill(title);
  await page.keyboard.press('Enter');
  await task(page, title).waitFor();
}

export function task(page: Page, title: string): Locator {
  return page.getByRole('checkbox', { name: title, exact: true });
}

export function titles(page: Page): Promise<string[]> {
  return page.getByRole('list', { name: 'Tasks' }).locator('.name').allTextContents();
}

/** What axe finds, and what is wider than the window, in both themes and from the narrowest phone to a desktop. */
export async function faults(page: Page, where: string): Promise<unknown[]> {
  const found: unknown[] = [];
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 320]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      found.push(...violations.map(({ id, nodes }) => [where, colorScheme, width, id, nodes[0]?.html]));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (overflow !== 0) found.push([where, width, `is ${overflow} pixels too wide`]);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}
