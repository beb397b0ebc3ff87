// What a worker does before and while it runs an app, so that the next one starts faster.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeSize, listens, TrialWorker, uncalled } from '../trial-worker.js';

let worker: TrialWorker;
beforeEach(async () => {
  worker = await TrialWorker.start();
});
afterEach(() => worker.close());

describe('a worker that waits', () => {
  it('has compiled all functions of the packages, and compiles those of the app at their first call', async () => {
    worker.addPackage('before', `globalThis.before = ${codeSize};`);
    worker.addPackage('large', uncalled.join('\n'));
    worker.addPackage('behind', `globalThis.behind = ${codeSize};`);
    await worker.warm('before', 'large', 'behind');
    writeFileSync(join(worker.root, 'own.mjs'), uncalled.join('\n'));
    await worker.boot(`const after = ${codeSize};
      await import('./own.mjs');
      console.log(JSON.stringify([globalThis.behind - globalThis.before, ${codeSize} - after]));
      ${listens}`);
    const [ofPackage = 0, ofApp = 0] = JSON.parse(worker.output) as number[];
    // At least 100 bytes for each of the functions, or nearly nothing.
    expect(ofPackage).toBeGreaterThan(100 * uncalled.length);
    expect(ofApp).toBeLessThan(20 * uncalled.length);
  });

  it('only loads the packages for a bundle that comes soon, up to the first that leaves something behind', async () => {
    worker.addPackage('calm', `globalThis.before = ${codeSize};`);
    worker.addPackage('large', uncalled.join('\n'));
    worker.addPackage('behind', `globalThis.behind = ${codeSize};`);
    worker.addPackage('fw', fakeFw(''));
    worker.addPackage('timer', 'setInterval(() => {}, 1000);');
    const bundle = join(worker.root, 'app.mjs');
    const specifiers = ['calm', 'large', 'behind', 'fw', 'timer', 'never'];
    worker.send({ fw: 'warm', bundle, specifiers, isSoon: true });
    const loaded = specifiers.slice(0, 4);
    expect(await worker.heard('warmed')).toEqual({ fw: 'warmed', loaded, unsafe: 'timer' });
    expect(existsSync(join(worker.root, 'notes'))).toBe(false);
    await worker.boot(`console.log(globalThis.behind - globalThis.before); ${listens}`);
    expect(Number(worker.output)).toBeLessThan(20 * uncalled.length);
  });

  it.each([
    ['reads the source map itself', ['calm'], 2],
    ['leaves the source map to Node if a package was not loaded', ['calm', 'late'], 4],
  ])('%s', async (_what, packages, measured) => {
    const map = Buffer.from('{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}').toString('base64');
    worker.addPackage('calm', '');
    await worker.warm('calm');
    await worker.boot(
      `console.log((await import('node:module')).findSourceMap(import.meta.url).lineLengths.length); ${listens}
//# ${'sourceMapping'}URL=data:application/json;base64,${map}
//# sourceURL=${pathToFileURL(join(worker.root, 'app.mjs')).href}
`,
      packages,
    );
    expect(Number(worker.output)).toBe(measured);
  });

  it('remembers what the names in its bundle resolve to', async () => {
    worker.addPackage('resolved', 'export const value = 1;');
    await worker.warm('resolved');
    rmSync(join(worker.root, 'node_modules/resolved'), { recursive: true });
    await worker.boot(
      `import { value } from 'resolved'; process.emitWarning('of the app, ' + value); ${listens}`,
    );
    // What Node says of the way in which it was told to remember would be printed before it.
    await expect.poll(() => worker.output).toMatch(/^\(node:\d+\) Warning: of the app, 1\n/);
  });

  it('makes the copy of fw that the app imports answer, and closes it', async () => {
    worker.addPackage('fw', fakeFw("await new Promise((done) => this.server.close(done)); note('closed');"));
    expect(await worker.warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'] });
    expect(readFileSync(join(worker.root, 'notes'), 'utf8')).toBe('GET /touch/1\nPOST /touch {}\nclosed\n');
  });

  it('is replaced if an App leaves something behind', async () => {
    worker.addPackage('fw', fakeFw('this.server.close(); setInterval(() => {}, 1000);'));
    expect(await worker.warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'], unsafe: 'fw' });
  });

  it('makes zod make schemas and check values, and a database in memory answer', async () => {
    worker.addPackage('zod', recordingPackage('zod', ['z']));
    worker.addPackage('kysely', recordingPackage('kysely', ['CamelCasePlugin']));
    worker.addPackage('fw-kysely', recordingPackage('fw', ['kyselyFromUrl', 'migrateToLatest']));
    mkdirSync(join(worker.root, 'node_modules/fw'), { recursive: true });
    writeFileSync(
      join(worker.root, 'node_modules/fw/package.json'),
      '{"type":"module","exports":{"./kysely":"./kysely.js"}}',
    );
    writeFileSync(join(worker.root, 'node_modules/fw/kysely.js'), "export * from 'fw-kysely';");
    worker.addPackage('libsql', '', 'commonjs');
    const libsql = pathToFileURL(join(worker.root, 'node_modules/libsql/index.js')).href;
    const packages = ['zod', 'kysely', 'fw/kysely', libsql];
    expect(await worker.warm(...packages)).toEqual({ fw: 'warmed', loaded: packages });
    const notes = readFileSync(join(worker.root, 'notes'), 'utf8');
    expect(notes).toMatch(/zod object.*zod safeParse.*fw kyselyFromUrl :memory:.*fw destroy/s);
  });

  it('opens no database if the app uses another driver', async () => {
    worker.addPackage('kysely', recordingPackage('kysely', ['CamelCasePlugin']));
    worker.addPackage('pg', '', 'commonjs');
    await worker.warm('kysely', pathToFileURL(join(worker.root, 'node_modules/pg/index.js')).href);
    expect(existsSync(join(worker.root, 'notes'))).toBe(false);
  });

  it('has collected what was left behind while it loaded', async () => {
    worker.addPackage(
      'leftovers',
      'globalThis.kept = Array.from({ length: 4000 }, (_, n) => ({ n, list: [n] }));',
    );
    await worker.warm('leftovers');
    await worker.boot(`import v8 from 'node:v8';
      const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      console.log(young.space_used_size);
      ${listens}`);
    expect(Number(worker.output)).toBeGreaterThan(0);
    expect(Number(worker.output)).toBeLessThan(300_000);
  });

  it('takes a version of fw with another API', async () => {
    worker.addPackage('fw', 'export const App = undefined;');
    expect(await worker.warm('fw')).toEqual({ fw: 'warmed', loaded: ['fw'] });
  });
});

describe('a worker that is ready', () => {
  const driver = () => pathToFileURL(join(worker.root, 'node_modules/libsql/index.js')).href;

  it('names the database drivers that the app has loaded, and not what they require', async () => {
    worker.addPackage('libsql', "require('pg');", 'commonjs');
    worker.addPackage('pg', '', 'commonjs');
    worker.addPackage('other', '', 'commonjs');
    expect(await worker.boot(`await import('libsql'); await import('other'); ${listens}`)).toEqual({
      fw: 'ready',
      drivers: [driver()],
    });
  });

  it('names those that it had loaded before the app', async () => {
    worker.addPackage('libsql', '', 'commonjs');
    await worker.warm(driver());
    expect(await worker.boot(listens)).toEqual({ fw: 'ready', drivers: [driver()] });
  });

  it('names none if the app sets variables, which a driver might read', async () => {
    worker.addPackage('libsql', '', 'commonjs');
    const code = `process.env.LIBSQL_SETTING = '1'; await import('libsql'); ${listens}`;
    expect(await worker.boot(code)).toEqual({ fw: 'ready' });
  });
});

/** A package whose exports may be called and read in every way, and which writes down what they are asked. */
function recordingPackage(name: string, exported: readonly string[]): string {
  return `import { appendFileSync } from 'node:fs';
const note = (...words) => appendFileSync(${JSON.stringify(join(worker.root, 'notes'))}, ['${name}', ...words].join(' ') + '\\n');
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
const note = (text) => appendFileSync(${JSON.stringify(join(worker.root, 'notes'))}, text + '\\n');
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
