// What a worker does before and while it runs an app, so that the next one starts faster.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FromWorker, modulesFlag, type ToWorker } from '../../process/messages.js';
import { makeProject, workerFile } from '../trial-app.js';

const listens = "import http from 'node:http'; http.createServer(() => {}).listen(3000);";
/** Functions that nobody calls: they take memory only if they are compiled nevertheless. */
const uncalled = Array.from(
  { length: 500 },
  (_, n) => `export function f${n}(a) { return [a + ${n}, { a }]; }`,
);
const codeSize = "(await import('node:v8')).default.getHeapCodeStatistics().bytecode_and_metadata_size";

let root: string;
let child: ChildProcess;
let messages: FromWorker[];
let output: string;

beforeEach(async () => {
  root = makeProject({});
  messages = [];
  output = '';
  const execArgv = ['--enable-source-maps', modulesFlag];
  child = fork(await workerFile(), { cwd: root, silent: true, execArgv });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  child.on('message', (message) => messages.push(message as FromWorker));
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function addPackage(name: string, code: string, type = 'module'): void {
  const folder = join(root, 'node_modules', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type, exports: './index.js' }));
}

async function heard<Kind extends FromWorker['fw']>(fw: Kind): Promise<FromWorker & { fw: Kind }> {
  const found = () => messages.find((message) => message.fw === fw || message.fw === 'error');
  await expect.poll(found, { timeout: 5000 }).toMatchObject({ fw });
  return found() as FromWorker & { fw: Kind };
}

function warm(...specifiers: string[]): Promise<FromWorker & { fw: 'warmed' }> {
  const bundle = join(root, 'app.mjs');
  child.send({
    fw: 'warm',
    bundle,
    specifiers,
    isSoon: false,
  } satisfies ToWorker);
  return heard('warmed');
}

function boot(code: string, packages: string[] = []): Promise<FromWorker & { fw: 'ready' }> {
  const bundle = join(root, 'app.mjs');
  writeFileSync(bundle, code);
  const address = { address: '127.0.0.1', port: 1, family: 'IPv4' };
  const entry = join(root, 'src/main.ts');
  const order = { bundle, packages, entry, address, allowedHosts: [], replacing: false };
  child.send({ fw: 'boot', ...order } satisfies ToWorker);
  return heard('ready');
}

describe('a worker that waits', () => {
  it('has compiled all functions of the packages, and compiles those of the app at their first call', async () => {
    addPackage('before', `globalThis.before = ${codeSize};`);
    addPackage('large', uncalled.join('\n'));
    addPackage('behind', `globalThis.behind = ${codeSize};`);
    await warm('before', 'large', 'behind');
    writeFileSync(join(root, 'own.mjs'), uncalled.join('\n'));
    await boot(`const after = ${codeSize};
      await import('./own.mjs');
      console.log(JSON.stringify([globalThis.behind - globalThis.before, ${codeSize} - after]));
      ${listens}`);
    const [ofPackage = 0, ofApp = 0] = JSON.parse(output) as number[];
    // At least 100 bytes for each of the functions, or nearly nothing.
    expect(ofPackage).toBeGreaterThan(100 * uncalled.length);
    expect(ofApp).toBeLessThan(20 * uncalled.length);
  });

  it('only loads the packages for a bundle that comes soon, up to the first that leaves something behind', async () => {
    addPackage('calm', `globalThis.before = ${codeSize};`);
    addPackage('large', uncalled.join('\n'));
    addPackage('behind', `globalThis.behind = ${codeSize};`);
    addPackage('fw', fakeFw(''));
    addPackage('timer', 'setInterval(() => {}, 1000);');
    const bundle = join(root, 'app.mjs');
    const specifiers = ['calm', 'large', 'behind', 'fw', 'timer', 'never'];
    child.send({ fw: 'warm', bundle, specifiers, isSoon: true } satisfies ToWorker);
    const loaded = specifiers.slice(0, 4);
    expect(await heard('warmed')).toEqual({ fw: 'warmed', loaded, unsafe: 'timer' });
    expect(existsSync(join(root, 'notes'))).toBe(false);
    await boot(`console.log(globalThis.behind - globalThis.before); ${listens}`);
    expect(Number(output)).toBeLessThan(20 * uncalled.length);
  });

  it.each([
    ['reads the source map itself', ['calm'], 2],
    ['leaves the source map to Node if a package was not loaded', ['calm', 'late'], 4],
  ])('%s', async (_what, packages, measured) => {
    const map = Buffer.from('{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}').toString('base64');
    addPackage('calm', '');
    await warm('calm');
    await boot(
      `console.log((await import('node:module')).findSourceMap(import.meta.url).lineLengths.length); ${listens}
//# ${'sourceMapping'}URL=data:application/json;base64,${map}
//# sourceURL=${pathToFileURL(join(root, 'app.mjs')).href}
`,
      packages,
    );
    expect(Number(output)).toBe(measured);
  });

  it('remembers what the names in its bundle resolve to', async () => {
    addPackage('resolved', 'export const value = 1;');
    await warm('resolved');
    rmSync(join(root, 'node_modules/resolved'), { recursive: true });
    await boot(`import { value } from 'resolved'; process.emitWarning('of the app, ' + value); ${listens}`);
    // What Node says of the way in which it was told to remember would be printed before it.
    await expect.poll(() => output).toMatch(/^\(node:\d+\) Warning: of the app, 1\n/);
  });

  it('runs modules that it has learned with those that have changed, and prints nothing of its own', async () => {
    addPackage('calm', 'export const value = 1;');
    await warm('calm');
    const bundle = join(root, 'app.mjs');
    const module = (name: string, code: string, packages: string[] = [], imports = {}) => ({
      path: join(root, name),
      url: pathToFileURL(join(root, name)).href,
      code,
      map: '{"version":3,"sources":[],"names":[],"mappings":""}',
      packages,
      imports: { ...imports, ...Object.fromEntries(packages.map((one) => [one, one])) },
    });
    const main = module(
      'main.mjs',
      `import { value } from 'calm'; import { leaf } from './leaf.mjs'; console.log(leaf + value); ${listens}`,
      ['calm', 'node:http'],
      { './leaf.mjs': join(root, 'leaf.mjs') },
    );
    const leaf = (value: string, packages: string[] = []) =>
      module('leaf.mjs', `export const leaf = '${value}';`, packages);
    // Neither what Node says of an experimental module, nor that there is no such module, is of the code that runs.
    const old = leaf('old', ['calm', 'node:wasi', 'node:nothing']);
    child.send({ fw: 'learn', bundle, modules: [main, old] } satisfies ToWorker);
    const order = { bundle, packages: ['calm'], entry: main.path, allowedHosts: [], replacing: false };
    const address = { address: '127.0.0.1', port: 1, family: 'IPv4' };
    child.send({ fw: 'boot', ...order, address, modules: [leaf('new')] } satisfies ToWorker);
    await heard('ready');
    expect(output).toBe('new1\n');
  });

  it('makes the copy of fw that the app imports answer, and closes it', async () => {
    addPackage('fw', fakeFw("await new Promise((done) => this.server.close(done)); note('closed');"));
    expect(await warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'] });
    expect(readFileSync(join(root, 'notes'), 'utf8')).toBe('GET /touch/1\nPOST /touch {}\nclosed\n');
  });

  it('is replaced if an App leaves something behind', async () => {
    addPackage('fw', fakeFw('this.server.close(); setInterval(() => {}, 1000);'));
    expect(await warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'], unsafe: 'fw' });
  });

  it('makes zod make schemas and check values, and a database in memory answer', async () => {
    addPackage('zod', recordingPackage('zod', ['z']));
    addPackage('kysely', recordingPackage('kysely', ['CamelCasePlugin']));
    addPackage('fw-kysely', recordingPackage('fw', ['kyselyFromUrl', 'migrateToLatest']));
    mkdirSync(join(root, 'node_modules/fw'), { recursive: true });
    writeFileSync(
      join(root, 'node_modules/fw/package.json'),
      '{"type":"module","exports":{"./kysely":"./kysely.js"}}',
    );
    writeFileSync(join(root, 'node_modules/fw/kysely.js'), "export * from 'fw-kysely';");
    addPackage('libsql', '', 'commonjs');
    const libsql = pathToFileURL(join(root, 'node_modules/libsql/index.js')).href;
    const packages = ['zod', 'kysely', 'fw/kysely', libsql];
    expect(await warm(...packages)).toEqual({ fw: 'warmed', loaded: packages });
    const notes = readFileSync(join(root, 'notes'), 'utf8');
    expect(notes).toMatch(/zod object.*zod safeParse.*fw kyselyFromUrl :memory:.*fw destroy/s);
  });

  it('opens no database if the app uses another driver', async () => {
    addPackage('kysely', recordingPackage('kysely', ['CamelCasePlugin']));
    addPackage('pg', '', 'commonjs');
    await warm('kysely', pathToFileURL(join(root, 'node_modules/pg/index.js')).href);
    expect(existsSync(join(root, 'notes'))).toBe(false);
  });

  it('has collected what was left behind while it loaded', async () => {
    addPackage('leftovers', 'globalThis.kept = Array.from({ length: 4000 }, (_, n) => ({ n, list: [n] }));');
    await warm('leftovers');
    await boot(`import v8 from 'node:v8';
      const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      console.log(young.space_used_size);
      ${listens}`);
    expect(Number(output)).toBeGreaterThan(0);
    expect(Number(output)).toBeLessThan(300_000);
  });

  it('takes a version of fw with another API', async () => {
    addPackage('fw', 'export const App = undefined;');
    expect(await warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'] });
  });
});

describe('a worker that is ready', () => {
  const driver = () => pathToFileURL(join(root, 'node_modules/libsql/index.js')).href;

  it('names the database drivers that the app has loaded, and not what they require', async () => {
    addPackage('libsql', "require('pg');", 'commonjs');
    addPackage('pg', '', 'commonjs');
    addPackage('other', '', 'commonjs');
    expect(await boot(`await import('libsql'); await import('other'); ${listens}`)).toEqual({
      fw: 'ready',
      drivers: [driver()],
    });
  });

  it('names those that it had loaded before the app', async () => {
    addPackage('libsql', '', 'commonjs');
    await warm(driver());
    expect(await boot(listens)).toEqual({ fw: 'ready', drivers: [driver()] });
  });

  it('names none if the app sets variables, which a driver might read', async () => {
    addPackage('libsql', '', 'commonjs');
    const code = `process.env.LIBSQL_SETTING = '1'; await import('libsql'); ${listens}`;
    expect(await boot(code)).toEqual({ fw: 'ready' });
  });
});

/** A package whose exports may be called and read in every way, and which writes down what they are asked. */
function recordingPackage(name: string, exported: readonly string[]): string {
  return `import { appendFileSync } from 'node:fs';
const note = (...words) => appendFileSync(${JSON.stringify(join(root, 'notes'))}, ['${name}', ...words].join(' ') + '\\n');
const anything = (path) => new Proxy(function () {}, {
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : anything(key)),
  apply: (_, __, given) => { note(path, ...given.filter((value) => typeof value === 'string')); return anything('result'); },
  construct: () => { note('new', path); return anything('made'); },
});
${exported.map((word) => `export const ${word} = anything('${word}');`).join('\n')}`;
}

/** An App with the methods that are used, which writes down what it is asked. */
function fakeFw(close: string): string {
  return `import { appendFileSync } from 'node:fs';
import http from 'node:http';
const note = (text) => appendFileSync(${JSON.stringify(join(root, 'notes'))}, text + '\\n');
export class App {
  maxBodySize() { return this; }
  trustProxy() { return this; }
  serveStatic() { return this; }
  get() { return this; }
  post() { return this; }
  async listen() {
    this.server = http.createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      note([request.method, request.url, body].filter(Boolean).join(' '));
      response.end();
    });
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    return { port: this.server.address().port, close: () => this.close() };
  }
  async close() { ${close} }
}`;
}
