// Somebody signs in to an app of the packed package in a browser: passwords, sessions, protection against other sites.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { installFw, temporaryDirectory } from './packed.js';

const app = `
import { App, Context, FwError, SseEvent } from 'fw';
import { csrf, csrfToken } from 'fw/csrf';
import { hashPassword, isCommonPassword, signInLimit, verifyPassword } from 'fw/password';
import { MemoryStore, session } from 'fw/session';

const users = new Map([['ada', await hashPassword('correct horse')]]);
const limit = signInLimit({ secure: false, perAccountAndNetwork: 3 });
const store = new MemoryStore();
const form = (ctx, action, fields) => \`<form method="post" action="\${action}">\${fields}
  <input type="hidden" name="_csrf" value="\${csrfToken(ctx)}"><button>Go</button></form>\`;

const app = new App()
  .use(session(store, { secure: false }))
  .use(csrf({ secret: 'a secret of at least 32 bytes, for a test', secure: false, except: ['/leave', '/end-all'] }))
  .requireAuth({ except: ['/', '/sign-in', '/leave', '/end-all', '/common/:password'] })
  .post('/leave', (ctx) => { ctx.session().clear(); return 'left'; })
  .post('/end-all', () => String(store.endAll('ada')))
  .get('/common/:password', async (ctx) => String(await isCommonPassword(ctx.req.param('password'))))
  .get('/events', (ctx) => ctx.sse((async function* () {
    yield SseEvent.data('open');
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
  })()))
  .get('/', (ctx) => ctx.html('<!doctype html><title>home</title><p>' + (ctx.principal()?.id ?? 'nobody') + '</p>'))
  .get('/sign-in', (ctx) => ctx.html('<!doctype html><title>sign in</title>' +
    form(ctx, '/sign-in', '<input name="name"><input name="password" type="password">')))
  .post('/sign-in', Context, async (ctx) => {
    const fields = await ctx.req.formData();
    const name = String(fields.get('name'));
    const password = String(fields.get('password'));
    if (!(await limit(ctx, name, () => verifyPassword(password, users.get(name))))) throw FwError.unauthorized('wrong');
    ctx.session().signIn(name, { label: 'Chromium' });
    return ctx.redirect('/notes', 303);
  })
  .get('/notes', (ctx) => ctx.html('<!doctype html><title>notes</title><p>notes of ' + ctx.requireAuth().id + '</p>' +
    form(ctx, '/sign-out', '')))
  .post('/notes', async (ctx) => {
    ctx.session().set('note', (await ctx.req.json()).text);
    return { text: ctx.session().get('note') };
  })
  .post('/sign-out', (ctx) => { ctx.session().clear(); return ctx.redirect('/', 303); });

const server = await app.listen(0);
console.log(server.url);
`;

describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
  let browser: Browser;
  let url: string;
  const stop: (() => unknown)[] = [];

  beforeAll(async () => {
    const directory = temporaryDirectory();
    installFw(directory);
    writeFileSync(join(directory, 'app.mjs'), app);
    const server = spawn(process.execPath, ['app.mjs'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop.push(async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    });
    const [line] = await once(server.stdout, 'data');
    url = String(line).trim();
    browser = await launchBrowser();
    stop.push(() => browser.close());
  });

  afterAll(async () => {
    for (const end of stop.reverse()) await end();
  });

  async function signedIn(): Promise<BrowserContext> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=name]', 'ada');
    await page.fill('[name=password]', 'correct horse');
    await page.click('button');
    await page.waitForURL(`${url}/notes`);
    expect(await page.textContent('p')).toBe('notes of ada');
    return context;
  }

  test('a form signs in, with a cookie that scripts cannot read, and out again', async () => {
    const context = await signedIn();
    const [page] = context.pages();
    const cookie = (await context.cookies()).find(({ name }) => name === 'sid');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', expires: -1 });
    expect(await page?.evaluate('document.cookie')).not.toContain(cookie?.value);
    await page?.click('button');
    await page?.waitForURL(`${url}/`);
    expect(await page?.textContent('p')).toBe('nobody');
    // The cookie of before is worthless.
    await context.addCookies([{ name: 'sid', value: cookie?.value ?? '', url }]);
    expect((await page?.goto(`${url}/notes`))?.status()).toBe(401);
    await context.close();
  });

  test('a wrong password is refused', async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=name]', 'ada');
    await page.fill('[name=password]', 'wrong');
    const [response] = await Promise.all([page.waitForResponse(`${url}/sign-in`), page.click('button')]);
    expect(response.status()).toBe(401);
    await page.close();
  });

  test('the page of a stream is told at once when its session ends', async () => {
    const context = await signedIn();
    const [page] = context.pages();
    const ended = page?.evaluate(`new Promise((resolve) => {
      const events = new EventSource('/events');
      events.onmessage = () => fetch('/end-all', { method: 'POST' });
      events.addEventListener('error', (event) => event.data && (events.close(), resolve(event.data)));
    })`);
    expect(JSON.parse(String(await ended))).toEqual({
      error: 'Unauthorized',
      message: 'the session has ended',
    });
    await context.close();
  });

  test('a form of another site cannot sign anybody out where no guard stands before', async () => {
    const context = await signedIn();
    const [page] = context.pages();
    // Another site, so that the browser does not send the cookie; it would obey one that removes it.
    const evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<title>evil</title><form method="post" action="${url}/leave"><button>Win</button></form>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    await page?.goto(`http://localhost:${(evil.address() as AddressInfo).port}`);
    const [response] = await Promise.all([page?.waitForResponse(`${url}/leave`), page?.click('button')]);
    expect(response?.status()).toBe(200);
    await page?.goto(`${url}/notes`);
    expect(await page?.textContent('p')).toBe('notes of ada');
    evil.close();
    evil.closeAllConnections();
    await context.close();
  });

  test('the list of common passwords comes with the package', async () => {
    const ask = async (password: string) => (await fetch(`${url}/common/${password}`)).text();
    expect(await ask('Password1234!')).toBe('true');
    expect(await ask('correct-horse-battery')).toBe('false');
  });

  test('scripts of the page send the token of the cookie, and are refused without it', async () => {
    const context = await signedIn();
    const [page] = context.pages();
    const post = (header: string) => `
      fetch('/notes', { method: 'POST', body: '{"text":"milk"}', headers: { 'content-type': 'application/json', ${header} } })
        .then(async (response) => [response.status, await response.json()])`;
    const token = `'x-csrf-token': document.cookie.match(/(?:^|; )csrf=([^;]+)/)[1]`;
    expect(await page?.evaluate(post(token))).toEqual([200, { text: 'milk' }]);
    expect(await page?.evaluate(post(''))).toEqual([403, expect.objectContaining({ error: 'Forbidden' })]);
    await context.close();
  });

  test('another site cannot send a form or a fetch in the name of the user', async () => {
    const context = await signedIn();
    const [page] = context.pages();
    // Another port is another origin of the same site, so that the browser does send the cookie.
    const evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<title>evil</title><form method="post" action="${url}/sign-out"><button>Win</button></form>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    await page?.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}`);
    const [response] = await Promise.all([page?.waitForResponse(`${url}/sign-out`), page?.click('button')]);
    expect(response?.status()).toBe(403);
    await page?.goto(`${url}/notes`);
    expect(await page?.textContent('p')).toBe('notes of ada');
    evil.close();
    evil.closeAllConnections();
    await context.close();
  });

  // The last one: all browsers here come from one network.
  test('a browser that has signed in before can do so whatever others try', async () => {
    const own = await signedIn();
    const attempt = async (context: BrowserContext) => {
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(`${url}/sign-in`);
      await page.fill('[name=name]', 'ada');
      await page.fill('[name=password]', 'wrong');
      // The whole navigation, so that nothing of it is under way when the page is closed.
      const [response] = await Promise.all([page.waitForNavigation(), page.click('button')]);
      return response?.status();
    };
    const stranger = await browser.newContext();
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push(await attempt(stranger));
    expect(statuses.at(-1)).toBe(429);
    expect(await attempt(own)).toBe(401);
    for (const context of [own, stranger]) await context.close();
  });
});
