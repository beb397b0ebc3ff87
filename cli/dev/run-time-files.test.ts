// Apps that name files at run time: as without a bundle, with one copy of each module, on every version of Node.js.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DevSession, save } from '../../e2e/dev-session.js';
import { makeWorkspace, startSession } from './trial-session.js';

let root = '';
let session: DevSession | undefined;
afterEach(async () => {
  if (session?.child.exitCode === null && session.child.signalCode === null) await session.end('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

async function start(files: Record<string, string>): Promise<DevSession> {
  root = makeWorkspace({ 'package.json': '{"name":"app","type":"module"}', ...files });
  session = await startSession({ app: root });
  await session.says(/ready in/);
  return session;
}

async function answer(path = '/'): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${session?.port}${path}`)).json();
}

/** @param body gives `seen`; it runs before the app listens */
const main = (body: string, later = 'seen'): string => `
  import { readdirSync } from 'node:fs';
  import http from 'node:http';
  import { createRequire } from 'node:module';
  import { join } from 'node:path';
  import { pathToFileURL } from 'node:url';
  import { registry, Thing } from './registry.ts';
  const folder = join(import.meta.dirname, 'plugins');
  // A drive would be the scheme of a URL.
  const named = (path: string): string => (process.platform === 'win32' ? pathToFileURL(path).href : path);
  let seen: unknown;
  ${body}
  http.createServer(async (request, response) => {
    try { response.end(JSON.stringify(await (${later}))); }
    catch (error) { console.error(error); response.writeHead(500).end(JSON.stringify(String(error))); }
  }).listen(Number(process.env.PORT));`;

const parts = {
  'src/registry.ts':
    'export const registry: string[] = []; export class Thing { constructor(readonly at: number = 1) {} }',
  'src/plugins/a.ts':
    "import { registry, Thing } from '../registry.js'; registry.push('a'); export const thing = new Thing();",
};

const all = `const found: boolean[] = [];
  for (const name of readdirSync(folder))
    found.push((await import(pathToFileURL(join(folder, name)).href)).thing instanceof Thing);
  seen = { registry, found };`;

describe('a file that is named at run time', () => {
  it('shares its modules with the app, is watched, and has its places in errors', async () => {
    const { says, printed } = await start({ ...parts, 'src/main.ts': main(all) });
    expect(await answer()).toEqual({ registry: ['a'], found: [true] });
    expect(printed()).toMatch(/src[\\/]plugins[\\/]a\.ts is named at run time.* bundle = false/);
    const second = save(
      session as DevSession,
      join(root, 'src/plugins/a.ts'),
      `${parts['src/plugins/a.ts']}\nregistry.push('b' as string);`,
    );
    await says(/a\.ts changed.*ready in/, second);
    expect(await answer()).toEqual({ registry: ['a', 'b'], found: [true] });
    expect(printed().split('at run time').length).toBe(2);
    const bad = save(
      session as DevSession,
      join(root, 'src/plugins/a.ts'),
      "interface Gone { a: 1 }\n\nthrow new Error('bad plugin');\n",
    );
    await says(/bad plugin\n {2}src[\\/]plugins[\\/]a\.ts:3:7/, bad);
  });

  it('is named as the app names it, also where there is none', async () => {
    root = makeWorkspace({
      'package.json': '{"name":"app","type":"module"}',
      'src/main.ts': "const name: string = './plugins/gone.ts'; await import(name);",
    });
    session = await startSession({ app: root });
    const { says } = session;
    await says(/ (?:\.\/)?plugins\/gone\.ts is named at run time/, 0);
    await says(/Cannot find module .*gone\.ts/, 0);
  });

  it('that is not there changes nothing for good: the next change starts the app as a bundle again', async () => {
    root = makeWorkspace({
      'package.json': '{"name":"app","type":"module"}',
      'src/main.ts': "const name: string = './gone.ts'; await import(name);",
    });
    session = await startSession({ app: root });
    const { says, printed } = session;
    await says(/gone\.ts is named at run time, and was not found/, 0);
    await says(/Cannot find module .*gone\.ts/, 0);
    const fixed = save(
      session,
      join(root, 'src/main.ts'),
      `import http from 'node:http';
       const isBundle = !process.execArgv.some((flag) => flag.startsWith('--import='));
       http.createServer((_, response) => response.end(JSON.stringify(isBundle))).listen(Number(process.env.PORT));`,
    );
    await says(/main\.ts changed.*ready in/, fixed);
    expect(printed()).not.toContain('from now on');
    expect(await answer()).toBe(true);
  });

  it('may be one outside of src, which is watched too', async () => {
    const { says } = await start({
      ...parts,
      'migrations/one.ts': "import { registry } from '../src/registry.ts'; registry.push('one' as string);",
      'src/main.ts': main(
        "await import(named(join(import.meta.dirname, '../migrations', 'one.ts'))); seen = registry;",
      ),
    });
    expect(await answer()).toEqual(['one']);
    const from = save(
      session as DevSession,
      join(root, 'migrations/one.ts'),
      "import { registry } from '../src/registry.ts'; registry.push('two');",
    );
    await says(/one\.ts changed.*ready in/, from);
    expect(await answer()).toEqual(['two']);
  });

  it('may be named by a package, and relative to the file that names it', async () => {
    await start({
      ...parts,
      'node_modules/loads/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/loads/index.js': 'export const load = (path) => import(path);',
      'src/main.ts': main(
        `const { thing } = await load(named(join(folder, 'a.ts'))); const name: string = './plugins/a.ts';
         seen = [registry, thing instanceof Thing, (await import(name)).thing === thing];`,
      ).replace('\n', "\nimport { load } from 'loads';\n"),
    });
    expect(await answer()).toEqual([['a'], true, true]);
  });

  it('may be required', async () => {
    const body =
      "const required = createRequire(import.meta.url)('./plugins/a.ts'); seen = [typeof required.thing, registry];";
    await start({ ...parts, 'src/main.ts': main(body) });
    expect(await answer()).toEqual(['object', ['a']]);
  });

  it('may fail with an error that the app prints', async () => {
    const body =
      "try { await import(named(join(folder, 'a.ts'))) } catch (error) { console.error(error); process.exit(1); } seen = registry;";
    await start({ ...parts, 'src/main.ts': main(body) });
    expect(await answer()).toEqual(['a']);
  });

  it('may be loaded by a request', async () => {
    const { says } = await start({
      ...parts,
      'src/main.ts': main(
        '',
        "import(named(join(folder, 'a.ts'))).then(({ thing }) => [thing instanceof Thing, registry])",
      ),
    });
    await answer().catch(() => undefined);
    await says(/started again without a bundle.*ready in/);
    expect(await answer()).toEqual([true, ['a']]);
  });

  it('needs no second start with bundle = false', async () => {
    const { printed } = await start({
      ...parts,
      'src/main.ts': main(all),
      'fw.toml': '[dev]\nbundle = false\n',
    });
    expect(await answer()).toEqual({ registry: ['a'], found: [true] });
    expect(printed()).not.toContain('at run time');
  });

  it('is bundled if its name is a pattern', async () => {
    const { printed } = await start({
      ...parts,
      'src/main.ts': main(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of the app
        "const name: string = 'a'; seen = [(await import(`./plugins/${name}.ts`)).thing instanceof Thing, registry];",
      ),
    });
    expect(await answer()).toEqual([true, ['a']]);
    expect(printed()).not.toContain('at run time');
  });
});

describe('what a bundle allows', () => {
  const options =
    '{"compilerOptions":{"paths":{"@/*":["./src/*"]},"customConditions":["mine"]},"include":["src"]}';
  it.each([
    ['', { 'tsconfig.json': options }],
    [
      ', by a referenced tsconfig too',
      {
        'tsconfig.json': '{"files":[],"references":[{"path":"tsconfig.app.json"}]}',
        'tsconfig.app.json': options,
      },
    ],
  ])('holds without one%s', async (_, configs) => {
    await start({
      ...parts,
      'package.json':
        '{"name":"app","type":"module","exports":{"./lib":"./src/lib.js"},"imports":{"#part":"./src/part.js"}}',
      ...configs,
      'fw.toml': '[dev]\nbundle = false\n',
      'src/lib.ts': 'export enum Lib { A = 7 }',
      'src/part.ts': "export const part: string = 'part';",
      'src/sub/index.ts': "export const sub: string = 'sub';",
      'src/old.cts':
        "const r = require('./registry') as { registry: string[] }; r.registry.push('old'); exports.file = __filename;",
      'src/data.json': '{"j":1}',
      'node_modules/conditional/package.json':
        '{"type":"module","exports":{"mine":"./mine.js","default":"./index.js"}}',
      'node_modules/conditional/mine.js': "export default 'mine';",
      'node_modules/conditional/index.js': "export default 'default';",
      'src/main.ts': `import { Lib } from 'app/lib'; import { part } from '#part'; import { sub } from './sub';
        import * as alias from '@/part'; import data from './data.json'; import old from './old.cjs';
        import conditional from 'conditional';
        ${main("seen = [Lib.A, part, sub, alias.part, data.j, old.file === join(__dirname, 'old.cts'), registry, conditional, require.main === module, process.argv[1] === __filename];")}`,
    });
    expect(await answer()).toEqual([7, 'part', 'sub', 'part', 1, true, ['old'], 'mine', true, true]);
  });
});

describe('threads and child processes from sources', () => {
  const deep = {
    'src/task.ts': `import { parentPort, Worker, workerData } from 'node:worker_threads';
      import { registry } from './registry.js';
      const level: number = workerData?.level ?? 0;
      if (level < 2) new Worker(new URL('./task.ts', import.meta.url), { workerData: { level: level + 1 } })
        .on('message', (text) => parentPort?.postMessage(text)).on('error', (error) => parentPort?.postMessage(String(error)));
      else parentPort?.postMessage('thread ' + level + registry.length);`,
    'src/child.ts': `import { fork } from 'node:child_process';
      const level: number = Number(process.argv[2] ?? 0);
      if (level < 2) fork(new URL('./child.ts', import.meta.url), [String(level + 1)]).on('message', (text) => process.send?.(text as string));
      else process.send?.('child ' + level);`,
    // As piscina: JavaScript of a package that imports the task in its threads.
    'node_modules/pool/package.json': '{"type":"module","exports":"./index.js"}',
    'node_modules/pool/index.js':
      "import { Worker } from 'node:worker_threads'; export const run = (filename) => new Promise((done, fail) => new Worker(new URL('./thread.js', import.meta.url), { workerData: filename }).on('message', done).on('error', fail));",
    'node_modules/pool/thread.js':
      "import { parentPort, workerData } from 'node:worker_threads'; import { pathToFileURL } from 'node:url'; const { default: task } = await import(pathToFileURL(workerData).href); parentPort.postMessage(await task());",
    'src/pooled.ts':
      "import { registry } from './registry.js'; export default (): string => 'pooled ' + registry.length;",
  };

  it.each(['true', 'false'])('start others of them, with bundle = %s', async (bundle) => {
    await start({
      ...parts,
      ...deep,
      'fw.toml': `[dev]\nbundle = ${bundle}\n`,
      'src/main.ts': main(`
        import { fork } from 'node:child_process';
        import { Worker } from 'node:worker_threads';
        import { run } from 'pool';
        const told = (one: NodeJS.EventEmitter) => new Promise((done, fail) => one.on('message', done).on('error', fail));
        seen = [
          await told(new Worker(new URL('./task.ts', import.meta.url))),
          await told(fork(new URL('./child.ts', import.meta.url))),
          await run(join(import.meta.dirname, 'pooled.ts')),
        ];`),
    });
    expect(await answer()).toEqual(['thread 20', 'child 2', 'pooled 0']);
  });

  it('shows where an import leads nowhere', async () => {
    const running = await start({
      'fw.toml': '[dev]\nbundle = false\n',
      'src/registry.ts': parts['src/registry.ts'],
      'src/main.ts': main('seen = registry;'),
    });
    const text = `interface Gone {\n  a: 1;\n}\n\n\nimport 'not-installed';\n${parts['src/registry.ts']}`;
    save(running, join(root, 'src/registry.ts'), text);
    await running.says(/failed to start[\s\S]*at src[\\/]/);
    expect(running.printed()).toMatch(/at src[\\/]registry\.ts:6:8\n/);
  });
});
