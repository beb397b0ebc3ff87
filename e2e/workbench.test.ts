// The page about the app, as its user meets it: the packed package, `fw dev`, and a browser.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { run, scaffold } from './packed.js';

const routes = `
import diagnostics from 'node:diagnostics_channel';
import { get } from 'node:http';
import { Path, type Middleware } from 'fw';
import { logger } from 'fw/middleware';
import { withSpan } from 'fw/tracing';
import { websocket } from 'fw/websocket';
import { z } from 'zod';
import { version } from './version.ts';

/** As fw/kysely publishes statements. */
const trace = diagnostics.channel('fw:trace');
async function database(name: string, work: () => Promise<void>): Promise<void> {
  const start = { type: 'start', kind: 'database', name };
  await trace.runStores(start, work);
  trace.publish({ type: 'end', of: start });
}
const { SHOP_MODE = 'open', SHOP_DATABASE } = process.env;
if (SHOP_MODE !== 'open') console.log('closed', SHOP_DATABASE);

let isTidyDue = false;
setInterval(() => {
  if (!isTidyDue) return;
  isTidyDue = false;
  void withSpan({ job: 'tidy' }, () => database('delete from "task" where "is_done" = 1', () => Promise.resolve()));
  withSpan({ job: 'count' }, async () => {
    throw new RangeError('nothing to count');
  }).catch((error: Error) => console.log(error.message));
}, 50);

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
  .get('/prices', async function prices(ctx) {
    await fetch(\`http://\${ctx.req.headers().host}/nowhere\`);
    await new Promise((done) => get('http://127.0.0.1:1/').once('error', done));
    throw new Error('no prices');
  })
  .get('/loop', async function loop() {
    for (let n = 0; n < 30; n++) await database('select "title" from "task" where "id" = $1', () => Promise.resolve());
    return 'ok';
  })
  .websocket('/live', websocket({ onMessage: (socket, message) => void socket.send(\`got \${message.length}\`) }))
  .websocket('/broken', websocket({
    onMessage() {
      throw new RangeError('no such room');
    },
  }))
  .websocket('/subscriptions', websocket({}, { rpc }))
  .get('/boom', () => {
    throw new Error('no such thing');
  })
  .get('/tidy', () => {
    isTidyDue = true;
    return 'soon';
  })
  .use((_ctx, next) => next())
  .get('/rows/:id', async function rows(ctx) {
    const sql = 'select "id", "title", "is_done", "created_at" from "task" where "list_id" = $1';
    await database(sql, () => Promise.resolve());
    await withSpan({ load: 'rows' }, async () => {
      throw new TypeError(\`no rows of task \${ctx.req.param('id')}\`);
    });
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
/** The address of a job. */
let job = '';
/** What a browser complains of: errors of scripts, and what the policy of the page refused. */
const complaints: string[] = [];

describe.skipIf(noBrowser !== undefined)('the page about the app', () => {
  beforeAll(async () => {
    app = await scaffold({ template: 'rpc', name: 'shop' });
    writeFileSync(
      join(app, '.env'),
      'SHOP_DATABASE=postgres://shop:hidden-db@localhost/shop\nSHOP_KEY=hidden-key\n',
    );
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
    writeFileSync(join(app, 'src/copied.test.ts'), await copied('test'));
    const result = await run('npx', ['vitest', 'run', 'src/copied.test.ts'], { cwd: app });
    expect(`${result.stdout}${result.stderr}`).toMatch(/1 passed/);
  });

  it('copies a request as commands that run, without what browsers add', async () => {
    const curl = await copied('curl');
    const env = { ...process.env, AUTHORIZATION: 'Bearer secret' };
    await expect(run('sh', ['-c', curl], { cwd: app })).resolves.toMatchObject({
      stderr: expect.stringContaining('AUTHORIZATION: is a secret: set it before'),
    });
    const answered = await run('sh', ['-c', curl], { cwd: app, env });
    expect(JSON.parse(answered.stdout)).toEqual({ id: 8, title: 'Write it' });
    writeFileSync(join(app, 'copied.mjs'), await copied('fetch'));
    const script = await run('node', ['copied.mjs'], { cwd: app });
    expect(script.stdout).toMatch(/^200 \{"id":8,/);
  });

  it('has a menu of copies that the keyboard opens, moves in and leaves', async () => {
    const button = page.getByRole('button', { name: 'Copy as…' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    await button.focus();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('menu', { name: 'Copy as…' }).waitFor();
    await expect.poll(focused).toBe('test');
    for (const [key, item] of [
      ['ArrowDown', 'curl'],
      ['p', 'PowerShell'],
      ['End', 'test'],
      ['Home', 'curl'],
      ['ArrowUp', 'test'],
      // The keys of the page do nothing meanwhile.
      ['2', 'test'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(), key).toBe(item);
    }
    await page.keyboard.press('Escape');
    expect([await button.getAttribute('aria-expanded'), await focused()]).toEqual(['false', 'Copy as…']);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('curl');
    await page.keyboard.press('Tab');
    expect(await page.getByRole('menu').count()).toBe(0);
    await button.click();
    await page.getByRole('menuitem', { name: 'fetch' }).waitFor();
    await page.locator('.head').click();
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.getByRole('button', { name: 'Send again' }).waitFor();
  });

  it('exports a request as an HTTP Archive, with its steps and without its secrets', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('get-shop-tasks-8.har');
    const text = readFileSync(await download.path(), 'utf8');
    const [entry] = JSON.parse(text).log.entries;
    expect(entry.request.headers).toContainEqual({ name: 'Authorization', value: '••••••' });
    expect(entry._fw.steps.map(({ name }: { name: string }) => name)).toContain('getTask');
    expect(text).not.toMatch(/Bearer secret|secret-token/);
  });

  it('keeps a request that is pinned, and a call that is saved', async () => {
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Pinned 1' }).waitFor();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    await page.getByLabel('Name of the saved call').fill('task eight');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Saved 1' }).click();
    const before = page.url();
    await page.getByRole('button', { name: 'Send task eight' }).click();
    await page.waitForURL((url) => url.href !== before);
    await page.locator('.head', { hasText: '/shop/tasks/8' }).waitFor();
    await page.getByRole('button', { name: /^All \d/ }).click();
    const file = readFileSync(join(app, 'node_modules/.fw/workbench.json'), 'utf8');
    expect(file).not.toMatch(/Bearer secret|secret-token/);
  });

  it('calls a procedure from the list of procedures', async () => {
    await page.getByRole('link', { name: 'App' }).click();
    await page.getByRole('tab', { name: /Procedures/ }).click();
    await page.getByRole('button', { name: 'Call addTask' }).click();
    const body = page.getByLabel('Body');
    expect(JSON.parse(await body.inputValue())).toMatchObject({
      method: 'addTask',
      params: { title: expect.any(String) },
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.head', { hasText: /addTask/ }).waitFor();
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.locator('.json', { hasText: '"result"' }).waitFor();
  });

  it('shows calls to other servers as steps, with their status and the line that made them', async () => {
    await fetch(`${origin}/shop/upstream`);
    await page.getByRole('link', { name: /\/shop\/upstream/ }).click();
    const row = page.locator('.timeline tr', { hasText: /^call/ });
    await expect
      .poll(() => row.allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /GET http:\/\/127\.0\.0\.1:\d+\/shop\/tasks\/9\?token=••••••\s*200\s*src\/app\.ts:\d+/,
        ),
      ]);
    expect(await row.getByRole('button').getAttribute('title')).toMatch(
      /^Open src\/app\.ts:\d+ in the editor$/,
    );
    expect(await page.content()).not.toContain('hidden-token');
  });

  it('names the calls to other servers that failed before an error', async () => {
    await fetch(`${origin}/shop/prices`);
    await page.getByRole('link', { name: /\/shop\/prices/ }).click();
    const notice = page.locator('.notice', { hasText: '2 calls to other servers failed before' });
    await notice.waitFor();
    expect(await notice.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^404 GET http:\/\/127\.0\.0\.1:\d+\/nowhere at src\/app\.ts:\d+$/),
      expect.stringMatching(
        /^no response GET http:\/\/127\.0\.0\.1:1\/(?: at src\/app\.ts:\d+)?\s+Error: (?:connect ECONNREFUSED|bad port)/,
      ),
    ]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    expect(await page.locator('.timeline tr.failed', { hasText: '/nowhere' }).count()).toBe(1);
  });

  it('shows equal statements as one row, and a likely N+1 in the list', async () => {
    await fetch(`${origin}/shop/loop`);
    const row = page.getByRole('link', { name: /\/shop\/loop/ });
    await row.getByText('N+1 ×30').waitFor();
    await row.click();
    const statements = page.locator('.timeline tr', { hasText: /^database/ });
    await expect.poll(() => statements.count()).toBe(1);
    expect(await statements.innerText()).toMatch(/^database ×30/);
    await page.getByRole('button', { name: 'Show each' }).click();
    expect(await statements.count()).toBe(31);
    await page.getByRole('button', { name: 'Show as one' }).click();
    expect(await statements.count()).toBe(1);
  });

  it('shows messages of a WebSocket and events of a subscription as they pass', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${session.port}/shop/live`);
    await once(client, 'open');
    await page.getByRole('link', { name: /\/shop\/live/ }).click();
    const rows = page.locator('.messages tbody tr');
    const shown = () => rows.allInnerTexts().then((texts) => texts.map((text) => text.replace(/\s+/g, ' ')));
    client.send('{"password":"hidden-password"}');
    await expect
      .poll(shown)
      .toEqual([
        expect.stringMatching(/↓ sent 6 B got 30$/),
        expect.stringMatching(/↑ received 30 B \{"password":"••••••"\}$/),
      ]);
    expect(await page.content()).not.toContain('hidden-password');
    client.send(Buffer.from([1, 2]));
    await expect.poll(async () => (await shown())[1]).toMatch(/↑ received 2 B binary/);
    client.close(4000, 'done here');
    await page.getByText('closed 4000').waitFor();
    await page.getByText('done here').waitFor();

    const subscriber = new WebSocket(`ws://127.0.0.1:${session.port}/shop/subscriptions`);
    await once(subscriber, 'open');
    await page.getByRole('link', { name: /\/shop\/subscriptions/ }).click();
    subscriber.send('{"subscribe":{"id":1,"method":"onTaskChanged","params":{}}}');
    await page.locator('.messages').getByText('subscribe onTaskChanged').waitFor();
    const stream = await fetch(`${origin}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"onTaskChanged","params":{}}',
    });
    const add = (title: string) =>
      fetch(`${origin}/rpc`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'addTask', params: { title } }),
      });
    await add('over a socket');
    await page.locator('.messages').getByText('onTaskChanged event').waitFor();
    subscriber.close();
    await page.getByText('closed 1005').waitFor();
    await page.getByRole('link', { name: /\/rpc onTaskChanged/ }).click();
    await add('over HTTP');
    await page.locator('.messages tr', { hasText: 'over HTTP' }).waitFor();
    await page.getByText('open', { exact: true }).waitFor();
    await stream.body?.cancel();
    await page.locator('.tab-panel').getByText('client left').waitFor();
  });

  it('shows which callback closed a WebSocket, as an error with its code', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${session.port}/shop/broken`);
    await once(client, 'open');
    client.send('x');
    const row = page.getByRole('link', { name: /\/shop\/broken/ });
    await row.getByText('failed', { exact: true }).waitFor();
    await row.click();
    await page.getByRole('tab', { name: 'Error' }).click();
    await page.locator('.frame-line.it', { hasText: "throw new RangeError('no such room')" }).waitFor();
    await page.getByRole('button', { name: /^Errors \d/ }).click();
    const group = page.locator('.error-row', { hasText: 'no such room' });
    expect(await group.innerText()).toMatch(/×1[\s\S]*src\/app\.ts:\d+/);
    await page.getByRole('button', { name: /^All \d/ }).click();
  });

  it('shows an error with the code around it', async () => {
    await fetch(`${origin}/shop/boom`);
    await page.getByRole('link', { name: /\/shop\/boom/ }).click();
    await page.locator('.frame-line.it', { hasText: "throw new Error('no such thing')" }).waitFor();
    const source = page.getByRole('button', { name: /src\/app\.ts:\d+/ }).first();
    await source.waitFor();
  });

  it('shows the time of a step of its own, a statement by what it does, an error once, and places for names', async () => {
    for (const id of [1, 2]) await fetch(`${origin}/shop/rows/${id}`);
    await page.getByRole('link', { name: /\/shop\/rows\/2/ }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const rows = page.locator('.timeline tbody tr');
    await rows.first().waitFor();
    const timeline = await rows.allInnerTexts();
    expect(timeline.filter((text) => text.includes('no rows of task 2'))).toEqual([
      expect.stringContaining('load=rows'),
    ]);
    expect(await rows.filter({ hasText: /^handler rows/ }).innerText()).toContain('passes the error on');
    expect(timeline.join('\n')).not.toMatch(/middleware middleware|\(anonymous\)/);
    const place = rows.filter({ hasText: /^middleware src\/app\.ts:\d+/ }).getByRole('button');
    expect(await place.getAttribute('title')).toMatch(/^Open src\/app\.ts:\d+ in the editor$/);
    const [total, self] = await rows
      .filter({ hasText: /^handler rows/ })
      .locator('.timeline-time')
      .all();
    expect(await total?.innerText()).toMatch(/ ms$/);
    expect(await self?.innerText()).toMatch(/ ms$/);
    const summary = page.getByText('select … from "task" where "list_id" = $1', { exact: true });
    await summary.click();
    await page.locator('.sql .code', { hasText: 'select "id", "title", "is_done", "created_at"' }).waitFor();
  });

  it('finds requests by what is in them, as they come, and no masked secret', async () => {
    const search = page.getByLabel('Search requests');
    await page.keyboard.press('/');
    await page.keyboard.type('NO ROWS of');
    const row = page.getByRole('link', { name: /\/shop\/rows\/2/ });
    await row.locator('.found', { hasText: 'error: TypeError: no rows of task 2' }).first().waitFor();
    expect(await page.locator('.request-row').count()).toBe(2);
    await fetch(`${origin}/shop/rows/3`);
    await page.locator('.request-row', { hasText: 'no rows of task 3' }).waitFor();
    await search.fill('write it');
    await page.locator('.found', { hasText: 'response body: {"id":8,"title":"Write it"}' }).first().waitFor();
    await search.fill('bearer secret');
    await page.getByText('No results').waitFor();
    await search.fill('no rows of task 3');
    await page.getByRole('button', { name: '1 in Errors' }).click();
    await page.locator('.error-row', { hasText: 'no rows of task 3' }).waitFor();
    await page.getByRole('button', { name: '1 in All' }).click();
    await page.locator('.request-row', { hasText: 'no rows of task 3' }).waitFor();
    await search.fill('');
  });

  it('groups equal errors, and leads to their requests', async () => {
    await page.getByRole('button', { name: /^Errors \d/ }).click();
    const group = page.locator('.error-row', { hasText: 'no rows of task 3' });
    await group.click();
    expect(await group.innerText()).toMatch(
      /×3[\s\S]*src\/app\.ts:\d+[\s\S]*first \d\d:\d\d:\d\d, last \d\d:\d\d:\d\d/,
    );
    await page.getByRole('heading', { name: 'Error, occurred 3 times' }).waitFor();
    await page.locator('.frame-line.it', { hasText: 'throw new TypeError' }).waitFor();
    await page.getByRole('link', { name: 'GET /shop/rows/1' }).click();
    await page.locator('.head .target', { hasText: '/shop/rows/1' }).waitFor();
    await page.getByRole('button', { name: /^All \d/ }).click();
  });

  it('shows jobs, which run without a request, with their statements and errors', async () => {
    await fetch(`${origin}/shop/tidy`);
    await page.getByRole('button', { name: 'Jobs 2' }).click();
    const rows = page.locator('.request-row');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('link', { name: /JOB job=tidy/ }).click();
    await page.locator('.head .target', { hasText: 'job=tidy' }).waitFor();
    job = await page.evaluate<string>('location.hash');
    await page.locator('.timeline').getByText('delete from "task" where "is_done" = 1').first().waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Timeline',
      expect.stringMatching(/Database/),
    ]);
    expect(await page.getByRole('button', { name: /Send again|Copy as/ }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('job-job-tidy.har');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Pinned 2' }).click();
    await page.getByRole('link', { name: /JOB job=tidy/ }).click();
    await page.getByRole('button', { name: 'Unpin' }).click();
    await page.getByRole('button', { name: 'Jobs 2' }).click();
    const failed = page.getByRole('link', { name: /JOB job=count/ });
    await expect.poll(() => failed.locator('.row-status').innerText()).toBe('failed');
    await failed.click();
    await page.locator('.frame-line.it', { hasText: "throw new RangeError('nothing to count')" }).waitFor();
    await page.getByRole('button', { name: /^Errors \d/ }).click();
    await page.locator('.error-row', { hasText: 'nothing to count' }).waitFor();
    await page.getByRole('button', { name: /^All \d/ }).click();
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
        'isDone: z.boolean().optional(), priority',
        'isDone: z.boolean(), priority',
      ),
    );
    await session.says(/ready in/, from);
    await page.locator('.notice', { hasText: 'listTasks' }).waitFor();
    expect(await page.locator('.notice', { hasText: 'listTasks' }).innerText()).toContain(
      'breaks older clients',
    );
  });

  it('shows which environment variables the app reads, and where, without secrets', async () => {
    await page.getByRole('link', { name: 'App' }).click();
    await page.getByRole('tab', { name: 'Environment' }).click();
    const read = page.getByRole('table', { name: 'Variables that the app has read' });
    const row = (name: string) => read.locator('tr', { hasText: name });
    await row('SHOP_DATABASE').waitFor();
    expect(await row('SHOP_DATABASE').innerText()).toMatch(
      /postgres:\/\/shop:••••••@localhost\/shop\s+\.env\s+src\/app\.ts:\d+/,
    );
    expect(await row('SHOP_MODE').innerText()).toMatch(/not set/);
    const own = page.getByRole('table', { name: 'Variables that are set for the app' });
    expect(await own.locator('tr', { hasText: 'SHOP_KEY' }).innerText()).toMatch(/••••••\s+\.env/);
    const shell = page.getByRole('table', { name: 'Other variables of the shell' });
    expect(await shell.isVisible()).toBe(false);
    await page.getByText(/\d+ more from the shell/).click();
    expect(await shell.locator('tr', { hasText: /^PATH/ }).innerText()).toContain('/bin');
    expect(await page.content()).not.toMatch(/hidden-(db|key)/);
  });

  it('shows a failed build over pages that ask for it, which load again when it is fixed', async () => {
    const shop = await context.newPage();
    await shop.goto(`${origin}/shop/page`);
    await shop.getByRole('heading', { name: 'Version 1' }).waitFor();
    const version = join(app, 'src/version.ts');
    const failed = save(session, version, 'export const version: number = ;\n');
    await session.says(/build failed/, failed);
    await shop.getByText('Unexpected ";"').first().waitFor();
    await page.getByRole('link', { name: 'Restarts' }).first().click();
    await page.getByText('build failed', { exact: true }).first().waitFor();
    const fixed = save(session, version, 'export const version: number = 2;\n');
    await session.says(/ready in/, fixed);
    await shop.getByRole('heading', { name: 'Version 2' }).waitFor();
    expect(await shop.getByText('Unexpected ";"').count()).toBe(0);
    await page.getByText('ready', { exact: true }).first().waitFor();
    await shop.close();
  });

  it('has charts of what was answered since the start, with the saves on them', async () => {
    await page.getByRole('link', { name: 'Charts' }).click();
    const chart = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}\\. `) });
    await chart('Requests per second').waitFor();
    const label = (name: string) => chart(name).getAttribute('aria-label');
    expect(await label('Duration')).toMatch(/p50: [\d.]+ ms, at most .* p95: [\d.]+ ms/);
    expect(await label('Failures')).toMatch(/status 5xx: 0, at most \d+\. failed calls: 0, at most 1$/);
    expect(await label('Event loop delay')).toMatch(/delay: [\d.]+ ms/);
    expect(await label('Heap')).toMatch(/heap: [\d.]+ MB/);
    const saves = chart('Heap').locator('title', { hasText: 'src/version.ts changed' });
    expect(await saves.count()).toBe(1);
    await page.getByText('The last values as a table').click();
    await page.locator('td', { hasText: 'src/version.ts changed' }).waitFor();
    const total = () =>
      page.evaluate(async () => {
        const { points } = (await (await fetch('charts')).json()) as { points: { requests: number }[] };
        return points.reduce((sum, { requests }) => sum + requests, 0);
      });
    const before = await total();
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${origin}/shop/tasks/1`)));
    // One that came before may be counted only now.
    await expect.poll(total).toBeGreaterThanOrEqual(before + 20);
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
    for (const place of [
      '#/requests',
      '#/requests/1',
      '#/requests/e1',
      job,
      '#/app/routes',
      '#/app/procedures',
      '#/app/environment',
      '#/restarts',
      '#/charts',
    ]) {
      await page.goto(`${origin}/_fw/${place}`);
      await page
        .locator('.request-row:visible, .error-row:visible, .detail:visible, .tab, .cycle, .chart')
        .first()
        .waitFor();
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

/** What the menu of copies puts into the clipboard. */
async function copied(form: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: form }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy as…' }).waitFor();
  return text;
}

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
