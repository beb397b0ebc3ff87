// The page about an API, of the packed package in Chromium: it lists, searches, fills in, sends and listens.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { installFw, temporaryDirectory } from './packed.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const app = `
import { App, FwError } from 'fw';
import { csrf } from 'fw/csrf';
import { Jwt } from 'fw/jwt';
import { RpcRegistry, tracked } from 'fw/rpc';
import { websocket, events } from 'fw/websocket';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(3600);
const rpc = new RpcRegistry()
  .defineType('Task', '{ title: string; parent?: Task; tags: Array<string> }')
  .mutationWithTypes('tasks.add', (task) => ({ ...task, id: 7 }), 'Task', '{ id: number; title: string }')
  .mutationWithTypes('tasks.notify', (input) => input, '{ by: { kind: "mail"; to: string } | { kind: "phone"; number: number } | null; labels: Record<string, boolean> }', 'unknown')
  .mutationWithTypes('tasks.refuse', () => { throw FwError.forbidden('not yours'); }, 'void', 'void')
  .mutationWithTypes('tasks.attach', async ({ file }) => (await file.text()).length, '{ file: File }', 'number')
  .subscriptionWithTypes('tasks.count', async function* ({ to }) {
    for (let n = 1; n <= to; n += 1) yield tracked(String(n), { n });
  }, '{ to: number }', '{ n: number }');

const image = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');
const app = new App()
  .use(csrf({ secret: 'x'.repeat(32), secure: false }))
  .use(jwt.optional().build())
  .get('/users/:id', (ctx) => {
    if (ctx.req.param('id') === '0') throw FwError.notFound('there is no such user');
    return { id: ctx.req.param('id') };
  })
  .get('/image', () => new Response(image, { headers: { 'content-type': 'image/png' } }))
  .route('/me', new App().requireAuth().get('/', (ctx) => ({ me: ctx.requireAuth().id })))
  .websocket('/rooms/:room', websocket({
    receives: events(), sends: events(),
    on: { say: (socket, data) => void socket.emit('said', data), leave: (socket) => socket.close(4001, 'as you wish') },
  }))
  .mountRpc('/rpc', rpc);
app.serveDocs('/docs', app, { title: 'Tasks', version: '1.0.0', description: 'Tasks of **all** kinds.' });

const paths = {};
for (let n = 0; n < 500; n += 1) {
  const schema = { $ref: '#/components/schemas/Node' };
  const answer = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  paths['/things/' + n + '/{id}'] = {
    get: { tags: ['group ' + (n % 25)], summary: 'Reads <b>thing</b> ' + n, responses: answer },
    put: { tags: ['group ' + (n % 25)], requestBody: { content: { 'application/json': { schema } } }, responses: {} },
  };
}
app.serveDocs('/large', {
  openapi: '3.0.3',
  info: { title: 'Large', version: '1', description: '<img src=x onerror=alert(1)> [x](javascript:alert(1))' },
  components: { schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } } },
  paths: { ...paths, '/broken': { get: { parameters: [{ $ref: '#/nowhere' }] } } },
});

const server = await app.listen(0);
console.log(server.url + ' ' + jwt.sign({ sub: 'ada' }));
`;

describe.skipIf(noBrowser !== undefined)('the page about an API, in Chromium', () => {
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;
  let url: string;
  let token: string;
  /** Requests to other hosts, violations of the policy, and errors of scripts. */
  let complaints: string[];

  beforeAll(async () => {
    const directory = temporaryDirectory();
    installFw(directory);
    writeFileSync(join(directory, 'app.mjs'), app);
    server = spawn(process.execPath, ['app.mjs'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
    browser = await launchBrowser();
    const [line] = await once(server.stdout as NodeJS.ReadableStream, 'data');
    [url = '', token = ''] = String(line).trim().split(' ');
  });

  afterAll(async () => {
    await browser?.close();
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // A browser writes there that a server has answered 404.
      if (message.type() === 'error' && !message.text().includes('status of 4'))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (!/^(?:blob|data):$/.test(protocol) && host !== new URL(url).host) complaints.push(request.url());
    });
    await page.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))",
    );
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  const open = async (operation: string): Promise<void> => {
    await page.goto(`${url}/docs#/${encodeURIComponent(operation)}`);
    await page.getByRole('heading', { level: 1, name: operation.split(' ').at(-1) ?? '' }).waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const answer = () => page.getByLabel('The answer of the call');

  test('a reader finds an operation by the keyboard, and an address leads to it', async () => {
    await page.goto(`${url}/docs`);
    await page.getByText('Tasks of all kinds.').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tasks');
    const list = page.getByRole('navigation', { name: 'Operations' });
    await expect.poll(() => list.getByRole('link').count()).toBe(5);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'tasks.attach' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'tasks.attach' }).waitFor();
    await page.goBack();
    await page.getByText('Tasks of all kinds.').waitFor();
    await button('subscription').click();
    await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(['subtasks.count']);
  });

  test('a form is checked as it is filled in, is the same value as its JSON, and is sent', async () => {
    await open('rpc tasks.add');
    await button('Task').first().click();
    await page.getByRole('button', { name: 'Back' }).click();
    await button('Add to tags').click();
    await page.getByRole('textbox', { name: '1', exact: true }).fill('new');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const raw = page.getByLabel('Input as JSON');
    expect(JSON.parse(await raw.inputValue())).toEqual({ title: '', tags: ['new'] });
    await raw.fill('{"title": 1, "tags": []');
    await page.getByText("line 1, column 24: expected ',' or '}'").waitFor();
    await raw.fill('{"title": 1, "tags": []}');
    await page.getByText('title: expected string, got number').waitFor();
    await raw.fill('{"title": "it\'s", "tags": []}');
    await page.getByRole('tab', { name: 'Input' }).click();
    expect(await page.getByRole('textbox', { name: 'title' }).inputValue()).toBe("it's");
    await button('Fill in parent').click();
    await button('Leave out parent').click();
    await button('Send').click();
    await answer().getByText('"it\'s"').waitFor();
    expect(await answer().textContent()).toMatch(/200.*ms · \d+ B.*"id": 7/);
    await page.getByRole('tab', { name: /^Headers/ }).click();
    await answer().getByText('application/json').waitFor();
    expect(await page.getByLabel('the call with curl').first().textContent()).toBe(
      `curl '${url}/rpc' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{"jsonrpc":"2.0","id":1,"method":"tasks.add","params":{"title":"it'\\''s","tags":[]}}'`,
    );
    await page.getByRole('tab', { name: 'Generated client' }).click();
    await page.getByText('const result = await client.tasks.add({').waitFor();
  });

  test('a call that is refused is not shown as a success, although its status is 200', async () => {
    await open('rpc tasks.refuse');
    await button('Send').click();
    await answer().getByText('403 Forbidden').waitFor();
    expect(await answer().textContent()).toMatch(/^Failed with -32003.*200.*not yours/s);
    expect(await answer().locator('.badge.green').count()).toBe(0);
  });

  test('a route is called with its parameters, and its refusal shows', async () => {
    await open('GET /users/{id}');
    await button('Send').click();
    await page.getByText("Fill in the path parameter 'id'.").first().waitFor();
    await page.getByRole('textbox', { name: 'id' }).fill('0');
    await page.keyboard.press('Enter');
    await answer().getByText('there is no such user').waitFor();
    expect(await answer().textContent()).toContain('404');
  });

  test('a union is a choice, a record has keys, and an image is shown as long as it is needed', async () => {
    await open('rpc tasks.notify');
    await page.getByLabel('by', { exact: true }).selectOption({ label: 'kind: "phone"' });
    await page.getByRole('textbox', { name: 'number' }).fill('x');
    await page.getByText('expected number, got string').waitFor();
    await page.getByRole('textbox', { name: 'number' }).fill('42');
    await button('Add to labels').click();
    await page.getByRole('textbox', { name: 'Key 1 of labels' }).fill('urgent');
    await page.keyboard.press('Tab');
    await page.getByRole('combobox', { name: 'urgent' }).selectOption({ label: 'true' });
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(JSON.parse(await page.getByLabel('Input as JSON').inputValue())).toEqual({
      by: { kind: 'phone', number: 42 },
      labels: { urgent: true },
    });
    await open('GET /image');
    await button('Send').click();
    const image = page.getByRole('img', { name: 'The answer, image/png' });
    const source = await image.getAttribute('src');
    await button('Send').click();
    await expect.poll(() => image.getAttribute('src')).not.toBe(source);
    // `fetch` would be against the policy; an image shows whether the URL still leads to something.
    const load = `new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('there');
      image.onerror = () => resolve('gone');
      image.src = ${JSON.stringify(source)};
    })`;
    expect(await page.evaluate(load)).toBe('gone');
    // Chromium writes there that the URL leads to nothing.
    expect(complaints.filter((one) => !one.includes('ERR_FILE_NOT_FOUND'))).toEqual([]);
    complaints.length = 0;
  });

  test('a token is entered once, kept for the tab, and not in copied code', async () => {
    await open('GET /me');
    await button('Send').click();
    await answer().getByText('401', { exact: true }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Authenticate' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(token);
    await button('Done').click();
    await button('Send').click();
    await answer().getByText('"ada"').waitFor();
    const curl = page.getByLabel('the call with curl').first();
    expect(await curl.textContent()).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
    await page.getByLabel('with my credentials').check();
    expect(await curl.textContent()).toContain(token);
    await page.reload();
    await button('Send').click();
    await answer().getByText('"ada"').waitFor();
    expect(page.url()).not.toContain(token);
    await page.getByRole('banner').getByRole('button', { name: 'Authenticate' }).click();
    await button('Forget').click();
    const stored = await page.evaluate('JSON.stringify([sessionStorage, localStorage])');
    expect(stored).not.toContain(token);
  });

  test('events of a subscription and of a WebSocket show as they arrive, and a file is sent', async () => {
    await open('rpc tasks.count');
    await page.getByRole('textbox', { name: 'to' }).fill('600');
    await button('Subscribe').click();
    await page.getByText('The server has ended the stream.').first().waitFor();
    const log = page.getByRole('log');
    await expect.poll(() => log.textContent()).toContain('{"n":600}');
    expect(await log.locator('.log-line').count()).toBe(500);
    await open('WEBSOCKET /rooms/{room}');
    await page.getByRole('textbox', { name: 'room' }).fill('a b');
    await button('Connect').click();
    await page.getByText('open', { exact: true }).first().waitFor();
    await page.getByLabel('Text to send').fill('{"event":"say","data":{"text":"hello"}}');
    await button('Send text').click();
    await log.getByText('"said"').waitFor();
    await page.getByLabel('Text to send').fill('{"event":"leave"}');
    await button('Send text').click();
    await log.getByText('closed with 4001: as you wish').waitFor();
    await open('rpc tasks.attach');
    await page
      .getByLabel('file')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('12345') });
    await button('Send').click();
    await answer().getByText('5', { exact: true }).waitFor();
  });

  test('a document of 1,001 operations opens, and what is hostile or broken in it stays text', async () => {
    const began = Date.now();
    await page.goto(`${url}/large`);
    await page.getByRole('link', { name: '/things/499/{id}' }).first().waitFor({ state: 'attached' });
    const opened = Date.now() - began;
    await page.getByText('<img src=x onerror=alert(1)> [x](javascript:alert(1))').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('499 get');
    await page.keyboard.press('Enter');
    await page.getByText('Reads <b>thing</b> 499').first().waitFor();
    process.stderr.write(`1,001 operations: ${opened} ms until the list is there\n`);
    await page.goto(`${url}/large#/GET%20%2Fbroken`);
    await page.getByText('#/nowhere leads to nothing in this document').waitFor();
  });

  test('an operation that cannot be shown does not break the others', async () => {
    await page.route('**/api.json', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(
        '"input":{"kind":"ref","name":"Task"}',
        '"input":{"kind":"union"}',
      );
      await route.fulfill({ response, body: text });
    });
    await page.goto(`${url}/docs#/rpc%20tasks.add`);
    await page.getByText('This cannot be shown').waitFor();
    expect(complaints.splice(0)).not.toEqual([]);
    await page.getByRole('link', { name: 'tasks.attach' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'tasks.attach' }).waitFor();
  });

  test('axe finds nothing in both themes and at both widths', async () => {
    const found: unknown[] = [];
    const look = async (where: string): Promise<void> => {
      await page.evaluate(axe);
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1440, 360]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
            violations: { id: string; nodes: { html: string }[] }[];
          };
          found.push(...violations.map(({ id, nodes }) => [where, colorScheme, width, id, nodes[0]?.html]));
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (overflow !== 0) found.push([where, width, `is ${overflow} pixels too wide`]);
        }
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await page.goto(`${url}/docs`);
    await page.getByRole('link', { name: 'tasks.add' }).first().waitFor();
    await look('overview');
    await open('rpc tasks.add');
    await button('Send').click();
    await answer().getByText('200', { exact: true }).waitFor();
    await look('operation');
    await page.getByRole('banner').getByRole('button', { name: 'Authenticate' }).click();
    await page.getByRole('dialog').waitFor();
    await look('dialog');
    expect(found).toEqual([]);
  });
});
