// What a worker does before and while it runs an app, so that the next one starts faster.
import { rmSync, writeFileSync } from 'node:fs';
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
    worker.addPackage('fw', '');
    worker.addPackage('timer', 'setInterval(() => {}, 1000);');
    const bundle = join(worker.root, 'app.mjs');
    const specifiers = ['calm', 'large', 'behind', 'fw', 'timer', 'never'];
    worker.send({ fw: 'warm', bundle, specifiers, isSoon: true });
    const loaded = specifiers.slice(0, 4);
    expect(await worker.heard('warmed')).toEqual({ fw: 'warmed', loaded, unsafe: 'timer' });
    await worker.boot(`console.log(globalThis.behind - globalThis.before); ${listens}`);
    expect(Number(worker.output)).toBeLessThan(20 * uncalled.length);
  });

  it('stops to load packages when a bundle waits for it', async () => {
    worker.addPackage('slow', 'await new Promise((done) => setTimeout(done, 300));');
    worker.addPackage('late', '');
    worker.send({ fw: 'warm', bundle: worker.bundle, specifiers: ['slow', 'late'], isSoon: false });
    worker.send({ fw: 'hurry' });
    expect(await worker.heard('warmed')).toEqual({ fw: 'warmed', loaded: ['slow'] });
    await worker.boot(`await import('late'); console.log('ran'); ${listens}`);
    expect(worker.output).toBe('ran\n');
  });

  it.each([
    ['reads the source map itself', ['calm'], 2],
    ['leaves the source map to Node if a package was not loaded', ['calm', 'late'], 4],
  ])('%s', async (_what, packages, measured) => {
    const text = '{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}';
    const map = Buffer.from(text).toString('base64');
    writeFileSync(join(worker.root, 'app.mjs.map'), text);
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
});

describe('a worker that is ready', () => {
  const driver = () => pathToFileURL(join(worker.root, 'node_modules/libsql/index.js')).href;

  it('names the database drivers that the app has loaded, and not what they require', async () => {
    worker.addPackage('libsql', "require('pg');", 'commonjs');
    worker.addPackage('pg', '', 'commonjs');
    worker.addPackage('other', '', 'commonjs');
    expect(await worker.boot(`await import('libsql'); await import('other'); ${listens}`)).toEqual({
      fw: 'ready',
      port: 1,
      drivers: [driver()],
    });
  });

  it('names those that it had loaded before the app', async () => {
    worker.addPackage('libsql', '', 'commonjs');
    await worker.warm(driver());
    expect(await worker.boot(listens)).toEqual({ fw: 'ready', port: 1, drivers: [driver()] });
  });

  it('names none if the app sets variables, which a driver might read', async () => {
    worker.addPackage('libsql', '', 'commonjs');
    const code = `process.env.LIBSQL_SETTING = '1'; await import('libsql'); ${listens}`;
    expect(await worker.boot(code)).toEqual({ fw: 'ready', port: 1 });
  });
});
