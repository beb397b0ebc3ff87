// `fw doctor`: each thing that it looks at, and whole runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../e2e/free-port.js';
import type { AppDescription } from '../../framework/app/description/app-description.js';
import { makeProject } from '../dev/trial-app.js';
import { builtBinary, makeWorkspace } from '../dev/trial-session.js';
import { packageRoot } from '../process/package-root.js';
import { checkPackages, readManifest } from './check-packages.js';
import { checkNode, checkPorts, checkRoutes, checkStart } from './examine.js';
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
    // Ranges of more than one part are those of npm.
    ['>=22 || ^20.19', '20.19.5', 'ok'],
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
    expect(look({ fw: '*', zod: '^4', '@a/b': '1' })).toMatchObject([
      { status: 'ok', message: '3 packages of package.json are installed' },
    ]);
    expect(look({ fw: '*' })).toMatchObject([{ message: '1 package of package.json is installed' }]);
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

  it.each([
    ['kysely', 'kysely', ['pg', 'mysql2', 'libsql']],
    ['drizzle', 'drizzle-orm', ['pg', 'mysql2', '@libsql/client']],
  ])('takes any of the drivers of fw/%s', (module, toolkit, drivers) => {
    for (const driver of drivers) {
      root = makeProject({ 'src/db.ts': `import 'fw/${module}';` });
      install('fw', toolkit);
      expect(look({ fw: '*' })).toMatchObject([
        { message: `fw/${module} needs a driver, and none is installed: ${drivers.join(', ')}` },
      ]);
      install(driver);
      expect([driver, look({ fw: '*' })[0]?.status]).toEqual([driver, 'ok']);
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('looks into all kinds of sources, and not into packages among them', () => {
    const names = ['a.ts', 'b.tsx', 'c.mts', 'd.cts', 'e.js', 'f.mjs', 'g.cjs', 'h.jsx'];
    for (const name of [...names, 'i.md', 'i.tsbuildinfo', 'node_modules/x/index.js']) {
      root = makeProject({ [`src/${name}`]: "import 'fw/redis';" });
      install('fw');
      expect([name, look({ fw: '*' })[0]?.status]).toEqual([name, names.includes(name) ? 'error' : 'ok']);
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('are those of both lists of package.json, whose versions are texts', () => {
    root = makeProject({
      'package.json':
        '{"dependencies":{"a":"1","b":"2","no":1},"devDependencies":{"b":"3","c":"4"},"engines":{"node":">=22","x":1}}',
    });
    expect(readManifest(root)).toEqual({
      dependencies: { a: '1', b: '2', c: '4' },
      engines: { node: '>=22' },
    });
    writeFileSync(join(root, 'package.json'), '{"dependencies":[],"engines":null}');
    expect(readManifest(root)).toEqual({ dependencies: {}, engines: {} });
    writeFileSync(join(root, 'package.json'), '{"dependencies":"zod","engines":1}');
    expect(readManifest(root)).toEqual({ dependencies: {}, engines: {} });
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
    expect(look([guarded, route('POST', '/mcp', { handler: 'mountMcp' })]).status).toBe('ok');
    expect(look([guarded, route('POST', '/a', { isExcepted: true })]).status).toBe('ok');
    const found = look(
      [guarded, route('DELETE', '/a'), route('*', '/b')],
      [procedure('find', 'query'), procedure('set', 'mutation')],
    );
    expect(found).toMatchObject({ status: 'warning' });
    expect(found.message).toBe('anyone may call DELETE /a, ANY /b, set, which may change data');
    expect(look([guarded, route('POST', '/a')])).toMatchObject({
      status: 'warning',
      message: 'anyone may call POST /a, which may change data',
    });
  });

  it('names five of them', () => {
    const guarded = route('GET', '/me', { guards: ['signed in'] });
    const open = (count: number) => Array.from({ length: count }, (_, n) => route('POST', `/${n}`));
    const five = 'anyone may call POST /0, POST /1, POST /2, POST /3, POST /4';
    expect(look([guarded, ...open(5)]).message).toBe(`${five}, which may change data`);
    expect(look([guarded, ...open(7)]).message).toBe(`${five} and 2 more, which may change data`);
  });
});

describe('what an app does at its start', () => {
  const message = (count: number) => {
    const effects = Array.from({ length: count }, () => ({ kind: 'timer' as const }));
    return checkStart(effects, '/app')?.message.replace(/^.*fw doctor: /, '');
  };

  it('is named, up to five of it', () => {
    expect(checkStart([], '/app')).toBeUndefined();
    expect(message(1)).toBe('a timer that runs');
    expect(message(5)?.split(', ')).toEqual(Array(5).fill('a timer that runs'));
    expect(message(7)?.split(', ')).toEqual([...Array(5).fill('a timer that runs'), 'and 2 more']);
    const [file, other] = ['/app/a.log', '/app'].map((path) => checkStart([{ kind: 'file', path }], '/app'));
    expect(file?.message).toMatch(/: a change of a\.log$/);
    expect(other?.message).toMatch(/: a change of \/app$/);
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
    const { code, out } = await doctor([]);
    const marks = ['node', 'fw.toml', 'packages', 'ports', 'routes'].map((check) => `✓ ${check} `);
    expect(out.match(/^. \S+ (?= )/gm)).toEqual(marks);
    expect(out).toMatch(/^✓ node {2}Node\.js [\s\S]*Everything is in order\.\n$/);
    expect(code).toBe(0);
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
    // A process that was stopped takes a moment to end.
    await expect.poll(() => processesIn(root)).toEqual([]);
  });

  it('looks at the contract of an app without a client', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'tsconfig.json': '{"compilerOptions":{"module":"nodenext","strict":true}}',
      'src/main.ts': "import http from 'node:http'; http.createServer(() => {}).listen(4000);",
      'src/rpc-contract.json': '{"stale":true}',
    });
    symlinkSync(join(packageRoot(), 'node_modules/typescript'), join(root, 'node_modules/typescript'));
    const run = await doctor();
    expect(statuses(run)).toMatchObject({ client: 'error' });
    expect(run.out).toContain('"fix":"run fw generate"');
  });

  it('counts the variables of .env', async () => {
    root = makeWorkspace({
      'package.json': '{"dependencies":{"gone":"1"}}',
      '.env.example': 'A=1',
      '.env': '',
    });
    const said = async () => (await doctor([])).out;
    expect(await said()).toContain('✓ .env  0 variables\n');
    writeFileSync(join(root, '.env'), 'A=1\n# no\nB=2\n');
    expect(await said()).toContain('✓ .env  2 variables\n');
  });

  it('names a line of .env that is not read, also without an .env.example', async () => {
    root = makeWorkspace({ 'package.json': '{"dependencies":{"gone":"1"}}', '.env': 'A=1\nB is 2\n' });
    expect((await doctor([])).out).toContain('! .env  .env:2 is not read: write NAME=value');
  });

  it('prints nothing that could control the terminal', async () => {
    root = makeWorkspace({ 'package.json': '{}', 'fw.toml': '[dev]\n"\\u001b[2J" = 1\n' });
    const { out } = await doctor([]);
    expect(out).toContain('[2J');
    expect(out).not.toContain('\u001b');
    // Shown again by the fix.
    writeFileSync(join(root, 'fw.toml'), '[dev]\nport = \u001b[2J\n');
    const { out: said } = await doctor([]);
    expect(said).toContain('fix: correct this line: port = \\x1b[2J');
    expect(said).not.toContain('\u001b');
  });

  it('is not disturbed by what an app prints, lets it end, and starts it again without a bundle', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'fw.toml': `[dev]\nbackend_port = ${await freePort()}\n`,
      'src/main.ts': `import { appendFileSync } from 'node:fs';
        import http from 'node:http';
        console.log('it prints');
        const late: { port: number } = await import(new URL('./late.ts', import.meta.url).href);
        process.once('SIGTERM', () => {
          appendFileSync('ended.log', 'ended ');
          process.exit();
        });
        http.createServer(() => {}).listen(late.port);`,
      'src/late.ts': 'export const port: number = 4000;',
    });
    expect(statuses(await doctor())).toMatchObject({ routes: 'ok' });
    expect(readFileSync(join(root, 'ended.log'), 'utf8')).toBe('ended ');
    expect(existsSync(join(root, 'node_modules/.fw'))).toBe(false);
  });

  it('starts an app with the modules that fw.toml loads before it, and without a bundle if it says so', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'fw.toml': `[dev]\nbackend_port = ${await freePort()}\nbundle = false\npreload = ["./before.mjs"]\n`,
      'before.mjs': 'globalThis.isLoaded = true;',
      'src/main.ts': `import http from 'node:http';
        if (!('isLoaded' in globalThis)) throw new Error('without the module');
        if (!process.execArgv.some((flag) => flag.includes('source-hooks'))) throw new Error('in a bundle');
        http.createServer(() => {}).listen(4000);`,
    });
    expect((await doctor([])).out).toContain('the app starts');
  });

  it('reports an app that does not start', async () => {
    root = makeWorkspace({
      'package.json': '{"type":"module"}',
      'src/main.ts': "throw new Error('no database')",
    });
    const { code, out } = await doctor([]);
    expect(code).toBe(1);
    expect(out).toMatch(/✗ routes {2}the app did not start: Error: no database \(src[\\/]main\.ts:1:7\)/);
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
    const run = await doctor();
    expect(statuses(run)).toMatchObject({ ports: 'ok', routes: 'ok' });
    for (const name of ['backend_port', 'frontend_port']) expect(run.out).toContain(`is free (${name})`);
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
