// The generated client in both modes and in both forms: in Chromium under a strict Content-Security-Policy, and in
// Node, Bun and Deno over a port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { runtimes } from './fetch-runtimes/runtimes.js';
import { run, scaffold } from './packed.js';

const procedures = `
import { once } from 'node:events';
import { type RpcMode, JsonRpcError, RpcRegistry, tracked } from 'fw/rpc';
import { z } from 'zod';

const users = new Map([['1', { id: '1', name: 'Ada' }]]);
const waiting = new EventTarget();
const begun = once(waiting, 'begun');
const ended = once(waiting, 'ended');
const left = once(waiting, 'left');

export function registry(mode: RpcMode): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .defineType('User', '{ id: string; name: string }')
    .queryWithTypes('users.get', ({ id }: { id: string }) => {
      const user = users.get(id);
      if (user === undefined) throw new JsonRpcError(404, \`there is no user \${id}\`, { id });
      return user;
    }, '{ id: string }', 'User')
    .queryWithTypes('sum', ({ of }: { of: number[] }) => of.reduce((a, b) => a + b, 0), '{ of: number[] }', 'number')
    .queryWithTypes('echo', (input) => input, '{ name: string | null; page: number | null }', '{ name: string | null; page: number | null }')
    .queryWithTypes('find', (input: unknown) => ({ isNull: input === null }), '{ name: string } | null', '{ isNull: boolean }')
    .mutationWithTypes('rename', (user: { id: string; name: string }) => {
      users.set(user.id, user);
    }, '{ id: string; name: string }', 'void')
    .queryWithTypes('slow', async (_input: unknown, { signal }: { signal: AbortSignal }) => {
      waiting.dispatchEvent(new Event('begun'));
      await once(signal, 'abort');
      waiting.dispatchEvent(new Event('ended'));
    }, 'void', 'void')
    .mutation('buy', {
      input: z.object({ count: z.number() }),
      errors: {
        outOfStock: z.object({ left: z.number(), at: z.date().optional() }),
        closed: { status: 409, description: 'The shop is closed.' },
      },
    }, ({ count }, { errors }) => {
      const stock = { left: 2, at: new Date(0), supplier: 'secret' };
      if (count > 2) throw errors.outOfStock(stock);
      if (count < 0) throw errors.outOfStock({ left: 'many' } as never);
      throw errors.closed();
    })
    .subscriptionWithTypes('ticks', async function* ({ to }: { to: number }, { signal, lastEventId }) {
      for (let n = Number(lastEventId ?? 0) + 1; n <= to; n++) yield tracked(String(n), { n });
      if (to < 9) return;
      await once(signal, 'abort').finally(() => waiting.dispatchEvent(new Event('left')));
    }, '{ to: number }', '{ n: number }')
    .mutation('upload', { input: z.object({ title: z.string(), files: z.array(z.file()) }) }, async ({ title, files }) => {
      return { title, texts: await Promise.all(files.map(async (file) => [file.name, file.type, await file.text()])) };
    })
    .queryWithTypes('left', async () => (await left).length, 'void', 'number')
    .queryWithTypes('begun', async () => (await begun).length, 'void', 'number')
    .queryWithTypes('ended', async () => (await ended).length, 'void', 'number');
}
`;

const server = `
import { App } from 'fw';
import { securityHeaders } from 'fw/middleware';
import { RpcMode } from 'fw/rpc';
import { registry } from './procedures.ts';

const app = new App()
  .use(securityHeaders({ csp: "default-src 'self'" }))
  .get('/', (ctx) => ctx.html('<!doctype html><script type="module" src="/assets/page.js"></script>'))
  .serveStatic('/assets', 'public')
  .mountRpc('/rpc', registry(RpcMode.JsonRpc))
  .mountRest('/api', registry(RpcMode.Rest));
console.log((await app.listen(0)).url);
`;

/** The same calls in every environment, and their results. */
const journey = `
export async function journey(client, isTyped, isErrorOf) {
  const described = (error) => {
    const { name, message, code, data, status, body } = error;
    return { isTyped: isTyped(error), name, message, code, data, status, body };
  };
  const results = {};
  // The client sends that field too, in another case.
  await client.rename({ id: '1', name: 'Ünal & söhne?' }, { headers: { 'content-type': 'application/json' } });
  results.renamed = await client.users.get({ id: '1' });
  results.sum = await client.sum({ of: [1, 2.5, 1e3] }, { timeoutMs: Infinity });
  results.nulls = [await client.echo({ name: null, page: 2 }), await client.echo({ name: '', page: null })];
  results.found = [await client.find(null), await client.find({ name: 'Ada' })];
  results.refused = await client.users.get({ id: '9' }).catch(described);
  results.invalid = await client.rename({ id: '1' }).catch(described);
  const declared = (error) => {
    if (!isErrorOf(error, 'buy')) return error.message;
    return { error: error.error, status: error.status, isOther: isErrorOf(error, 'rename') };
  };
  results.outOfStock = await client.buy({ count: 3 }).catch(declared);
  results.closed = await client.buy({ count: 1 }).catch(declared);
  results.mismatch = await client.buy({ count: -1 }).catch(declared);
  const controller = new AbortController();
  const slow = client.slow({ signal: controller.signal }).catch(described);
  await client.begun();
  controller.abort();
  results.aborted = await slow;
  // The server's handler noticed it too.
  results.ended = await client.ended();
  results.late = await client.slow({ timeoutMs: 20 }).catch(described);
  const files = [new File(['a'], 'ä.txt', { type: 'text/plain' }), new Blob(['b'])];
  results.uploaded = await client.upload({ title: 'two', files });
  results.ticks = [];
  for await (const { n } of client.ticks({ to: 3 }, { lastEventId: '1' })) results.ticks.push(n);
  for await (const { n } of client.ticks({ to: 9 })) {
    if (n === 9) break;
  }
  results.left = await client.left();
  const ticks = client.ticks({ to: 'many' });
  results.noTicks = await ticks.next().catch((error) => isTyped(error));
  if (client.batch === undefined) return results;
  results.batch = await client.batch([
    { method: 'sum', params: { of: [1] } },
    { method: 'users.get', params: { id: '9' } },
    { method: 'buy', params: { count: 3 } },
  ]);
  await client.notify('rename', { id: '1', name: 'Ada' });
  results.notified = (await client.users.get({ id: '1' })).name;
  return results;
}
`;

const page = `
import * as jsonrpc from '../public/jsonrpc.js';
import * as rest from '../public/rest.js';
import { journey } from '../public/journey.js';

window.journeys = {
  jsonrpc: () => journey(new jsonrpc.FwRpcClient('/rpc'), (error) => error instanceof jsonrpc.JsonRpcClientError, jsonrpc.isErrorOf),
  rest: () => journey(new rest.FwRpcClient('/api'), (error) => error instanceof rest.FwRpcHttpError, rest.isErrorOf),
};
document.body.setAttribute('data-ready', '');
`;

/** For other runtimes: prints the results. */
const runner = `
import { journey } from './journey.js';
const [mode, url] = globalThis.process.argv.slice(2);
const { FwRpcClient, JsonRpcClientError = class {}, FwRpcHttpError = class {}, isErrorOf } = await import('./' + mode + '.js');
const client = new FwRpcClient(url + (mode === 'rest' ? '/api' : '/rpc'));
const isTyped = (error) => error instanceof JsonRpcClientError || error instanceof FwRpcHttpError;
console.log(JSON.stringify(await journey(client, isTyped, isErrorOf)));
`;

const base = {
  renamed: { id: '1', name: 'Ünal & söhne?' },
  sum: 1003.5,
  found: [{ isNull: true }, { isNull: false }],
  nulls: [
    { name: null, page: 2 },
    { name: '', page: null },
  ],
  aborted: { isTyped: false, name: 'AbortError' },
  ended: 1,
  uploaded: {
    title: 'two',
    texts: [
      ['ä.txt', 'text/plain', 'a'],
      ['blob', 'application/octet-stream', 'b'],
    ],
  },
  ticks: [2, 3],
  left: 1,
  noTicks: true,
  late: { isTyped: false, message: 'no answer within 20 ms' },
};
/** Bun says the charset of a file, and names no blob. */
const ofBun = {
  title: 'two',
  texts: [
    ['ä.txt', 'text/plain;charset=utf-8', 'a'],
    ['', 'application/octet-stream', 'b'],
  ],
};
/** Of the data, only what its schema knows; a Date is a string, as in results. */
const outOfStock = {
  code: -32000,
  message: 'out of stock',
  name: 'outOfStock',
  data: { left: 2, at: '1970-01-01T00:00:00.000Z' },
};
const closed = { code: -32000, message: 'The shop is closed.', name: 'closed' };
const noUser = { code: 404, message: 'there is no user 9', data: { id: '9' } };
const expected = {
  jsonrpc: {
    ...base,
    refused: { isTyped: true, name: 'JsonRpcClientError', ...noUser },
    invalid: { isTyped: true, code: -32602, message: expect.stringContaining('Invalid input: ') },
    batch: [{ result: 1 }, { error: noUser }, { error: outOfStock }],
    outOfStock: { error: outOfStock, isOther: false },
    closed: { error: closed, isOther: false },
    mismatch: 'Internal error',
    notified: 'Ada',
  },
  rest: {
    ...base,
    refused: { isTyped: true, status: 400, body: { error: 'BadRequest', ...noUser } },
    outOfStock: { error: outOfStock, status: 400, isOther: false },
    closed: { error: closed, status: 409, isOther: false },
    mismatch: 'HTTP 500: Internal Server Error',
    invalid: { isTyped: true, status: 400, body: { message: expect.stringContaining('Invalid input: ') } },
  },
};
const modes = ['jsonrpc', 'rest'] as const;

describe.each(['standalone', 'import'] as const)('the clients of one app, in the form %s', (form) => {
  let app: string;
  let browser: Browser | undefined;
  const stop: (() => unknown)[] = [];

  beforeAll(async () => {
    app = await scaffold({ template: 'rpc', name: `clients-${form}` });
    const write = (path: string, text: string) => writeFileSync(join(app, path), text);
    write('src/procedures.ts', procedures);
    write('src/server.ts', server);
    mkdirSync(join(app, 'public'));
    write('public/package.json', '{ "type": "module" }');
    write('public/journey.js', journey);
    write('public/run.js', runner);
    write('src/page.js', page);
    write('fw.toml', `[generate]\nclient = "${form}"\n`);
    for (const mode of modes) {
      write(
        'src/generate-client.ts',
        `import { registry } from './procedures.ts';\nawait registry('${mode}').generateClientFile(process.argv[2] ?? '');\n`,
      );
      const binary = join(app, 'node_modules/fw/dist/cli/main.js');
      const made = await run(process.execPath, [binary, 'generate', '-o', `public/${mode}.js`], { cwd: app });
      expect(made).toMatchObject({ exitCode: 0, stderr: '' });
      const text = readFileSync(join(app, `public/${mode}.js`), 'utf8');
      expect(text.includes('from "fw/client"')).toBe(form === 'import');
    }
    // As a bundler of a frontend does.
    await build({
      entryPoints: [join(app, 'src/page.js')],
      outfile: join(app, 'public/page.js'),
      bundle: true,
      format: 'esm',
      platform: 'browser',
    });
  });

  afterAll(async () => {
    for (const end of stop.reverse()) await end();
  });

  /** A separate server for each journey, because its procedures wait only once. */
  async function serve(): Promise<string> {
    const child = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'src/server.ts'], {
      cwd: app,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop.push(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    });
    const [line] = await once(child.stdout, 'data');
    return String(line).trim();
  }

  test.each(modes)('make all calls in Node: %s', async (mode) => {
    const url = await serve();
    const load = (name: string) => import(pathToFileURL(join(app, `public/${name}.js`)).href);
    const {
      FwRpcClient,
      JsonRpcClientError = class {},
      FwRpcHttpError = class {},
      isErrorOf,
    } = await load(mode);
    const { journey } = await load('journey');
    const client = new FwRpcClient(url + (mode === 'rest' ? '/api' : '/rpc'));
    const isTyped = (error: unknown) =>
      error instanceof JsonRpcClientError || error instanceof FwRpcHttpError;
    const results = await journey(client, isTyped, isErrorOf);
    expect(results).toMatchObject(expected[mode]);
    expect(results.outOfStock.error).toEqual(outOfStock);
  });

  const others = (['Bun', 'Deno'] as const).flatMap((runtime) => {
    const program = runtimes[runtime]?.program;
    return program === undefined ? [] : modes.map((mode) => [runtime, mode, program] as const);
  });
  test.skipIf(others.length === 0).each(others)(
    'make all calls in %s: %s',
    async (runtime, mode, program) => {
      const url = await serve();
      const args = runtime === 'Deno' ? ['run', '--allow-all'] : [];
      const made = await run(program, [...args, 'public/run.js', mode, url], { cwd: app });
      expect(made).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(made.stdout)).toMatchObject({
        ...expected[mode],
        ...(runtime === 'Bun' && { uploaded: ofBun }),
      });
    },
  );

  test.skipIf(noBrowser !== undefined).each(modes)('make all calls in Chromium: %s', async (mode) => {
    const url = await serve();
    if (browser === undefined) {
      browser = await launchBrowser();
      stop.push(() => browser?.close());
    }
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    await page.waitForSelector('[data-ready]', { state: 'attached' });
    expect(await page.evaluate(`journeys.${mode}()`)).toMatchObject(expected[mode]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
