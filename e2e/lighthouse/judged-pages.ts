// What Lighthouse says of a page. It is installed by: npm ci --prefix e2e/lighthouse
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserArgs, browserPath } from '../browser.js';
import { addList, addTask, enter, heading, openWindow } from '../lists-page.js';

const lighthouse = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url));
const hasLighthouse = existsSync(lighthouse);
if (!hasLighthouse && process.env.CI) throw new Error('npm ci --prefix e2e/lighthouse was not run');

/** In percent. */
interface Scores {
  readonly performance: number;
  readonly accessibility: number;
  readonly 'best-practices': number;
  readonly seo: number;
}

interface Report {
  readonly categories: Readonly<Record<keyof Scores, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<string, { readonly title: string; readonly score: number | null; readonly displayValue?: string }>
  >;
}

/** The scores of a page, and what has cost some. */
async function judge(url: string, cookie: string): Promise<{ scores: Scores; costs: string[] }> {
  const args = [
    lighthouse,
    url,
    '--output=json',
    '--quiet',
    `--chrome-flags=${browserArgs.join(' ')}`,
    `--extra-headers=${JSON.stringify({ cookie })}`,
  ];
  const env = { ...process.env, CHROME_PATH: browserPath };
  const run = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(run, 'exit');
  const output = (await run.stdout.setEncoding('utf8').toArray()).join('');
  expect(await ended).toEqual([0, null]);
  const { categories, audits } = JSON.parse(output) as Report;
  const percent = (category: keyof Scores) => Math.round((categories[category].score ?? 0) * 100);
  return {
    scores: {
      performance: percent('performance'),
      accessibility: percent('accessibility'),
      'best-practices': percent('best-practices'),
      seo: percent('seo'),
    },
    costs: Object.values(audits)
      .filter(({ score }) => score !== null && score < 0.9)
      .map(({ title, displayValue = '' }) => `${title} ${displayValue}`.trim()),
  };
}

/** The pages of an app of the template fullstack, signed out and in. */
export function judgedPages(stage: () => { url: string; browser: Browser | undefined }): void {
  test.skipIf(!hasLighthouse)('has good scores of Lighthouse, signed out and in', async () => {
    const { url, browser } = stage();
    const { page, context } = await openWindow(browser, url);
    await page.goto('/sign-up');
    await enter(page, 'Sign up', 'lighthouse@example.org');
    await heading(page, 'Welcome').waitFor();
    await addList(page, 'Groceries');
    await addTask(page, 'Milk');
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const pages = { signIn: [`${url}/sign-in`, ''], list: [page.url(), cookie] } as const;
    await context.close();
    for (const [name, [address, sent]] of Object.entries(pages)) {
      const { scores, costs } = await judge(address, sent);
      process.stdout.write(`Lighthouse, ${name}: ${JSON.stringify(scores)}\n`);
      for (const [category, score] of Object.entries(scores)) {
        // The speed is that of the machine.
        if (category !== 'performance') expect(score, `${name}: ${costs}`).toBeGreaterThanOrEqual(95);
      }
    }
  });
}
