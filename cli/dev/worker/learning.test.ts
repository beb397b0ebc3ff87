// A worker that waits gets the modules of the app in advance, and links those that it will probably run.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SourceModule } from '../../bundle/source-modules.js';
import { codeSize, listens, TrialWorker, uncalled } from '../trial-worker.js';

let worker: TrialWorker;
beforeEach(async () => {
  worker = await TrialWorker.start();
});
afterEach(() => worker.close());

/** A module of the app. */
function source(name: string, code: string, packages: string[] = [], imports = {}): SourceModule {
  return {
    path: join(worker.root, name),
    url: pathToFileURL(join(worker.root, name)).href,
    code,
    map: '{"version":3,"sources":[],"names":[],"mappings":""}',
    packages,
    imports: { ...imports, ...Object.fromEntries(packages.map((one) => [one, one])) },
  };
}

function leaf(value: string, packages: string[] = []): SourceModule {
  const imports = packages.map((name) => `import '${name}';`);
  return source('leaf.mjs', `${imports.join('')} export const leaf = '${value}';`, packages);
}

function main(first = ''): SourceModule {
  return source(
    'main.mjs',
    `import { value } from 'calm'; import { leaf } from './leaf.mjs'; ${first} console.log(leaf + value); ${listens}`,
    ['calm', 'node:http'],
    { './leaf.mjs': join(worker.root, 'leaf.mjs') },
  );
}

const packages = ['calm'];

function learn(...modules: SourceModule[]): void {
  worker.send({ fw: 'learn', bundle: worker.bundle, modules });
}

function link(...modules: SourceModule[]): void {
  worker.send({ fw: 'link', entry: join(worker.root, 'main.mjs'), packages, modules });
}

/** @param modules those that have changed */
function boot(...modules: SourceModule[]): void {
  worker.bootModules({ entry: join(worker.root, 'main.mjs'), packages, modules });
}

/** A package that notes which modules are linked. */
const notingLinks = `import vm from 'node:vm';
  import { appendFileSync } from 'node:fs';
  export const value = 1;
  const { link } = vm.SourceTextModule.prototype;
  vm.SourceTextModule.prototype.link = function noting(linker) {
    appendFileSync('notes', 'link ' + this.identifier.split('/').at(-1) + '\\n');
    return link.call(this, linker);
  };`;

it('runs modules that it has learned with those that have changed, and prints nothing of its own', async () => {
  worker.addPackage('calm', 'export const value = 1;');
  await worker.warm('calm');
  // Neither what Node says of an experimental module, nor that there is no such module, is of the code that runs.
  learn(main(), leaf('old', ['calm', 'node:wasi', 'node:nothing']));
  boot(leaf('new'));
  await worker.heard('ready');
  expect(worker.output).toBe('new1\n');
});

it('compiles all functions of the modules that it learns', async () => {
  worker.addPackage('calm', `export const value = 1; globalThis.before = ${codeSize};`);
  worker.addPackage('behind', `globalThis.behind = ${codeSize};`);
  await worker.warm('calm');
  learn(
    main(`console.log(${codeSize} - globalThis.before);`),
    source('leaf.mjs', `${uncalled.join('\n')}; export const leaf = 1;`),
  );
  boot();
  await worker.heard('ready');
  expect(Number(/\d+/.exec(worker.output)?.[0])).toBeGreaterThan(100 * uncalled.length);
});

it('links the modules of a change that it probably runs, and evaluates none', async () => {
  worker.addPackage('calm', notingLinks);
  await worker.warm('calm');
  learn(main(), leaf('old'));
  link(leaf('new'));
  await expect.poll(() => worker.notes, { timeout: 5000 }).toBe('link main.mjs\n');
  expect(worker.output).toBe('');
  boot();
  await worker.heard('ready');
  expect([worker.output, worker.notes]).toEqual(['new1\n', 'link main.mjs\n']);
});

it.each([
  ['one that changed again', () => leaf('new')],
  ['one that does not fit', () => source('leaf.mjs', 'export const other = 1;')],
  ['one that cannot be compiled', () => source('leaf.mjs', 'export const = 1;')],
  ['one that imports a package which is not loaded yet', () => leaf('new', ['late'])],
])('runs other modules than it has linked: %s', async (_what, linked) => {
  worker.addPackage('calm', 'export const value = 1;');
  worker.addPackage('late', "console.log('late');");
  await worker.warm('calm');
  learn(main(), leaf('old'));
  link(linked());
  boot(leaf('newer'));
  await worker.heard('ready');
  expect(worker.output).toBe('newer1\n');
});

it('loads a package that it has not loaded only when the app starts', async () => {
  worker.addPackage('calm', notingLinks);
  worker.addPackage('late', "console.log('late');");
  await worker.warm('calm');
  learn(main(), leaf('old'));
  link(leaf('new', ['late']));
  link(leaf('newer'));
  await expect.poll(() => worker.notes, { timeout: 5000 }).toBe('link main.mjs\n');
  expect(worker.output).toBe('');
  boot(leaf('newest', ['late']));
  await worker.heard('ready');
  expect(worker.output).toBe('late\nnewest1\n');
});

it.each([
  ['that do not fit together', 'export const other = 1;'],
  // Never the module before, which is the last that it could compile.
  ['that cannot be compiled', 'export const = 1;'],
])(
  'says of modules %s that they do not run when they would, not when they are linked',
  async (_what, code) => {
    worker.addPackage('calm', 'export const value = 1;');
    await worker.warm('calm');
    learn(main(), leaf('old'));
    link(leaf('new'));
    link(source('leaf.mjs', code));
    boot();
    await expect.poll(() => worker.messages.slice(1), { timeout: 5000 }).toEqual([{ fw: 'unlinked' }]);
    expect(worker.output).toBe('');
  },
);

it('runs what it has learned with a module in the place of one that could not be compiled', async () => {
  worker.addPackage('calm', 'export const value = 1;');
  await worker.warm('calm');
  learn(source('leaf.mjs', 'export const = 1;'), main());
  boot(leaf('mended'));
  await worker.heard('ready');
  expect(worker.output).toBe('mended1\n');
});
