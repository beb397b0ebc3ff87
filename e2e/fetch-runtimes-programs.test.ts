// Programs on Bun, on Deno and in workerd, with what is special there: bundles, global scope, platform and shutdown.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  areInstalled,
  endPrograms,
  type Program,
  startScript,
  startWorker,
} from './fetch-runtimes/programs.js';

afterEach(endPrograms);

describe.skipIf(!areInstalled && process.env.CI === undefined)('a Worker', () => {
  it('sends compressed bodies as they are, and those of its own Responses as they say', async () => {
    const { url } = await startWorker(`
      import { gzipSync } from 'node:zlib';
      import { App } from 'fw';
      import { compression } from 'fw/compression';
      const own = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' };
      const text = 'the body of a Worker '.repeat(200);
      const compressed = new App().use(compression())
        .get('/text', () => text)
        .get('/stream', (ctx) => ctx.stream((async function* () { yield text; })(), 'text/plain'))
        .get('/own', () => new Response(text));
      export default new App().route('/compressed', compressed)
        .get('/manual', () => new Response(gzipSync(text), { headers: own, encodeBody: 'manual' }))
        .get('/automatic', () => new Response(text, { headers: own }));`);
    for (const path of ['compressed/text', 'compressed/stream', 'compressed/own', 'manual', 'automatic']) {
      const response = await fetch(`${url}/${path}`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect([path, response.headers.get('content-encoding')]).toEqual([path, 'gzip']);
      // fetch has decoded it once.
      expect(await response.text()).toBe('the body of a Worker '.repeat(200));
    }
  });

  it('starts with a WebSocket route, which is answered 426', async () => {
    const { url } = await startWorker(`
      import { App } from 'fw';
      import { websocket } from 'fw/websocket';
      export default new App().websocket('/live', websocket({ onMessage() {} })).get('/', () => 'up');`);
    expect(await (await fetch(url)).text()).toBe('up');
    expect((await fetch(`${url}/live`)).status).toBe(426);
  });

  it('prints errors of handlers, and starts with procedures without schemas', async () => {
    const program = await startWorker(`
      import { App } from 'fw';
      import { RpcRegistry } from 'fw/rpc';
      export default new App()
        .get('/fails', () => { throw new Error('a broken handler'); })
        .mountRpc('/rpc', new RpcRegistry().query('multiply', ({ a, b }: { a: number; b: number }) => a * b));`);
    expect(program.printed()).toContain('multiply');
    expect((await fetch(`${program.url}/fails`)).status).toBe(500);
    await program.whenPrinted('GET /fails → 500 Error: a broken handler');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'multiply', params: { a: 6, b: 7 } });
    const call = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    expect(await (await fetch(`${program.url}/rpc`, call)).json()).toMatchObject({ result: 42 });
  });

  it('has tools of models by mcpHandler, also those that ask, and names it where mountMcp is not', async () => {
    const { url } = await startWorker(`
      import { App } from 'fw';
      import { mcpHandler } from 'fw/mcp';
      import { RpcRegistry } from 'fw/rpc';
      const rpc = new RpcRegistry()
        .queryWithTypes('add', ({ a, b }: { a: number; b: number }) => a + b, '{ a: number; b: number }', 'number')
        .mutation('ask', { mcp: { confirm: 'Sure?' } }, () => 'done')
        .mcp();
      export default new App().post('/mcp', mcpHandler(rpc));`);
    const version = '2026-07-28';
    const call = async (path: string, name: string, input: object) => {
      const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
      const _meta = { 'io.modelcontextprotocol/protocolVersion': version, ...capabilities };
      const params = { name, arguments: input, _meta };
      const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': name };
      return await fetch(`${url}/${path}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
    };
    expect(await (await call('mcp', 'add', { a: 1, b: 2 })).json()).toMatchObject({
      result: { structuredContent: 3 },
    });
    expect(await (await call('mcp', 'ask', {})).json()).toMatchObject({
      result: { resultType: 'input_required', requestState: expect.any(String) },
    });
    const mounted = await startWorker(`
      import { App } from 'fw';
      import { RpcRegistry } from 'fw/rpc';
      export default new App().mountMcp('/mcp', new RpcRegistry().query('a', { mcp: true }, () => 1));`);
    expect((await fetch(mounted.url)).status).toBe(500);
    await mounted.whenPrinted("write: app.post('/mcp', mcpHandler(rpc)), with mcpHandler of fw/mcp");
  });

  it('starts with a subscriber too, which gets the errors', async () => {
    const program = await startWorker(`
      import { App } from 'fw';
      import { RpcRegistry } from 'fw/rpc';
      import { subscribe } from 'fw/tracing';
      subscribe(({ level, message }) => console.log('told', level, message));
      export default new App()
        .get('/fails', () => { throw new Error('a broken handler'); })
        .mountRpc('/rpc', new RpcRegistry().query('multiply', ({ a, b }: { a: number; b: number }) => a * b));`);
    await fetch(`${program.url}/fails`);
    await program.whenPrinted('told error GET /fails failed: a broken handler');
    expect(program.printed()).not.toContain('→ 500');
  });

  it('checks tokens of an OIDC provider, and follows no redirect to other keys', async () => {
    const asked: (string | undefined)[] = [];
    const provider = createServer((request, response) => {
      asked.push(request.url);
      if (request.url === '/moved') response.writeHead(302, { Location: '/keys' }).end();
      else response.setHeader('Content-Type', 'application/json').end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    const { url } = await startWorker(`
      import { App } from 'fw';
      import { Jwt } from 'fw/oidc';
      const jwt = (path) => Jwt.jwks('http://127.0.0.1:${port}' + path).issuer('https://id.example').audience('shop');
      const under = (path) => new App().use(jwt(path).build()).get('/', () => 'in');
      export default new App().route('/right', under('/keys')).route('/moved', under('/moved'));`);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'RS256', kid: 'a' })}.${part({ iss: 'https://id.example' })}.AAAA`;
    const status = async (path: string) =>
      (await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await status('/right')).toBe(401);
    expect(await status('/moved')).toBe(503);
    expect(asked).toEqual(['/keys', '/moved']);
    provider.close();
  });

  it('serves the page about its API from a bundle', async () => {
    const { url } = await startWorker(`
      import { App } from 'fw';
      import { RpcRegistry } from 'fw/rpc';
      import { docsPage } from 'fw/docs-page';
      const app = new App().get('/', () => 'hi').mountRpc('/rpc', new RpcRegistry().query('now', () => 1));
      export default app.serveDocs('/docs', app, { title: 'A', version: '1', page: docsPage });`);
    const document = await (await fetch(`${url}/docs/openapi.json`)).json();
    expect(Object.keys((document as { paths: object }).paths)).toEqual(['/', '/rpc']);
    for (const [name, start] of [
      ['page.js', /\bimport|const|var|let/],
      ['page.css', /\{/],
    ] as const) {
      const response = await fetch(`${url}/docs/${name}`);
      expect([name, response.status]).toEqual([name, 200]);
      expect(await response.text()).toMatch(start);
    }
  });

  it('gives handlers its bindings, its context and the Request with cf', async () => {
    const program = await startWorker(`
      import { App } from 'fw';
      declare module 'fw' {
        interface Register { platform: { env: { GREETING: string }; ctx: { waitUntil(work: Promise<unknown>): void } } }
      }
      const inner = { fetch: (_request: Request, env: { GREETING: string }) => new Response(env.GREETING) };
      export default new App().mount('/mounted', inner).get('/', ({ platform: { env, ctx, request } }) => {
        ctx.waitUntil(Promise.resolve().then(() => console.log('waited for')));
        return [env.GREETING, 'cf' in request];
      });`);
    expect(await (await fetch(program.url)).json()).toEqual(['hello from a binding', true]);
    await program.whenPrinted('waited for');
    expect(await (await fetch(`${program.url}/mounted`)).text()).toBe('hello from a binding');
  });

  it('takes the address of a client from the field that the platform sets', async () => {
    const { url } = await startWorker(`
      import { App } from 'fw';
      export default new App().trustProxy({ header: 'cf-connecting-ip' }).get('/', (ctx) => [ctx.clientIp()]);`);
    const headers = { 'CF-Connecting-IP': '192.0.2.1', 'X-Forwarded-For': '6.6.6.6' };
    expect(await (await fetch(url, { headers })).json()).toEqual(['192.0.2.1']);
  });

  it('hands over a WebSocket of its own, behind middleware', async () => {
    const { url } = await startWorker(`
      import { App, Cookie } from 'fw';
      function echo() {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.addEventListener('message', ({ data }) => server.send('echo ' + data));
        return new Response(null, { status: 101, webSocket: client });
      }
      export default new App()
        .use(async (ctx, next) => (ctx.req.query('closed') ? ctx.text('closed', 403) : next()))
        .get('/live', (ctx) => { ctx.setCookie(new Cookie('seen', 'yes')); return echo(); })
        .mount('/mounted', echo);`);
    for (const path of ['/live', '/mounted']) {
      const socket = new WebSocket(url.replace('http', 'ws') + path);
      const [message] = (await once(
        socket.on('open', () => socket.send('hi')),
        'message',
      )) as [Buffer];
      expect(`${message}`).toBe('echo hi');
      socket.close();
    }
    const refused = new WebSocket(`${url.replace('http', 'ws')}/live?closed=1`);
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('403');
    const [, answer] = (await once(new WebSocket(`${url.replace('http', 'ws')}/live`), 'upgrade').then(
      ([response]) => [0, response],
    )) as [number, { headers: Record<string, unknown> }];
    expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('seen=yes')]);
  });

  it('is bundled with fw/kysely and no driver', async () => {
    const source = `
      import { App } from 'fw';
      import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
      import { kyselyFromUrl, transactional } from 'fw/kysely';
      const dialect = {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      };
      const urls = ['postgres://u@127.0.0.1/d', 'mysql://u@127.0.0.1/d', ':memory:'];
      export default new App().withKysely(new Kysely({ dialect }))
        .get('/', (ctx) => ctx.db().selectFrom('notes').selectAll().execute())
        .get('/drivers', () => Promise.all(urls.map((url) => kyselyFromUrl(url).catch(({ message }) => message))));`;
    const { url } = await startWorker(source, { packages: ['kysely'] });
    expect(await (await fetch(url)).json()).toEqual([]);
    const missing = 'kyselyFromUrl needs a package that is not installed; run: npm install';
    expect(await (await fetch(`${url}/drivers`)).json()).toEqual([
      `${missing} pg@8`,
      `${missing} mysql2@3`,
      `${missing} libsql@0.5`,
    ]);
  });

  it('is bundled with fw/drizzle and no driver', async () => {
    const source = `
      import { App } from 'fw';
      import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
      import { drizzle } from 'drizzle-orm/d1';
      import { drizzleFromUrl, isUniqueViolation, migrateToLatest, transactional } from 'fw/drizzle';
      const notes = sqliteTable('notes', { text: text().notNull() });
      const answer = { success: true, meta: {}, results: [{ text: 'from D1' }] };
      const statement = { bind: () => statement, all: async () => answer, raw: async () => [['from D1']] };
      const db = drizzle({ prepare: () => statement }, { schema: { notes } });
      const said = ({ code, message }) => code + ' ' + message;
      export default new App().withDrizzle(db)
        .get('/', (ctx) => ctx.db().select().from(notes))
        .get('/drivers', () => Promise.all([
          drizzleFromUrl('file:data.db', { schema: { notes } }).catch(said),
          migrateToLatest(db, { migrationsFolder: 'drizzle' }).catch(said),
          typeof transactional + ' ' + isUniqueViolation(new Error()),
        ]));`;
    const { url } = await startWorker(source, { packages: ['drizzle-orm'] });
    expect(await (await fetch(url)).json()).toEqual([{ text: 'from D1' }]);
    expect(await (await fetch(`${url}/drivers`)).json()).toEqual([
      expect.stringMatching(
        /^FW_RUNTIME drizzleFromUrl\(\) does not work on Workers; make the database with/,
      ),
      expect.stringMatching(/^FW_RUNTIME migrateToLatest\(\) does not work on Workers; migrate before/),
      'function false',
    ]);
  });

  it('says what to use for what it does not have', async () => {
    const { url } = await startWorker(`
      import { App } from 'fw';
      import { listen } from 'fw/bun';
      const said = [];
      for (const wrong of [
        () => new App().listen(3000),
        () => listen(new App(), 3000),
        () => new App().serveStatic('/assets', './public'),
        () => new App().serveSpa('./public', 'index.html'),
        () => new App().serveDocs('/docs', new App()),
      ]) {
        try { await wrong(); } catch ({ code, message }) { said.push(code + ' ' + message); }
      }
      export default new App().get('/', () => said);`);
    const files =
      'Workers have no files; let the platform serve them, with "assets": { "directory": … } in wrangler.jsonc';
    const exported = 'the platform starts the server, so write: export default app';
    expect(await (await fetch(url)).json()).toEqual([
      `FW_RUNTIME app.listen() does not work on Workers; ${exported}`,
      `FW_RUNTIME this process does not run on Bun; ${exported}`,
      `FW_RUNTIME_FILES serveStatic('/assets', './public'): ${files}`,
      `FW_RUNTIME_FILES serveSpa('./public', 'index.html'): ${files}`,
      "FW_RUNTIME serveDocs('/docs'): bundles for Workers have no page by themselves; import { docsPage } from 'fw/docs-page', and give it as the option page",
    ]);
  });
});

describe.skipIf(!areInstalled && process.env.CI === undefined)('a program on Bun', () => {
  it('sends web Responses with the type of their body', async () => {
    const program = startScript(
      'Bun',
      `
      import { App } from 'fw';
      import { listen } from 'fw/bun';
      const form = new FormData();
      form.set('a', '1');
      const bodies = {
        text: () => 'hi', empty: () => '', unicode: () => 'čau', bytes: () => new Uint8Array([0, 200]),
        json: () => new Blob(['{}'], { type: 'application/json' }), form: () => form, query: () => new URLSearchParams('a=1'),
        stream: () => new ReadableStream({ start(to) { to.enqueue('x'); to.close(); } }),
      };
      const app = new App().use(async (ctx, next) => {
        const response = await next();
        ctx.header('X-Seen', response.headers.get('content-type') ?? 'none');
        return response;
      });
      app.get('/own', () => new Response('{}', { headers: { 'Content-Type': 'application/own' } }));
      for (const [name, body] of Object.entries(bodies)) {
        app.get('/' + name, () => new Response(body()));
        app.mount('/mounted/' + name, () => new Response(body()));
      }
      console.log('at ' + (await listen(app, 0)).url + ' ');`,
    );
    const url = await addressOf(program);
    const typeOf = async (path: string) => {
      const response = await fetch(`${url}/${path}`);
      const type = response.headers.get('content-type') ?? 'none';
      expect(response.headers.get('x-seen')).toBe(type);
      await response.arrayBuffer();
      return type.replace(/boundary=.*/, 'boundary=…');
    };
    const expected = {
      text: 'text/plain;charset=utf-8',
      empty: 'none',
      unicode: 'text/plain;charset=utf-8',
      bytes: 'none',
      json: 'application/json;charset=utf-8',
      form: 'multipart/form-data; boundary=…',
      query: 'application/x-www-form-urlencoded;charset=UTF-8',
      stream: 'none',
    };
    for (const [name, type] of Object.entries(expected)) {
      expect([name, await typeOf(name)]).toEqual([name, type]);
      expect([name, await typeOf(`mounted/${name}`)]).toEqual([name, type]);
    }
    expect(await typeOf('own')).toBe('application/own');
  });

  it('answers WebSockets by app.fetch with 426', async () => {
    const program = startScript(
      'Bun',
      `
      import { App } from 'fw';
      import { websocket } from 'fw/websocket';
      const app = new App().websocket('/live', websocket({ onMessage() {} }));
      console.log((await app.fetch(new Request('http://x/live'))).status);`,
    );
    expect(await program.ended).toBe('0');
    expect(program.printed()).toBe('426\n');
  });

  it('says that app.listen() is for Node.js', async () => {
    const program = startScript(
      'Bun',
      `
      import { App } from 'fw';
      const said = ({ code, message }) => console.log(code + ' ' + message);
      await new App().listen(0).catch(said);
      await new App().listenWithShutdown(0, AbortSignal.abort()).catch(said);`,
    );
    expect(await program.ended).toBe('0');
    const remedy = "use listen(app, …), with import { listen } from 'fw/bun'";
    expect(program.printed()).toBe(
      `FW_RUNTIME app.listen() does not work on Bun; ${remedy}\n` +
        `FW_RUNTIME app.listenWithShutdown() does not work on Bun; ${remedy}\n`,
    );
  });
});

describe.skipIf(!areInstalled && process.env.CI === undefined)('a program on Deno', () => {
  it.each([
    ['fw/deno', "console.log('at ' + (await listen(app, 0)).url + ' ');"],
    [
      'app.fetch',
      "Deno.serve({ port: 0, onListen: ({ port }) => console.log('at http://127.0.0.1:' + port + ' ') }, app.fetch);",
    ],
  ])('upgrades to a WebSocket of Deno by %s', async (_way, serve) => {
    const program = startScript(
      'Deno',
      `
      import { App } from 'fw';
      import { listen } from 'fw/deno';
      const app = new App().get('/live', (ctx) => {
        const { request, env } = ctx.platform;
        const { hostname } = env.remoteAddr;
        const { socket, response } = Deno.upgradeWebSocket(request);
        socket.onmessage = ({ data }) => socket.send('echo ' + data + ' ' + hostname);
        return response;
      });
      ${serve}`,
    );
    const url = await addressOf(program);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/live`);
    const [message] = (await once(
      socket.on('open', () => socket.send('hi')),
      'message',
    )) as [Buffer];
    expect(`${message}`).toBe('echo hi 127.0.0.1');
    socket.close();
  });
});

/** What both runtimes get right with fw alone. */
const STREAMS = `
  import { App } from 'fw';
  import { fromConnect } from 'fw/middleware';
  const { listen } = await import('Bun' in globalThis ? 'fw/bun' : 'fw/deno');
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const app = new App().shutdownGracePeriod(100)
    .get('/fails', (ctx) => ctx.stream((async function* () {
      yield 'a';
      await wait(20);
      throw new Error('half-way');
    })(), 'text/plain'))
    .get('/endless', (ctx) => ctx.stream((async function* () {
      try { for (;;) { yield 'x'; await wait(10); } } finally { console.log('the producer has ended'); }
    })(), 'text/plain'))
    .all('/upstream', (ctx) => fetch(ctx.req.query('url')))
    .use(fromConnect((req, res, next) => (req.url === '/connect' ? res.end('<p>text') : next())))
    .get('/connect', () => 'unused');
  const server = await listen(app, 0);
  process.once('SIGTERM', async () => { await server.close(); console.log('closed'); });
  console.log('at ' + server.url + ' ');`;

describe.skipIf(!areInstalled && process.env.CI === undefined).each(['Bun', 'Deno'] as const)(
  '%s',
  (name) => {
    it('reports a stream that fails once, and cuts it', async () => {
      const program = startScript(name, STREAMS);
      const response = await fetch(`${await addressOf(program)}/fails`);
      await expect(response.text()).rejects.toThrow();
      await program.whenPrinted('GET /fails → 200, cut off: Error: half-way');
      program.kill('SIGTERM');
      expect(await program.ended).toBe('0');
      expect(program.printed().match(/error/gi)).toHaveLength(1);
    });

    it('cuts endless streams at the end of the grace period, and exits', async () => {
      const program = startScript(name, STREAMS);
      const response = await fetch(`${await addressOf(program)}/endless`);
      program.kill('SIGTERM');
      await expect(response.text()).rejects.toThrow();
      expect(await program.ended).toBe('0');
      expect(program.printed()).toContain('the producer has ended');
      expect(program.printed()).toContain('closed');
      expect(program.printed()).not.toMatch(/error/i);
    });

    it('passes on the decoded body of fetch, without its coding', async () => {
      const text = 'the text of the upstream '.repeat(20);
      const upstream = createServer((_request, response) => {
        response
          .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' })
          .end(gzipSync(text));
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      const { port } = upstream.address() as AddressInfo;
      const url = await addressOf(startScript(name, STREAMS));
      const response = await fetch(`${url}/upstream?url=http://127.0.0.1:${port}/`);
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(await response.text()).toBe(text);
      upstream.close();
    });

    it('sends what middleware of Connect writes without a type as it is', async () => {
      const response = await fetch(`${await addressOf(startScript(name, STREAMS))}/connect`);
      expect(response.headers.get('content-type')).toBeNull();
      expect(await response.text()).toBe('<p>text');
    });
  },
);

/** The address that a program has printed. */
async function addressOf(program: Program): Promise<string> {
  await program.whenPrinted(' \n');
  return /at (\S+)/.exec(program.printed())?.[1] ?? '';
}
