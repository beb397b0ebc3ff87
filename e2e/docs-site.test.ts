// The documentation site as it is published: built for a path below a host, served as files, read in Chromium.
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type BuiltSite, base, buildSite } from './built-site.js';
import { checkout } from './packed.js';

let site: BuiltSite;
let browser: Browser;
let page: Page;
/** Requests that failed or went to other hosts, and errors of scripts. */
let complaints: string[];

beforeAll(async () => {
  site = await buildSite();
  if (noBrowser === undefined) browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe('the files', () => {
  test('every page has its Markdown at the same address, which llms.txt lists', () => {
    const pages = [...site.files].filter((path) => path.endsWith('.html') && path !== '404.html');
    expect(pages.length).toBeGreaterThan(100);
    const list = site.read('llms.txt');
    for (const path of pages) {
      const twin = path.replace(/\.html$/, '.md');
      expect(site.files).toContain(twin);
      expect(site.read(twin)).toMatch(/^# /m);
      if (path !== 'index.html') expect(list).toContain(`](${twin})`);
      expect(site.read(path)).toContain(`type="text/markdown" href="${base}${twin}"`);
    }
    const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
    expect(listed.filter((path) => !site.files.has(path ?? ''))).toEqual([]);
    expect(site.read('llms-full.txt')).toContain('# Routing\n');
  });

  test('the Markdown has what only the site reads left out, and links to Markdown', () => {
    const twin = site.read('sql.md');
    expect(twin).not.toContain('code-group');
    expect(twin).toContain('](./sessions.md)');
    expect(site.read('index.md')).toMatch(/^# /);
    expect(site.read('index.md')).not.toContain('<div');
  });

  test('a page for each subpath of the package', async () => {
    const { default: manifest } = await import(`${checkout}/package.json`, { with: { type: 'json' } });
    const subpaths = Object.entries(manifest.exports as Record<string, object | string>)
      .filter(([, target]) => typeof target === 'object')
      .map(([subpath]) => `fw${subpath.slice(1)}`);
    expect(subpaths).toContain('fw/rpc');
    for (const name of subpaths) {
      expect(site.read(`api/${name.replaceAll('/', '-')}.md`)).toMatch(new RegExp(`^# ${name}\n`));
    }
    expect(site.read('api/fw-jwt.md')).toContain('A token with these claims, signed with the first secret.');
  });

  test('a page leads to its source', () => {
    expect(site.read('cli/new.html')).toContain('href="https://git.example/fw/edit/main/cli/docs/new.md"');
    expect(site.read('api/fw-rpc.html')).not.toContain('edit/main/package.json');
  });
});

describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('every link, picture and script leads to a file of the site, and every anchor to an id', async () => {
    await page.goto(`${site.url}404.html`);
    const pages = [...site.files].filter((path) => path.endsWith('.html'));
    const ids = new Map<string, ReadonlySet<string>>();
    const links: [from: string, to: string][] = [];
    for (const path of pages) {
      const found = await page.evaluate(readDocument, site.read(path));
      ids.set(path, new Set(found.ids));
      expect(found.twice, path).toEqual([]);
      for (const link of found.links) links.push([path, link]);
    }
    const dead = links.flatMap(([from, to]) => {
      const url = new URL(to, site.url + from);
      if (url.origin !== new URL(site.url).origin) return [];
      const path = decodeURIComponent(url.pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isThere = url.pathname.startsWith(base) && site.files.has(path);
      return isThere && (anchor === '' || ids.get(path)?.has(anchor)) ? [] : [`${from}: ${to}`];
    });
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(1_000);
  });

  test('the search finds guides and names of the API, and leads there', async () => {
    for (const [words, path] of [
      ['rate limit', 'how-to/rate-limit-by-plan.html'],
      ['generateApiKey', 'api/fw-api-key.html'],
    ] as const) {
      await page.goto(site.url);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill(words);
      const first = page.getByRole('listbox').getByRole('option').first();
      await expect.poll(() => first.getAttribute('href')).toMatch(new RegExp(`^${base}${path}`));
      await first.click();
      await page.waitForURL(`${site.url}${path}*`);
    }
  });

  test('a package manager that a reader chooses is chosen on other pages too', async () => {
    await page.goto(`${site.url}sql.html`);
    await page.getByText('pnpm', { exact: true }).first().click();
    await page.getByText('pnpm add kysely libsql').waitFor();
    await page.goto(`${site.url}cli/generate.html`);
    await page.getByText('pnpm exec fw generate --check').waitFor();
    expect(await page.getByText('npx fw generate --check').first().isVisible()).toBe(false);
  });

  test('schemas of three libraries are tabs of one example', async () => {
    await page.goto(`${site.url}extractors.html`);
    const group = page.locator('.vp-code-group').first();
    expect(await group.locator('.tabs label').allTextContents()).toEqual(['zod', 'valibot', 'arktype']);
    await group.getByText('valibot', { exact: true }).click();
    await group.getByText("from 'valibot'").waitFor();
  });

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test.each([360, 1440])('axe finds nothing at a width of %i, and nothing is wider', async (width) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['', 'extractors.html', 'api/fw-jwt.html', 'cli/workbench.html']) {
        await page.goto(site.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await faults(), path).toEqual([]);
      }
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('session');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      expect(await faults(), 'search').toEqual([]);
    });
  });

  async function faults(): Promise<unknown[]> {
    await page.evaluate(axe.source);
    return page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
      });
      const { scrollWidth } = (
        globalThis as unknown as { document: { documentElement: { scrollWidth: number } } }
      ).document.documentElement;
      const { innerWidth } = globalThis as unknown as { innerWidth: number };
      const found = violations.map(({ id, nodes }) => [
        id,
        nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
      ]);
      return scrollWidth > innerWidth
        ? [...found, `${scrollWidth} pixels in a window of ${innerWidth}`]
        : found;
    });
  }
});

/** Runs in the page, whose parser it uses. */
function readDocument(html: string): { ids: string[]; twice: string[]; links: string[] } {
  const { DOMParser } = globalThis as unknown as {
    DOMParser: new () => { parseFromString(text: string, type: string): Parsed };
  };
  interface Parsed {
    querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
  }
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const all = (selector: string, name: string) =>
    [...parsed.querySelectorAll(selector)].map((one) => one.getAttribute(name) ?? '');
  const ids = all('[id]', 'id');
  const links = [...all('a[href]', 'href'), ...all('link[href]', 'href'), ...all('[src]', 'src')];
  return { ids, twice: ids.filter((id, at) => ids.indexOf(id) !== at), links };
}
