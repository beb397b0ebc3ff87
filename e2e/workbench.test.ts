// The page about the app, as its user meets it: the packed package, `fw dev`, and a browser.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { run, scaffold } from './packed.js';

const routes = `
import { Path, type Middleware } from 'fw';
import { logger } from 'fw/middleware';
import { withSpan } from 'fw/tracing';
import { z } from 'zod';
import { version } from './version.ts';

const tenant: Middleware = (_ctx, next) => withSpan({ tenant: 'acme' }, next);
const routes = new App()
  .use(logger())
  .use(tenant)
  .get('/tasks/:id', Path('id', z.coerce.number()), function getTask(id) {
    console.warn('the card of %s is slow', 'Ada', { id, token: 'secret-token' });
    return { id, title: 'Write it' };
  })
  .get('/upstream', async function upstream(ctx) {
    const response = await fetch(\`http://\${ctx.req.headers().host}/shop/tasks/9?token=hidden-token\`);
    return { status: response.status, text: (await response.text()).length };
  })
  .get('/boom', () => {
    throw new Error('no such thing');
  })
  .get('/page', (ctx) => ctx.html(\`<!doctype html><title>page</title><h1>Version \${version}</h1>\${process.env.FW_LIVE_SCRIPT ?? ''}\`));
app.route('/shop', routes);
`;

let app: string;
let session: DevSession;
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What a browser complains of: errors of scripts, and what the policy of the page refused. */
const complaints: string[] = [];

describe.skipIf(noBrowser !== undefined)('the page about the app', () => {
  beforeAll(async () => {
    app = await scaffold({ template: 'rpc', name: 'shop' });
    writeFileSync(join(app, 'src/version.ts'), 'export const version: number = 1;\n');
    appendFileSync(join(app, 'src/app.ts'), routes);
    git('init', '--quiet');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '--quiet', '-m', 'first');
    session = await startDev({ app });
    origin = `http://127.0.0.1:${session.port}`;
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const [, address = ''] = /(http:\S+\/_fw\/)/.exec(session.printed()) ?? [];
    expect(address).toBe(`${origin}/_fw/`);
    await page.goto(address);
    await page.getByText('ready', { exact: true }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await session?.end('SIGTERM');
    expect(complaints).toEqual([]);
  });

  it('shows a request as it comes, with its chain, its log lines and masked secrets', async () => {
    await page.getByText('No requests yet').waitFor();
    await fetch(`${origin}/shop/tasks/7?token=abc`, { headers: { Authorization: 'Bearer secret' } });
    await page.getByRole('link', { name: /GET \/shop\/tasks\/7/ }).click();
    const rows = page.locator('.timeline tbody tr');
    await expect
      .poll(() => rows.allInnerTexts().then((texts) => texts.join('\n')))
      .toMatch(/logger[\s\S]*tenant[\s\S]*getTask/);
    const timeline = (await rows.allInnerTexts()).join('\n');
    expect(timeline).toContain('<-- GET /shop/tasks/7 200');
    expect(timeline).toContain('tenant=acme');
    const line = page.locator('.timeline tr', { hasText: 'the card of Ada is slow { id: 7,' });
    expect(await line.innerText()).toMatch(/^warn /);
    expect(await line.getByRole('button').getAttribute('title')).toMatch(
      /^Open src\/app\.ts:\d+ in the editor$/,
    );
    expect(await page.content()).not.toContain('secret-token');
    await session.says(/the card of Ada is slow \{ id: 7, token: 'secret-token' \}/);
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByText('"Write it"').waitFor();
    await page.getByRole('tab', { name: 'Request' }).click();
    expect(await page.locator('.facts').innerText()).toMatch(/authorization\s+••••••/i);
    expect(await page.content()).not.toContain('Bearer secret');
    expect(await page.content()).not.toContain('token=abc');
  });

  it('sends a request again, with the secrets that it does not show, and another one after it was edited', async () => {
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText(/sent again from \d+/).waitFor();
    await page.getByRole('tab', { name: 'Request' }).click();
    expect(await page.locator('.facts').innerText()).toMatch(/authorization\s+••••••/i);
    await page.getByRole('button', { name: 'Edit and send' }).click();
    await page.getByLabel('Path and query').fill('/shop/tasks/8');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.head .target', { hasText: '/shop/tasks/8' }).waitFor();
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.locator('.json', { hasText: '"id": 8' }).waitFor();
  });

  it('copies a request as a test that passes', async () => {
    await page.getByRole('button', { name: 'Copy as test' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    writeFileSync(join(app, 'src/copied.test.ts'), text);
    const result = await run('npx', ['vitest', 'run', 'src/copied.test.ts'], { cwd: app });
    expect(`${result.stdout}${result.stderr}`).toMatch(/1 passed/);
  });

  it('shows calls to other servers as steps, with their status and the line that made them', async () => {
    await fetch(`${origin}/shop/upstream`);
    await page.getByRole('link', { name: /\/shop\/upstream/ }).click();
    const row = page.locator('.timeline tr', { hasText: /^call/ });
    await expect
      .poll(() => row.allInnerTexts())
      .toEqual([
        expect.stringMatching(/GET http:\/\/127\.0\.0\.1:\d+\/shop\/tasks\/9\?token=••••••\s*status=200/),
      ]);
    expect(await row.getByRole('button').getAttribute('title')).toMatch(
      /^Open src\/app\.ts:\d+ in the editor$/,
    );
    expect(await page.content()).not.toContain('hidden-token');
  });

  it('shows an error with the code around it', async () => {
    await fetch(`${origin}/shop/boom`);
    await page.getByRole('link', { name: /\/shop\/boom/ }).click();
    await page.locator('.frame-line.it', { hasText: "throw new Error('no such thing')" }).waitFor();
    const source = page.getByRole('button', { name: /src\/app\.ts:\d+/ }).first();
    await source.waitFor();
  });

  it('shows which call of RPC failed, and how, although its status is 200', async () => {
    const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
    const send = (message: unknown) =>
      fetch(`${origin}/rpc`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(message),
      });
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('button', { name: /^Failed \d/ }).click();
    await send([call('listTasks', {}), call('finishTask', { id: 'x' }), call('nothing', {})]);
    const row = page.getByRole('link', { name: /finishTask/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/listTasks\s+finishTask\s+\S[\s\S]*nothing\s+unknown procedure/);
    await page.getByLabel('Search requests').fill('-32601');
    await row.waitFor();
    await page.getByLabel('Search requests').fill('no such call');
    await page.getByText('No results').waitFor();
    await page.getByLabel('Search requests').fill('');
    await page.getByRole('button', { name: /^All \d/ }).click();
  });

  it('shows what the app is made of, and how its contract differs from the last commit', async () => {
    await page.getByRole('link', { name: 'App' }).click();
    const row = page.locator('tr', { hasText: '/shop/tasks/:id' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/GET[\s\S]*getTask[\s\S]*src\/app\.ts:\d+/);
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.locator('tr', { hasText: 'maxBodySize' }).innerText()).toMatch(
      /1,?048,?576[\s\S]*src\/app\.ts:\d+/,
    );
    await page.getByRole('tab', { name: /Procedures/ }).click();
    await page.getByText('The contract is that of the last commit.').waitFor();
    const rpc = join(app, 'src/rpc.ts');
    const from = save(
      session,
      rpc,
      readFileSync(rpc, 'utf8').replace(
        'input: { isDone?: boolean; priority',
        'input: { isDone: boolean; priority',
      ),
    );
    await session.says(/ready in/, from);
    await page.locator('.notice', { hasText: 'listTasks' }).waitFor();
    expect(await page.locator('.notice', { hasText: 'listTasks' }).innerText()).toContain(
      'breaks older clients',
    );
  });

  it('shows a failed build over pages that ask for it, which load again when it is fixed', async () => {
    const shop = await context.newPage();
    await shop.goto(`${origin}/shop/page`);
    await shop.getByRole('heading', { name: 'Version 1' }).waitFor();
    const version = join(app, 'src/version.ts');
    const failed = save(session, version, 'export const version: number = ;\n');
    await session.says(/build failed/, failed);
    await shop.getByText('Unexpected ";"').first().waitFor();
    await page.getByRole('link', { name: 'Cycle' }).first().click();
    await page.getByText('build failed', { exact: true }).first().waitFor();
    const fixed = save(session, version, 'export const version: number = 2;\n');
    await session.says(/ready in/, fixed);
    await shop.getByRole('heading', { name: 'Version 2' }).waitFor();
    expect(await shop.getByText('Unexpected ";"').count()).toBe(0);
    await page.getByText('ready', { exact: true }).first().waitFor();
    await shop.close();
  });

  it('adds nothing to answers', async () => {
    expect(await (await fetch(`${origin}/shop/tasks/1`)).text()).toBe('{"id":1,"title":"Write it"}');
  });

  it('refuses other origins and hosts', async () => {
    expect(await statusOf('/_fw/requests', {})).toBe(200);
    expect(await statusOf('/_fw/requests', { Origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf('/_fw/requests', { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await statusOf('/_fw/requests', { Host: 'evil.example' })).toBe(403);
    const body = { 'Content-Type': 'text/plain', Origin: origin };
    expect(await statusOf('/_fw/send', body, 'POST')).toBe(415);
  });

  it.each([
    ['light', 1440],
    ['light', 360],
    ['dark', 1440],
    ['dark', 360],
  ] as const)('has nothing that axe finds, in %s and %i pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(axe.source);
    for (const place of ['#/requests', '#/requests/1', '#/app/routes', '#/app/procedures', '#/cycle']) {
      await page.goto(`${origin}/_fw/${place}`);
      await page.locator('.request-row:visible, .tab, .cycle').first().waitFor();
      const violations = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(violations, place).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), place).toBeLessThanOrEqual(
        width,
      );
    }
  });
});

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: app, stdio: 'ignore' });
}

/** With header fields that `fetch` would not send. */
function statusOf(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: session.port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}
