// Modules that were compiled one by one behave as in a bundle, and as the files would without `fw`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerProcess } from '../process/worker-process.js';
import { startTrialApp, type TrialApp, workerFile } from './trial-app.js';

let app: TrialApp;
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

/** A main module that answers with the JSON of an expression. */
const answering = (imports: string, expression: string): string => `import http from 'node:http';
${imports}
http.createServer(async (request, response) => response.end(JSON.stringify(${expression}))).listen(4567);
`;

/** Starts an app, whose next change is compiled alone. */
async function start(files: Record<string, string>, packages: Record<string, string> = {}): Promise<void> {
  const installed = Object.entries(packages).flatMap(([name, text]) => [
    [`node_modules/${name}/package.json`, '{"type":"module","exports":{".":"./index.js"}}'],
    [`node_modules/${name}/index.js`, text],
  ]);
  app = await startTrialApp({ ...files, ...Object.fromEntries(installed) });
  expect(await app.bundler.separate()).toBeDefined();
}

async function answer(): Promise<unknown> {
  return JSON.parse((await app.get('/')).text);
}

/** The bundles that were written, but for the first. */
function bundles(): string[] {
  const names = readdirSync(join(app.root, 'node_modules/.fw'));
  return names.filter((name) => /^app\.\d+\.mjs$/.test(name) && name !== 'app.1.mjs');
}

const leafApp = {
  'src/main.ts': answering("import { leaf } from './leaf.ts';", 'leaf'),
  'src/leaf.ts': "export const leaf: string = 'old';",
};

describe('a save under fw dev', () => {
  it('runs the changed module with the others, and writes no bundle', async () => {
    await start(leafApp);
    await app.save('src/leaf.ts', "export const leaf: string = 'new';");
    expect(await answer()).toBe('new');
    await app.save('src/main.ts', answering("import { leaf } from './leaf.ts';", '[leaf]'));
    expect(await answer()).toEqual(['new']);
    expect(bundles()).toEqual([]);
  });

  it('gives waiting processes the modules in advance, and the one that starts only what has changed', async () => {
    const { learn } = WorkerProcess.prototype;
    const learned = vi.spyOn(WorkerProcess.prototype, 'learn');
    // What a process has learned differs from what it would be sent again.
    learned.mockImplementation(function marked(this: WorkerProcess, modules) {
      const codes = modules.map(({ code }) => code);
      for (const one of modules) Object.assign(one, { code: one.code.replace('unmarked', 'learned') });
      learn.call(this, modules);
      modules.forEach((one, index) => void Object.assign(one, { code: codes[index] }));
    });
    await start(
      {
        'src/main.ts': answering("import { leaf } from './leaf.ts';", "['unmarked', leaf]"),
        'src/leaf.ts': "import { value } from 'one'; export const leaf = value;",
      },
      { one: 'export const value = 1;' },
    );
    await expect.poll(() => learned.mock.calls.length, { timeout: 5000 }).toBe(2);
    await app.save('src/leaf.ts', "import { value } from 'one'; export const leaf = ['unmarked', value];");
    expect(await answer()).toEqual(['learned', ['unmarked', 1]]);
  });

  it('keeps what modules are: cycles, live bindings, later imports, top-level await, import.meta', async () => {
    await start(
      {
        'src/main.ts': `import * as all from './all.ts';
          import data from './data.json' with { type: 'json' };
          import { count, increase } from './count.ts';
          import { even, self } from './even.ts';
          import standard, { twice } from 'esm';
          import { createServer } from 'node:http';
          const before = count;
          increase();
          const late = await import('./late.ts');
          class Named {}
          const answer = {
            all: Object.keys(all), renamed: all.renamed(4), data, counts: [before, count], odd: even(3),
            late: [late.default, (await import('./late.ts')) === late], twice: twice(2), standard, name: Named.name,
            meta: [import.meta.url, import.meta.dirname, import.meta.filename], argv: process.argv[1],
            flags: process.execArgv, lazy: await import('none').catch((error: Error) => error.name),
            self: await self,
          };
          createServer((request, response) => response.end(JSON.stringify(answer))).listen(4567);`,
        'src/all.ts':
          "export * from './count.ts'; export { even as renamed } from './even.ts'; export default 5;",
        'src/count.ts': 'export let count = 0; export function increase(): void { count += 1; }',
        'src/even.ts':
          "import { odd } from './odd.ts'; export const self = import('./even.ts').then((own) => own.even(2)); export function even(n: number): boolean { return n === 0 || odd(n - 1); }",
        'src/odd.ts':
          "import { even } from './even.ts'; export function odd(n: number): boolean { return n !== 0 && even(n - 1); }",
        'src/late.ts': "import { increase } from './count.ts'; increase(); export default 'late';",
        'src/data.json': '{"x":1}',
      },
      { esm: 'export const twice = (n) => 2 * n; export default [1];' },
    );
    const first = await answer();
    const main = join(app.root, 'src/main.ts');
    expect(first).toEqual({
      all: ['count', 'default', 'increase', 'renamed'],
      renamed: true,
      data: { x: 1 },
      counts: [0, 2],
      odd: false,
      late: ['late', true],
      twice: 4,
      standard: [1],
      name: 'Named',
      meta: [pathToFileURL(main).href, join(app.root, 'src'), main],
      argv: main,
      flags: ['--enable-source-maps'],
      lazy: 'Error',
      self: true,
    });
    await app.save(
      'src/late.ts',
      "import { increase } from './count.ts'; increase(); export default 'later';",
    );
    expect(await answer()).toEqual({ ...(first as object), late: ['later', true] });
    expect(bundles()).toEqual([]);
  });

  it('sees what a package exports later, at its start and after it', async () => {
    const live = `export let value = 'unset'; export let other = 0;
      export function set(to) { value = to; other += 1; }`;
    await start(
      {
        'src/main.ts': answering(
          "import { leaf } from './leaf.ts'; import { set, value } from 'live';",
          '[leaf, value, set(request.url)]',
        ),
        'src/leaf.ts': 'export const leaf = 1;',
      },
      { live },
    );
    await app.save('src/leaf.ts', 'export const leaf = 2;');
    const values = async (path: string) => JSON.parse((await app.get(path)).text);
    expect(await values('/first')).toEqual([2, 'unset', null]);
    expect(await values('/second')).toEqual([2, '/first', null]);
    expect(bundles()).toEqual([]);
    // Before it listens: only a bundle can see that in time.
    const first = answering("import { set, value } from 'live'; set('at once');", 'value');
    await app.save('src/main.ts', first);
    expect(await answer()).toBe('at once');
    expect(await app.bundler.separate()).toBeDefined();
    await app.save('src/main.ts', first.replace('at once', 'again'));
    expect(await answer()).toBe('again');
    expect(await app.bundler.separate()).toBeUndefined();
  });

  it('does not report an error that only modules have, because a package exports something later', async () => {
    const live = 'export let value; export function set(to) { value = to; }';
    const main = answering("import { set, value } from 'live'; set({ word: 'old' });", 'value.word');
    await start({ 'src/main.ts': `${main} value.word;` }, { live });
    await app.save('src/main.ts', `${main.replace('old', 'new')} value.word;`);
    expect(await answer()).toBe('new');
    const thrown = main.replace("set({ word: 'old' });", "set({ word: 'third' }); value.word;");
    await app.close();
    await start({ 'src/main.ts': main }, { live });
    await app.save('src/main.ts', thrown);
    expect(await answer()).toBe('third');
    expect(app.printed()).not.toContain('failed');
  });
});

describe('an error under fw dev', () => {
  it('has its place in the changed module, at the start and later', async () => {
    await start({
      'src/main.ts': answering("import { leaf } from './leaf.ts';", 'leaf()'),
      'src/leaf.ts': 'export const leaf = () => 1;',
    });
    await app.save(
      'src/leaf.ts',
      `\ninterface Gone {}\nthrow new Error('at the start');\nexport const leaf = 1;`,
    );
    expect(app.printed()).toContain('Error: at the start');
    expect(app.printed()).toMatch(/src\/leaf\.ts:3:7/);
    expect(await answer()).toBe(1);
    const later = "\ninterface Gone {}\nexport const leaf = () =>\n  new Error('later').stack;";
    await app.save('src/leaf.ts', later);
    expect(String(await answer())).toMatch(
      /^Error: later\n +at leaf \(\S+\/src\/leaf\.ts:4:3\)\n +at \S+ \(\S+\/src\/main\.ts:3:/,
    );
    expect(bundles()).toEqual([]);
  });

  it('of an export that is missing is that of the build, and is over when it is mended', async () => {
    await start(leafApp);
    await app.save('src/leaf.ts', 'export const other = 1;');
    expect(app.printed()).toContain('No matching export in "src/leaf.ts" for import "leaf"');
    expect(app.printed()).toContain("import { leaf } from './leaf.ts'");
    expect(await answer()).toBe('old');
    await app.save('src/leaf.ts', "export const leaf = 'mended';");
    expect(await answer()).toBe('mended');
  });
});

describe('an app under a debugger that attaches by itself', () => {
  it('is bundled after the first change', async () => {
    const file = await workerFile();
    app = await startTrialApp(leafApp, undefined, {
      workerOptions: () => ({
        file,
        cwd: process.cwd(),
        env: { ...process.env, NODE_OPTIONS: '--inspect=127.0.0.1:0 --inspect-publish-uid=http' },
        inspect: false,
        preload: [],
      }),
    });
    expect(await app.bundler.separate()).toBeDefined();
    await app.save('src/leaf.ts', "export const leaf = 'new';");
    expect(await answer()).toBe('new');
    expect(bundles()).toHaveLength(1);
    expect(await app.bundler.separate()).toBeUndefined();
  });
});

describe('an app that only a bundle can start', () => {
  const cycle = {
    'src/main.ts': answering(
      "import { App } from './app.ts'; import './leaf.ts';",
      'new App().service.owner.name',
    ),
    'src/app.ts': "import { service } from './service.ts'; export class App { service = service; }",
    'src/service.ts': "import { App } from './app.ts'; export const service = { owner: App ?? Date };",
    'src/leaf.ts': 'export {};',
  };

  it('is bundled after every change', async () => {
    await start(cycle);
    expect(await answer()).toBe('Date');
    await app.save('src/leaf.ts', 'export {}; // changed');
    expect(await answer()).toBe('Date');
    expect(app.printed()).not.toContain('failed');
    expect(await app.bundler.separate()).toBeUndefined();
  });

  it('is bundled, too, if the error comes later, but before it listens', async () => {
    const waiting = `import { setTimeout as delay } from 'node:timers/promises';
      let seen = '';
      setTimeout(() => { seen = String(value); }, 1);
      await delay(30);
      const value = 'set';`;
    await start({ 'src/main.ts': answering(waiting, '[seen, value]') });
    expect(await answer()).toEqual(['undefined', 'set']);
    await app.save('src/main.ts', answering(waiting, '{ seen }'));
    expect(await answer()).toEqual({ seen: 'undefined' });
  });
});

describe('an app whose modules fit together in a bundle only', () => {
  it('is bundled after every change, and starts no process in vain but the first', async () => {
    const booted = vi.spyOn(WorkerProcess.prototype, 'boot');
    await start({
      ...leafApp,
      'src/main.ts': answering(
        "import { leaf, type Text } from './types-again.ts'; const text = (value: Text) => value;",
        'text(leaf)',
      ),
      'src/types-again.ts': "export { Text, leaf } from './leaf.ts';",
      'src/leaf.ts': "export type Text = string; export const leaf: Text = 'old';",
    });
    await app.save('src/leaf.ts', "export type Text = string; export const leaf: Text = 'new';");
    expect(await answer()).toBe('new');
    expect(booted).toHaveBeenCalledTimes(3);
    expect(await app.bundler.separate()).toBeUndefined();
    await app.save('src/leaf.ts', "export type Text = string; export const leaf: Text = 'newer';");
    expect(await answer()).toBe('newer');
    expect(booted).toHaveBeenCalledTimes(4);
  });
});
