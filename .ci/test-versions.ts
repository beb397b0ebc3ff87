// Goes the way of a user on each Node.js that fw supports: npm run test:versions, or on some: npm run test:versions -- 22
// The packed package is installed, `fw new` makes an app, and its checks, tests and build pass and it answers. The
// executables are packages of npm; the oldest is exactly the one that package.json promises.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

/** The oldest, and the newest of each line that is maintained. */
const VERSIONS = ['20.19.0', '22', '24', '26'];
/** For one command; a whole journey takes a quarter of a minute. */
const PATIENCE = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const versions = process.argv.length > 2 ? process.argv.slice(2) : VERSIONS;
const place = realpathSync(mkdtempSync(join(tmpdir(), 'fw-versions-')));
process.on('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Where executables stay, so that they are downloaded once. */
const nodes = process.env.FW_NODES ?? join(place, 'nodes');
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], { cwd: root });
const tarball = join(place, readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '');

let failed = 0;
for (const version of versions) {
  const start = performance.now();
  const fault = await journey(version).catch((error: unknown) => said(error));
  const seconds = `${((performance.now() - start) / 1000).toFixed(0)} s`;
  if (fault === undefined) console.log(`Node.js ${version}: passes (${seconds})`);
  else console.error(`Node.js ${version}: fails (${seconds})\n${fault}`);
  if (fault !== undefined) failed += 1;
}
if (failed > 0) process.exitCode = 1;

/** @throws Error with the output of the command that fails */
async function journey(version: string): Promise<undefined> {
  const bin = installNode(version);
  const own = join(place, version);
  mkdirSync(join(own, 'tools'), { recursive: true });
  const env = userEnvironment(bin);
  const run = (cwd: string, program: string, ...args: string[]): Promise<string> =>
    promisify(execFile)(program, args, { cwd, env, timeout: PATIENCE, maxBuffer: 1e8 }).then(
      ({ stdout }) => stdout,
    );

  const actual = (await run(own, 'node', '--version')).trim();
  if (actual !== `v${version}` && !actual.startsWith(`v${version}.`))
    throw new Error(`expected Node.js ${version}, got ${actual}`);
  const install = ['install', '--engine-strict', '--prefer-offline', '--no-audit', '--no-fund'];
  await run(join(own, 'tools'), 'npm', ...install, '--prefix', join(own, 'tools'), tarball);
  const fw = join(own, 'tools/node_modules/.bin/fw');
  const help = await run(own, fw, '--help');
  if (!help.includes('fw new')) throw new Error(`fw --help does not name fw new:\n${help}`);
  await run(own, fw, 'new', 'app', '--template', 'basic', '--no-install', '--no-git');
  const app = join(own, 'app');
  await run(app, 'npm', ...install);
  for (const script of ['typecheck', 'test', 'build']) await run(app, 'npm', 'run', script);
  await answers(app, env);
}

/** Starts the app, and asks it for something. */
async function answers(app: string, env: NodeJS.ProcessEnv): Promise<void> {
  const port = await freePort();
  const server = spawn('node', ['--enable-source-maps', 'dist/main.js'], {
    cwd: app,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => server.on('exit', resolve));
  try {
    const answer = await askedFor(`http://127.0.0.1:${port}/hello/Ada`);
    if (answer !== '{"message":"Hello, Ada!"}') throw new Error(`the app answers ${answer}`);
  } finally {
    server.kill('SIGTERM');
  }
  const code = await ended;
  if (code !== 0) throw new Error(`the app ended with ${code} on SIGTERM`);
}

async function askedFor(url: string): Promise<string> {
  for (let left = 100; ; left -= 1) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The folder of the executable, which it downloads unless it is there. */
function installNode(version: string): string {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const bin = join(nodes, version, 'node_modules', name, 'bin');
  if (!existsSync(bin)) {
    const args = ['install', '--silent', '--no-save', '--prefix', join(nodes, version), `${name}@${version}`];
    execFileSync('npm', args, { cwd: place, timeout: PATIENCE });
  }
  return bin;
}

/** The environment without what npm puts there: a user's shell has none of it. */
function userEnvironment(bin: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_(?:registry|cache|userconfig))|NODE_ENV$|INIT_CWD$|FORCE_COLOR$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1', PATH: `${bin}${delimiter}${process.env.PATH}` };
}

/** What a failed command has printed, its last lines. */
function said(error: unknown): string {
  const { message, stdout } = error as Error & { stdout?: string };
  const lines = stripVTControlCharacters([message, stdout].join('\n')).split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-40)
    .map((line) => `  ${line}`)
    .join('\n');
}
