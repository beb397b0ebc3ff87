// The documentation of the installed package: `fw docs` in a terminal and a pipe, and the section Docs of the workbench.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { transformSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { checkout, installedFw, type RunResult, run, scaffold, temporaryDirectory } from './packed.js';

const docs = (...words: string[]): Promise<RunResult> =>
  run(process.execPath, [installedFw(), 'docs', ...words], { cwd: temporaryDirectory('fw-docs-cwd') });
/** In the packed package, whose pages are those of this checkout. */
const page = (file: string): string => readFileSync(join(checkout, file), 'utf8');

describe('fw docs in a pipe', () => {
  it('prints a page as its Markdown', async () => {
    const { stdout, stderr, exitCode } = await docs('sessions');
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: page('framework/docs/sessions.md'),
      stderr: '',
      exitCode: 0,
    });
  });

  it('prints the page of an error by its code, and by its message', async () => {
    const text = page('framework/docs/errors/FW_ROUTE_CONFLICT.md');
    expect((await docs('FW_ROUTE_CONFLICT')).stdout).toBe(text);
    const message =
      'route conflict: GET /a/:b matches the same requests as GET /a/:c; remove or rename one of them';
    expect((await docs(message)).stdout).toBe(text);
  });

  it('finds the section that answers, and names others', async () => {
    const { stdout, stderr } = await docs('broadcast', 'to', 'all', 'websocket', 'clients');
    expect(stdout).toMatch(/^#+ /);
    expect(stderr).toContain('Other results:\n  fw docs ');
  });

  it('lists all pages', async () => {
    const { stdout } = await docs();
    expect(stdout).toMatch(/^Framework\n/m);
    expect(stdout).toMatch(/^ {2}sessions +Sessions$/m);
    expect(stdout).toMatch(/^Error codes\n {2}\d+ pages, such as fw docs FW_/m);
  });

  it('prints results as JSON', async () => {
    const [first, second] = JSON.parse((await docs('--json', 'rate', 'limiting')).stdout);
    expect(first).toMatchObject({ page: 'rate-limiting', title: 'Rate limiting', heading: '' });
    expect(readFileSync(first.file, 'utf8')).toBe(page('framework/docs/rate-limiting.md'));
    expect(Object.keys(second)).toEqual(['page', 'title', 'group', 'file', 'heading', 'slug', 'excerpt']);
    expect(JSON.parse((await docs('--json', 'xqzvwk')).stdout)).toEqual([]);
  });

  it.each([
    [['xqzvwk'], "no results for 'xqzvwk'", 'list all pages: fw docs'],
    [['FW_ROUTE_CONFLIKT'], 'has no error code FW_ROUTE_CONFLIKT', 'did you mean: fw docs FW_ROUTE_CONFLICT'],
  ])('says what to do without results: %j', async (words, message, help) => {
    const { stdout, stderr, exitCode } = await docs(...words);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(help);
  });
});

/** Runs the command in a terminal of 60 columns. */
function inTerminal(cwd: string, command: string, env: NodeJS.ProcessEnv = {}): string {
  return execFileSync('script', ['-qec', `stty cols 60; ${command}`, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TERM: 'xterm', CI: '', NO_COLOR: '', ...env },
  }).replaceAll('\r\n', '\n');
}

describe.skipIf(process.platform !== 'linux')('fw docs in a terminal', () => {
  const command = (words: string): string => `'${process.execPath}' '${installedFw()}' docs ${words}`;

  it('fits the width, with colours', () => {
    const text = inTerminal(temporaryDirectory(), command('cookies'));
    expect(text).toContain('\u001b[1mCookies\u001b[22m');
    expect(text).not.toContain('| --- |');
  });

  it('has no colours with NO_COLOR', () => {
    const text = inTerminal(temporaryDirectory(), command('cookies'), { NO_COLOR: '1' });
    expect(text).toContain('# Cookies\n');
    expect(text).not.toContain('\u001b');
  });
});

it('FW_PACKAGE_MISSING is thrown by the example of its page, without the package', async () => {
  const text = page('framework/docs/errors/FW_PACKAGE_MISSING.md');
  const { code } = transformSync(/^```ts fails\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '', {
    loader: 'ts',
    format: 'esm',
  });
  const folder = join(installedFw(), '../../../../..');
  writeFileSync(join(folder, 'app.mjs'), code);
  const { stderr } = await run(process.execPath, ['app.mjs'], { cwd: folder });
  expect(stderr).toContain("code: 'FW_PACKAGE_MISSING'");
  const message = /ConfigError: (.*)/.exec(stderr)?.[1];
  expect(text).toContain(`\`\`\`text\n${message}\n`);
});

describe.skipIf(noBrowser)('the section Docs of the workbench', () => {
  let app: string;
  let session: DevSession;
  let browser: Browser;
  const open = async (
    place: string,
    width = 1280,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Page> => {
    const shown = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await shown.goto(`http://127.0.0.1:${session.port}/_fw/#/${place}`);
    return shown;
  };

  beforeAll(async () => {
    app = await scaffold();
    session = await startDev({ app });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await session?.end('SIGTERM');
  });

  it('finds a page by the keyboard, and goes from page to page', async () => {
    const shown = await open('requests');
    await shown.getByRole('link', { name: 'Docs' }).waitFor();
    await shown.keyboard.press('6');
    await shown.getByRole('link', { name: 'Sessions', exact: true }).waitFor();
    await shown.keyboard.press('/');
    await shown.keyboard.type('route conflict');
    const result = shown.getByRole('link', { name: /^FW_ROUTE_CONFLICT/ });
    await result.click();
    await shown.getByRole('heading', { name: 'FW_ROUTE_CONFLICT' }).waitFor();
    expect(shown.url()).toMatch(/#\/docs\/errors\/FW_ROUTE_CONFLICT(?::\w+)?$/);
    await shown.goto(`http://127.0.0.1:${session.port}/_fw/#/docs/errors/FW_SECRET`);
    await shown.locator('.docs-page').getByRole('link', { name: 'settings' }).click();
    await shown.getByRole('heading', { level: 2, name: /^Settings/ }).waitFor();
    await shown.goBack();
    await shown.getByRole('heading', { name: 'FW_SECRET' }).waitFor();
    await shown.close();
  });

  it('goes to a heading, and copies code', async () => {
    const shown = await open('docs/cookies:what-is-refused');
    const heading = shown.getByRole('heading', { name: 'What is refused' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate((one) => one.matches(':focus'))).toBe(true);
    await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: 'Copy code' }).last().click();
    await expect
      .poll(() => shown.evaluate('navigator.clipboard.readText()'))
      .toContain("import { Cookie } from 'fw';");
    await shown.close();
  });

  it('shows the pictures of a page', async () => {
    const shown = await open('docs/cli/workbench');
    const picture = shown.locator('.docs-page img').first();
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((one: unknown) => (one as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(100);
    await shown.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'axe finds nothing, in %s and %i pixels wide',
    { timeout: 300_000 },
    async (colorScheme, width) => {
      for (const place of ['docs', 'docs/sessions', 'docs/errors/FW_ENV', 'docs/cli/docs']) {
        const shown = await open(place, width, colorScheme);
        await shown
          .locator(place === 'docs' ? '.docs-row' : '.docs-page h2')
          .first()
          .waitFor();
        await shown.evaluate(axe.source);
        const found = await shown.evaluate(async () => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        expect(found, place).toEqual([]);
        const over = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(over, `${place} scrolls sideways`).toBeLessThanOrEqual(0);
        await shown.close();
      }
    },
  );

  it('is where fw docs opens a page, and where an error of fw leads', async () => {
    const url = `http://127.0.0.1:${session.port}/_fw/#/docs/sessions`;
    // A program in place of the browser writes down what it is given.
    const tools = temporaryDirectory('fw-docs-open');
    writeFileSync(join(tools, 'xdg-open'), '#!/bin/sh\necho "$1" > "$0.url"\n', { mode: 0o755 });
    const binary = join(app, 'node_modules/fw/dist/cli/main.js');
    const PATH = `${tools}:${process.env.PATH}`;
    expect(inTerminal(app, `'${process.execPath}' '${binary}' docs sessions`, { PATH })).toContain(
      `Opened ${url}`,
    );
    await expect.poll(() => readFileSync(join(tools, 'xdg-open.url'), 'utf8')).toBe(`${url}\n`);
    const printed = inTerminal(app, `'${process.execPath}' '${binary}' docs sessions --print`, { PATH });
    expect(printed).not.toContain('Opened');

    const from = session.printed().length;
    const broken = "import { App } from 'fw';\nnew App().get('users', () => []);\n";
    save(session, join(app, 'src/broken.ts'), broken);
    save(
      session,
      join(app, 'src/app.ts'),
      `import './broken.ts';\n${readFileSync(join(app, 'src/app.ts'), 'utf8')}`,
    );
    await session.says(/see: fw docs FW_ROUTE_PATTERN/, from);
    const shown = await open('restarts');
    await shown.getByRole('link', { name: 'What FW_ROUTE_PATTERN means, and its fix' }).first().click();
    await shown.getByRole('heading', { name: 'FW_ROUTE_PATTERN' }).waitFor();
    await shown.close();
  });
});
