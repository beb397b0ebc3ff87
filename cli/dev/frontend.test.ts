// `fw dev` with a frontend: Vite beside the app, pages through the app, and what survives a restart of the app.
import { once } from 'node:events';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { allGone, type DevSession, save } from '../../e2e/dev-session.js';
import { freePort } from '../../e2e/free-port.js';
import { makeWorkspace, startSession } from './trial-session.js';

/** A server that answers like an App with serveSpa, which publishes the offer on the channel. */
const main = (version: number): string => `
  import diagnostics from 'node:diagnostics_channel';
  import http from 'node:http';
  const offer = { dir: 'dist/web', fallback: 'index.html' };
  diagnostics.channel('fw:frontend').publish(offer);
  console.log('the app prints');
  http.createServer(async (request, response) => {
    if (request.url === '/api') return response.end('version ${version}');
    if (request.url === '/pid') return response.end(String(process.pid));
    const { method, url: target, headers } = request;
    const peer = request.socket.remoteAddress;
    const answer = await offer.answer({ method, target, headers, peer, signal: AbortSignal.timeout(10_000) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(4567);`;
const files = {
  'package.json': '{"type":"module"}',
  'src/main.ts': main(1),
  'web/vite.config.ts': 'export default {};',
  'web/index.html':
    '<!doctype html><html><head><title>x</title></head><script type="module" src="/main.ts"></script></html>',
  'web/main.ts': "import { text } from './text.ts';\ndocument.title = text;\nimport.meta.hot?.accept();",
  'web/text.ts': "export const text: string = 'one';",
};
const compilerOptions = {
  strict: true,
  noEmit: true,
  types: ['vite/client'],
  lib: ['es2022', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

let root: string;
let frontendPort: number;
let session: DevSession;
beforeEach(async () => {
  frontendPort = await freePort();
});
afterEach(async () => {
  if (session?.child.exitCode === null && session.child.signalCode === null) await session.end('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function link(name: string): void {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  symlinkSync(folder, join(root, 'node_modules', name));
}

async function start(more: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}): Promise<void> {
  root = makeWorkspace({ ...files, 'fw.toml': `[dev]\nfrontend_port = ${frontendPort}\n`, ...more });
  link('vite');
  link('typescript');
  session = await startSession({ app: root, env });
  await Promise.all([session.says(/web │ .*VITE .* ready/), session.says(/started.* ready in/)]);
}

const get = (
  path: string,
  options: http.RequestOptions = {},
): Promise<http.IncomingMessage & { text: string }> =>
  new Promise((resolve, reject) => {
    const request = http.get({ port: session.port, path, agent: false, ...options }, async (response) => {
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      resolve(Object.assign(response, { text }));
    });
    request.on('error', reject);
  });

/** A client as Vite's, at the address of the app. */
async function openSocket(headers: Record<string, string> = {}): Promise<WebSocket> {
  const client = (await get('/@vite/client')).text;
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
  const socket = new WebSocket(`ws://127.0.0.1:${session.port}/?token=${token}`, 'vite-hmr', { headers });
  const [first] = await once(socket, 'message');
  expect(JSON.parse(String(first))).toEqual({ type: 'connected' });
  return socket;
}

async function update(socket: WebSocket): Promise<string> {
  for (;;) {
    const [message] = await once(socket, 'message');
    const { type } = JSON.parse(String(message));
    if (type === 'update' || type === 'full-reload') return type;
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const socket = net.connect(port, '127.0.0.1');
  return new Promise((settle) => {
    socket.once('connect', () => settle(false)).once('error', () => settle(true));
  }).finally(() => socket.destroy()) as Promise<boolean>;
};

describe('fw dev with a frontend', () => {
  it('answers pages from Vite at its own address, labels both outputs, and ends both', async () => {
    await start();
    const page = await get('/some/view', { headers: { accept: 'text/html' } });
    expect(page.statusCode).toBe(200);
    expect(page.text).toContain('<head><script type="module" src="/_fw/live.js?reload=off"></script>');
    expect(page.text).toContain('/@vite/client');
    expect((await get('/text.ts')).text).toContain('const text = "one"');
    expect((await get('/text.ts')).text).not.toContain('live.js');
    expect((await get('/api')).text).toBe('version 1');
    expect(session.printed()).toContain('app │ the app prints');
    expect(session.printed()).not.toContain(`127.0.0.1:${frontendPort}`);
    const before = session.descendants();
    await session.end('SIGTERM');
    await allGone(before);
    expect(await isFree(frontendPort)).toBe(true);
  });

  it('ends Vite if it is killed itself', async () => {
    await start();
    const before = session.descendants();
    await session.end('SIGKILL');
    await allGone(before);
    expect(await isFree(frontendPort)).toBe(true);
  });

  it('keeps the WebSocket of a page through restarts of the app', async () => {
    await start();
    const socket = await openSocket();
    const worker = Number((await get('/pid')).text);
    const from = save(session, join(root, 'src/main.ts'), main(2));
    await session.says(/ready in/, from);
    expect((await get('/api')).text).toBe('version 2');
    // The socket does not keep the old process, which would wait for it for thirty seconds.
    await allGone([worker]);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    // The module is known to Vite once it was asked for.
    await get('/main.ts');
    await get('/text.ts');
    const updated = update(socket);
    writeFileSync(join(root, 'web/text.ts'), "export const text: string = 'two';");
    expect(await updated).toBe('update');
    const closed = once(socket, 'close');
    await session.end('SIGTERM');
    await closed;
  });

  it('answers other upgrades as Node does for an app without a listener for them', async () => {
    await start();
    const answer = await get('/api', { headers: { connection: 'Upgrade', upgrade: 'h2c' } });
    expect([answer.statusCode, answer.text]).toEqual([200, 'version 1']);
  });

  it('serves nothing of the backend, opens no editor, and answers at no other port', async () => {
    await start({
      'app.db': 'the database',
      'src/accounts.ts': 'export const accounts = 1;',
      'fw.toml': `[dev]\nfrontend_port = ${frontendPort}\nallowed_hosts = ["demo.example"]\n`,
    });
    const stranger = { host: 'demo.example' };
    for (const headers of [{}, stranger]) {
      for (const path of [
        `/@fs${root}/app.db`,
        `/@fs/${root}/app.db?raw`,
        `/@fs${root}/src/accounts.ts?import&raw`,
        `/@fs${root}/node_modules/.fw/workbench-token`,
        `${root}/app.db?raw`,
        `${root}/src/accounts`,
        '/src/../../app.db',
        `/__open-in-editor?file=${root}/web/main.ts`,
      ]) {
        expect([path, (await get(path, { headers })).statusCode]).toEqual([path, 403]);
      }
      expect((await get('/main.ts', { headers })).text).toContain('document.title');
      expect((await get('/@vite/client', { headers })).statusCode).toBe(200);
    }
    for (const path of ['/', '/main.ts', `/@fs${root}/app.db`, '/__open-in-editor?file=/etc/passwd']) {
      expect((await get(path, { port: frontendPort })).statusCode).toBe(403);
    }
    const direct = new WebSocket(`ws://127.0.0.1:${frontendPort}/`, 'vite-ping');
    const [error] = await once(direct, 'error');
    expect(String(error)).toContain('403');
  });

  it('tells strangers of changes, and takes no messages of theirs', async () => {
    await start({ 'fw.toml': `[dev]\nfrontend_port = ${frontendPort}\nallowed_hosts = ["demo.example"]\n` });
    await get('/main.ts');
    await get('/text.ts');
    const socket = await openSocket({ 'x-forwarded-for': '203.0.113.7' });
    const messages: string[] = [];
    socket.on('message', (message) => messages.push(String(message)));
    const data = { name: 'fetchModule', id: 'send', data: [`${root}/src/main.ts?raw`] };
    socket.send(JSON.stringify({ type: 'custom', event: 'vite:invoke', data }));
    const updated = update(socket);
    writeFileSync(join(root, 'web/text.ts'), "export const text: string = 'two';");
    expect(await updated).toBe('update');
    expect(messages.join()).not.toContain('vite:invoke');
    socket.terminate();
  });

  it('checks the types of the frontend when one of its files changes', async () => {
    await start({ 'web/tsconfig.json': JSON.stringify({ compilerOptions, include: ['.'] }) });
    const from = save(session, join(root, 'web/text.ts'), 'export const text: string = 1;');
    await session.says(/types: 1 error[\s\S]*TS2322[\s\S]*web\/text\.ts:1:14/, from);
    const fixed = save(session, join(root, 'web/text.ts'), "export const text: string = '1';");
    await session.says(/types: no errors/, fixed);
    expect(session.printed().slice(from)).not.toContain('ready in');
  });

  it('says that Vite has ended, and how', async () => {
    const ending = `{ name: 'ending', configureServer(server) { server.middlewares.use('/end', (_, response) => response.end('', () => process.exit(3))); } }`;
    await start({ 'web/vite.config.ts': `export default { plugins: [${ending}] };` });
    await get('/end');
    await session.says(
      /the frontend's dev server exited with code 3; it starts again at the next change of its files or packages$/m,
    );
    expect((await get('/api')).text).toBe('version 1');
  });

  it('starts a Vite that has not started again when its configuration is fixed, or packages change', async () => {
    await start({ 'web/part.ts': 'export const plugins = [];' });
    const config = join(root, 'web/vite.config.ts');
    const from = session.printed().length;
    // At once: Vite may read a file while it is written, and takes an empty one for a configuration that is wrong.
    writeFileSync(
      `${root}.next`,
      "import { plugins } from './part.ts';\nif (!globalThis.process.env.FIXED) process.exit(4);\nexport default { plugins };",
    );
    renameSync(`${root}.next`, config);
    await session.says(/the frontend's dev server exited with code 4/, from);
    const env = save(session, join(root, 'package.json'), '{"type":"module","version":"1.0.1"}');
    await session.says(/the frontend's dev server exited with code 4/, env);
    const fixed = save(session, config, 'export default {};');
    await session.says(/web │ .*VITE .* ready/, fixed);
    await expect.poll(async () => (await get('/')).statusCode).toBe(200);
  });
});

describe('a frontend that cannot be served', () => {
  async function failure(
    more: Record<string, string>,
    linked: readonly string[] = ['vite'],
  ): Promise<string> {
    root = makeWorkspace({ ...files, ...more });
    for (const name of linked) link(name);
    session = await startSession({ app: root, until: /help:/ });
    await once(session.child, 'close');
    expect(session.child.exitCode).toBe(1);
    return session.printed();
  }

  it('because its port is in use', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    const text = await failure({ 'fw.toml': `[dev]\nfrontend_port = ${port}\n` });
    server.close();
    expect(text).toContain(`port ${port}, the frontend_port of fw.toml, is in use by`);
    expect(text).toContain(`(pid ${process.pid})`);
  });

  it('because there is no configuration of Vite', async () => {
    const text = await failure({ 'fw.toml': '[dev]\nfrontend_port = 5173\nfrontend_path = "page"\n' });
    expect(text).toContain('there is no vite.config.ts in page, which is the frontend');
    expect(text).toContain('name its folder in fw.toml: [dev] frontend_path');
  });

  it('because Vite is not installed', async () => {
    const text = await failure({ 'fw.toml': '[dev]\nfrontend_port = 5173\n' }, []);
    expect(text).toContain('vite is not installed, with which the frontend in web is served');
    expect(text).toContain('npm install --save-dev vite');
  });
});
