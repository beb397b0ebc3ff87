// What fw dev makes of errors that the app leaves to the framework, with the packed package: the page for browsers, the
// stack for other clients, the lines of the terminal. A server in production has none of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { freePort } from './free-port.js';
import { checkout, installFw, temporaryDirectory } from './packed.js';

const source = (crash: string) => `
import { App, FwError, Json } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { RpcRegistry } from 'fw/rpc';
import { log } from 'fw/tracing';

const db = await kyselyFromUrl(':memory:');
const schema = { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues: [{ message: 'no <b>' }] }) } };
const rpc = new RpcRegistry().query('broken', () => missing.length);

const app = new App()
  .get('/crash', (ctx) => {
    log.info('before the crash', { step: 1, password: 'hush' });
    ${crash}
  })
  .get('/sql', async (ctx) => ctx.json(await db.selectFrom('no_table').selectAll().where('owner', '=', 'ada').execute()))
  .get('/secret-sql', async () => db.selectFrom('no_table').selectAll().where('password', '=', 'hush').execute())
  .post('/checked', Json(schema), () => 'ok')
  .get('/gone', () => {
    throw FwError.unauthorized('sign in');
  })
  .get('/own', (ctx) => ctx.html('<h1>my own page</h1>', 500))
  .route('/handled', new App().onError((error, ctx) => ctx.html('<h1>mine</h1>', 500)).get('/', () => { throw new Error('x'); }))
  .get('/hostile', () => {
    throw new Error('</pre><script>document.title = "taken"</script><img src=x onerror="document.title=1">');
  })
  .mountRpc('/rpc', rpc);
await app.listen(Number(process.env.PORT));
console.log('listening');
`;
const CRASH = "throw new Error('the kettle is empty', { cause: new TypeError('no water') });";

let app: string;
let main: string;
beforeAll(() => {
  app = temporaryDirectory();
  installFw(app);
  for (const name of ['esbuild', 'kysely', 'libsql', '@libsql', '@neon-rs', 'detect-libc']) {
    symlinkSync(join(checkout, 'node_modules', name), join(app, 'node_modules', name));
  }
  mkdirSync(join(app, 'src'));
  main = join(app, 'src/main.js');
  writeFileSync(main, source(CRASH));
});

interface Answer {
  readonly status: number | undefined;
  readonly type: string;
  readonly text: string;
}

describe('under fw dev', () => {
  let session: DevSession;
  beforeAll(async () => {
    session = await startDev({ app });
  });
  let browser: Browser | undefined;
  afterAll(async () => {
    await browser?.close();
    if (session?.child.exitCode === null) await session.end('SIGKILL');
  });

  function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { port: session.port, host: '127.0.0.1', path, headers, agent: false };
      const request = http.request({ ...options, method: body === undefined ? 'GET' : 'POST' });
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, type: response.headers['content-type'] ?? '', text }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  test('other clients get the JSON, with the stack if they are of this machine', async () => {
    const { status, type, text } = await ask('/crash');
    expect([status, type]).toEqual([500, 'application/json']);
    expect(JSON.parse(text)).toEqual({
      error: 'Internal',
      message: 'internal server error',
      stack: [
        'Error: the kettle is empty',
        expect.stringMatching(/^at .*src\/main\.js:14:\d+\)?$/),
        expect.stringMatching(/^… \d+ frames? of packages and of Node\.js$/),
      ],
    });
    const plain = { error: 'Internal', message: 'internal server error' };
    for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]) {
      expect(JSON.parse((await ask('/crash', headers)).text)).toEqual(plain);
    }
    expect(JSON.parse((await ask('/gone')).text)).toEqual({ error: 'Unauthorized', message: 'sign in' });
    // Scripts of pages get data.
    const script = { accept: 'text/html', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect((await ask('/crash', script)).type).toBe('application/json');
  });

  test('what happened is told to the developer alone', async () => {
    const path = `/_fw/error?page=${'0'.repeat(32)}`;
    expect((await ask(path, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403);
    expect((await ask(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    // The page itself has the standard body and nothing else.
    const { text } = await ask('/crash', { accept: 'text/html', 'x-forwarded-for': '203.0.113.7' });
    expect(text).toContain('internal server error');
    expect(text).not.toMatch(/kettle|src\/main/);
  });

  test('what the app answers by itself is left alone', async () => {
    const accept = { accept: 'text/html' };
    expect((await ask('/own', accept)).text).toBe('<h1>my own page</h1>');
    expect((await ask('/handled', accept)).text).toBe('<h1>mine</h1>');
  });

  test('the terminal shows the line of the app with its code, the statement, and the place of a schema', async () => {
    const from = session.printed().length;
    await ask('/sql');
    await session.says(/frames? of packages and of Node\.js[\s\S]*no such table/, from);
    const printed = session.printed().slice(from);
    expect(printed).toMatch(/\n {2}src\/main\.js:\d+:\d+\n/);
    expect(printed).toMatch(/\n {2}> \d+ │ {3}\.get\('\/sql'/);
    expect(printed).toContain(`sql: 'select * from "no_table" where "owner" = ?'`);
    expect(printed).toContain("parameters: [ 'ada' ]");
    expect(printed).not.toMatch(/node_modules|node:internal/);
    await ask('/secret-sql');
    await session.says(/parameters: \[ '••••••' \]/, from);
    expect(session.printed().slice(from)).not.toMatch(/: \[? ?'hush'/);
    await ask('/rpc', { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","method":"broken","id":1}');
    await session.says(
      /procedure 'broken' → 500 ReferenceError: missing is not defined\n {2}src\/main\.js:9:/,
      from,
    );
  });

  describe.skipIf(noBrowser !== undefined)('a browser', () => {
    let page: Page;
    let problems: string[];
    const start = async (): Promise<void> => {
      browser = await launchBrowser();
      page = await browser.newPage();
      problems = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error' && !line.text().startsWith('Failed to load')) problems.push(line.text());
      });
    };

    const open = async (path: string): Promise<string> => {
      if (browser === undefined) await start();
      await page.goto(`http://127.0.0.1:${session.port}${path}`);
      await page.getByRole('main').waitFor();
      return page.getByRole('main').innerText();
    };

    test('gets a page with the message, the code, the causes, the request and its log', async () => {
      const text = await open('/crash?cup=2&token=hush');
      expect(text).toContain('Error: the kettle is empty');
      expect(text).toContain('src/main.js:14:');
      expect(text).toContain("throw new Error('the kettle is empty'");
      expect(text).toContain('Caused by');
      expect(text).toContain('TypeError: no water');
      expect(text).toContain('GET /crash?cup=2&token=•••••• · route /crash');
      expect(text).toMatch(/INFO +before the crash step=1 password=••••••/);
      expect(text).not.toMatch(/=hush/);
      expect(problems).toEqual([]);
    });

    test('is told what to do about what fw knows, and which routes there are', async () => {
      expect(await open('/sql')).toContain('The table is not there.');
      const nowhere = await open('/nowhere');
      expect(nowhere).toContain('no route for GET /nowhere');
      expect(nowhere).toContain('POST   /checked');
      expect(await open('/gone')).toContain('sign in');
    });

    test('shows hostile text as text', async () => {
      expect(await open('/hostile')).toContain('</pre><script>document.title = "taken"</script>');
      expect(await page.title()).toContain('</pre><script>');
      expect(problems).toEqual([]);
    });

    test.each([
      ['light', 1200],
      ['dark', 1200],
      ['light', 360],
      ['dark', 360],
    ] as const)('finds nothing with axe, in %s and %i pixels wide', async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/crash?cup=2', '/nowhere']) {
        await open(path);
        // The policy of the page allows no script that is written into it.
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        expect(violations).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    });

    test('loads the page again when the error is fixed', async () => {
      await open('/crash');
      save(session, main, source("return ctx.html('<h1>tea is ready</h1>');"));
      await page.getByRole('heading', { name: 'tea is ready' }).waitFor();
      save(session, main, source(CRASH));
    });
  });
});

test('a server in production answers with the standard body, and the framework has nothing of the page', async () => {
  const port = await freePort();
  const server = spawn(process.execPath, [main], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  try {
    await once(server.stdout, 'data');
    for (const path of ['/crash', '/sql']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(Object.keys((await answer.json()) as object)).toEqual(['error', 'message']);
    }
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
  // The whole stack, the line of the app in it, and the statement without its parameters.
  expect(printed).toMatch(/FwError: no such table[^\n]*\n[\s\S]*main\.js:\d+:\d+/);
  expect(printed).toContain('node_modules');
  expect(printed).toContain('where "owner" = ?');
  expect(printed).not.toMatch(/'ada'|parameters:/);
  const dist = join(app, 'node_modules/fw/dist/framework');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const texts = files.map((name) => readFileSync(join(dist, name), 'utf8'));
  for (const text of ['fw-error-page', 'Log of this request', 'What to do', '_fw/error']) {
    expect(texts.filter((one) => one.includes(text))).toEqual([]);
  }
});
