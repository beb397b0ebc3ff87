// `fw doctor`: each thing that it looks at, and whole runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../e2e/free-port.js';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { makeProject } from '../dev/trial-app.js';
import { builtBinary, makeWorkspace } from '../dev/trial-session.js';
import { packageRoot } from '../process/package-root.js';
import { checkPackages } from './check-packages.js';
import { checkNode, checkPorts, checkRoutes } from './examine.js';
import type { Finding } from './finding.js';

let root = '';
afterEach(() => {
  if (root !== '') rmSync(root, { recursive: true, force: true });
});

describe('node', () => {
  it.each([
    [undefined, '20.19.0', 'ok'],
    [undefined, '20.18.9', 'error'],
    ['>=22', '20.19.0', 'error'],
    ['>= 22.1', '22.1.0', 'ok'],
    ['>=22.1', '22.0.9', 'error'],
    ['^20 || >=22', '21.0.0', 'ok'],
  ])('wanted %s, running %s: %s', (wanted, running, status) => {
    expect(checkNode(wanted, running).status).toBe(status);
  });
});

describe('packages', () => {
  const install = (...names: string[]): void => {
    for (const name of names) {
      mkdirSync(join(root, 'node_modules', name), { recursive: true });
      writeFileSync(join(root, 'node_modules', name, 'package.json'), '{"version":"1.0.0"}');
    }
  };
  const look = (dependencies: Record<string, string>): Finding[] =>
    checkPackages(root, { dependencies, engines: {} }, '1.0.0', 'pnpm install');

  it('names those of package.json that are not installed', () => {
    root = makeProject({});
    install('fw');
    const [finding] = look({ fw: '*', zod: '^4', '@a/b': '1' });
    expect(finding).toMatchObject({ status: 'error', fix: 'pnpm install' });
    expect(finding?.message).toBe('zod, @a/b are in package.json and not installed');
    install('zod', '@a/b');
    expect(look({ fw: '*', zod: '^4', '@a/b': '1' })).toMatchObject([{ status: 'ok' }]);
  });

  it.each(['.pnp.cjs', '../.pnp.cjs'])("does not look for those of Yarn's Plug'n'Play, with %s", (file) => {
    root = makeProject({ 'app/package.json': '{}' });
    const dependencies = { fw: '*', zod: '^4' };
    const ofApp = () =>
      checkPackages(join(root, 'app'), { dependencies, engines: {} }, '1.0.0', 'yarn install');
    expect(ofApp()).toMatchObject([{ status: 'error' }]);
    writeFileSync(join(root, 'app', file), '');
    expect(ofApp()).toEqual([
      { check: 'packages', status: 'ok', message: "installed with Yarn's Plug'n'Play" },
    ]);
  });

  it('names peers of the modules of fw that the sources import', () => {
    root = makeProject({
      'src/deep/db.ts': "import { x } from 'fw/kysely';",
      'src/r.ts': 'import("fw/redis")',
    });
    install('fw');
    expect(look({ fw: '*' }).map(({ message, fix }) => [message, fix])).toEqual([
      ['fw/kysely needs kysely, which is not installed', 'npm install kysely'],
      ['fw/kysely needs a driver, and none is installed: pg, mysql2, libsql', 'npm install pg'],
      ['fw/redis needs redis, which is not installed', 'npm install redis'],
    ]);
    install('kysely', 'libsql', 'redis');
    expect(look({ fw: '*' })).toMatchObject([{ status: 'ok' }]);
  });

  it('says that another fw runs than that of the app', () => {
    root = makeProject({});
    install('fw');
    expect(checkPackages(root, { dependencies: { fw: '*' }, engines: {} }, '2.0.0', '')).toMatchObject([
      { status: 'warning', message: 'this is fw 2.0.0, and the app has fw 1.0.0' },
    ]);
  });
});

it('names the process that uses a port', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const free = await freePort();
  const found = await checkPorts([
    { name: 'backend_port', port, host: '127.0.0.1' },
    { name: 'frontend_port', port: free, host: '127.0.0.1' },
  ]);
  server.close();
  expect(found.map(({ status }) => status)).toEqual(['warning', 'ok']);
  expect(found[0]?.message).toContain(`port ${port} (backend_port) is in use by`);
});

describe('routes', () => {
  const route = (method: string, path: string, more: object = {}) => ({
    method,
    path,
    handler: '',
    extractors: [],
    guards: [],
    middleware: [],
    isDeprecated: false,
    isHidden: false,
    place: 'src/app.ts:1:1',
    ...more,
  });
  const procedure = (name: string, kind: 'query' | 'mutation', more: object = {}) => ({
    name,
    kind,
    input: '',
    output: '',
    types: 'schema' as const,
    method: 'POST',
    path: '/rpc',
    protocol: 'json-rpc' as const,
    guards: [],
    place: '',
    ...more,
  });
  const look = (
    routes: ReturnType<typeof route>[],
    procedures: ReturnType<typeof procedure>[] = [],
  ): Finding => checkRoutes({ routes, procedures, middleware: [], settings: [] } satisfies AppDescription);

  it('that change data and are open, though others are not', () => {
    const guarded = route('GET', '/me', { guards: ['signed in'] });
    expect(look([route('POST', '/a')]).status).toBe('ok');
    expect(look([guarded, route('GET', '/a'), route('POST', '/rpc', { handler: 'mountRpc' })]).status).toBe(
      'ok',
    );
    expect(look([guarded, route('POST', '/a', { isExcepted: true })]).status).toBe('ok');
    const found = look(
      [guarded, route('DELETE', '/a'), route('*', '/b')],
      [procedure('find', 'query'), procedure('set', 'mutation')],
    );
    expect(found).toMatchObject({ status: 'warning' });
    expect(found.message).toBe('anyone may call DELETE /a, ANY /b, set, which may change data');
  });
});

interface Run {
  readonly code: number | null;
  readonly out: string;
}

async function doctor(args: readonly string[] = ['--json']): Promise<Run> {
  const child = spawn(process.execPath, [await builtBinary(), 'doctor', ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', npm_config_user_agent: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [code] = await once(child, 'close');
  return { code, out };
}

/** The processes whose working directory is the folder; where the system does not tell them, none. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // It has ended, or is that of another user.
      return false;
    }
  });
}

const statuses = ({ out }: Run): Record<string, string> =>
  Object.fromEntries(
    (JSON.parse(out) as { findings: Finding[] }).findings.map((one) => [one.check, one.status]),
  );

describe('a whole run', () => {
  it('finds nothing in an app that is in order', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module","devDependencies":{"esbuild":"*"}}',
      'fw.toml': `[dev]\nbackend_port = ${await freePort()}\n`,
      'src/main.ts': "import http from 'node:http'; http.createServer(() => {}).listen(4000);",
    });
    const run = await doctor();
    expect(statuses(run)).toEqual({ node: 'ok', 'fw.toml': 'ok', packages: 'ok', ports: 'ok', routes: 'ok' });
    expect(run.code).toBe(0);
    expect((await doctor([])).out).toMatch(/^✓ node {2}Node\.js [\s\S]*Everything is in order\.\n$/);
  });

  it('says how to fix a fault of fw.toml, and where it is', async () => {
    root = makeWorkspace({ 'package.json': '{}', 'fw.toml': '[dev]\nbackend_prot = 1\n' });
    const { code, out } = await doctor([]);
    expect(code).toBe(1);
    expect(out).toContain(
      "✗ fw.toml  fw.toml:2:1: unknown key 'backend_prot' in [dev]\n  fix: did you mean 'backend_port'?",
    );
    expect(out).toContain('1 error, 0 warnings');
  });

  it('goes on after a fault, and does not start an app without its packages', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module","dependencies":{"gone":"1"}}',
      '.env.example': 'A=1',
      'src/main.ts': 'process.exit(9)',
    });
    const run = await doctor();
    expect(statuses(run)).toMatchObject({ 'fw.toml': 'ok', packages: 'error', '.env': 'warning' });
    expect(statuses(run)).not.toHaveProperty('routes');
    expect(run.code).toBe(1);
  });

  it('leaves neither a folder nor a process of the client that it has looked at', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'tsconfig.json': '{"compilerOptions":{"module":"nodenext","strict":true}}',
      'fw.toml': `[generate]\noutput_path = "client.ts"\n[dev]\nbackend_port = ${await freePort()}\n`,
      'src/main.ts': "import http from 'node:http'; http.createServer(() => {}).listen(4000);",
      'src/generate-client.ts': "throw new Error('there is no client');",
    });
    symlinkSync(join(packageRoot(), 'node_modules/typescript'), join(root, 'node_modules/typescript'));
    const run = await doctor();
    expect(statuses(run)).toMatchObject({ client: 'error', routes: 'ok' });
    expect(run.out).toContain('src/generate-client.ts failed');
    expect(readdirSync(join(root, 'node_modules/.fw'))).toEqual(['inferred.json']);
    expect(processesIn(root)).toEqual([]);
  });

  it('reports an app that does not start', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'src/main.ts': "throw new Error('no database')",
    });
    const { code, out } = await doctor([]);
    expect(code).toBe(1);
    expect(out).toContain('✗ routes  the app did not start: Error: no database');
  });

  it('starts an app whose frontend has not been built', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'fw.toml': `[dev]\nbackend_port = ${await freePort()}\nfrontend_port = ${await freePort()}\n`,
      'web/vite.config.ts': '',
      'node_modules/vite/package.json': '{"bin":"vite.js"}',
      // As serveSpa does, which needs its directory unless a dev server answers.
      'src/main.ts': `import diagnostics from 'node:diagnostics_channel';
        import http from 'node:http';
        const offer = { dir: 'dist/web', fallback: 'index.html' };
        diagnostics.channel('fw:frontend').publish(offer);
        if (!offer.answer) throw new Error('there is no directory dist/web');
        http.createServer(() => {}).listen(4000);`,
    });
    expect(statuses(await doctor())).toMatchObject({ ports: 'ok', routes: 'ok' });
  });

  it.each([
    ['{', 'package.json is not valid JSON'],
    [undefined, 'there is none in'],
  ])('needs the package.json of an app: %s', async (text, message) => {
    root = makeWorkspace({ 'package.json': text ?? '' });
    if (text === undefined) rmSync(join(root, 'package.json'));
    const { code, out } = await doctor([]);
    expect(code).toBe(1);
    expect(out).toContain(message);
  });
});
