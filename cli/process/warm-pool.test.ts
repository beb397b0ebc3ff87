// Which processes are ready for the next change, with real ones.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bundle } from '../bundle/bundler.js';
import { mapFileOf } from '../bundle/source-map.js';
import { makeProject, workerFile } from '../dev/trial-app.js';
import type { BootOrder } from './messages.js';
import { WarmPool } from './warm-pool.js';
import { WorkerProcess } from './worker-process.js';

let root: string;
let pool: WarmPool;
const taken: WorkerProcess[] = [];
/** How many processes were started. */
let started: number;
afterEach(() => {
  pool.close();
  for (const worker of taken.splice(0)) worker.kill();
  rmSync(root, { recursive: true, force: true });
});

async function start(
  size: number,
  packages: Record<string, string> = {},
  preload: string[] = [],
): Promise<void> {
  root = makeProject({
    'broken.mjs':
      "import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); process.exit(1);",
  });
  for (const [name, code] of Object.entries(packages)) {
    const file = join(root, 'node_modules', name, 'index.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    writeFileSync(join(dirname(file), 'package.json'), '{"type":"module","exports":"./index.js"}');
  }
  const file = await workerFile();
  const outDir = join(root, 'node_modules/.fw');
  started = 0;
  const options = () => {
    started += 1;
    return { file, cwd: root, env: process.env, inspect: false, preload };
  };
  pool = new WarmPool(outDir, options, size);
}

const bundle = (...packages: string[]): Bundle => ({ file: '', inputs: [], linked: [], packages });

const bootOrder = (file: string): BootOrder => ({
  fw: 'boot',
  bundle: file,
  packages: [],
  entry: join(root, 'src/main.ts'),
  address: { address: '127.0.0.1', family: 'IPv4', port: 1 },
  allowedHosts: [],
  replacing: false,
});

async function take(of: Bundle): Promise<WorkerProcess> {
  const worker = await pool.take(of);
  taken.push(worker);
  return worker;
}

/** Whether the process that wrote its id to the file has ended, one turn of the event loop ago. */
async function hasEnded(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch {
    await new Promise((settle) => setImmediate(settle));
    return true;
  }
}

describe('the pool of warm processes', () => {
  it('keeps two, both of which have loaded the packages', async () => {
    await start(2, { calm: '' });
    await take(bundle('calm'));
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(2);
    for (let n = 0; n < 2; n += 1) expect((await take(bundle('calm'))).warmth.loaded).toEqual(['calm']);
    expect(pool.ready).toBe(0);
  });

  it('loads the packages of a bundle that comes soon into the process that was started at once', async () => {
    await start(0, { calm: '' });
    pool.warmFirst(bundle('calm'));
    const first = await take(bundle('calm'));
    expect(first.warmth).toEqual({ fw: 'warmed', loaded: ['calm'] });
    pool.warmFirst(bundle('calm'));
    expect(first.isWarm).toBe(true);
    expect((await take(bundle('calm'))).warmth.loaded).toEqual([]);
  });

  it('tells the first process that its bundle comes soon', async () => {
    await start(0, { calm: '' });
    pool.close();
    const program = `process.on('message', ({ fw, isSoon }) => fw === 'warm' && process.send({ fw: 'warmed', loaded: ['warm', String(isSoon)] }));`;
    writeFileSync(join(root, 'worker.mjs'), program);
    const options = {
      file: join(root, 'worker.mjs'),
      cwd: root,
      env: process.env,
      inspect: false,
      preload: [],
    };
    pool = new WarmPool(join(root, 'node_modules/.fw'), () => options, 0);
    pool.warmFirst(bundle('calm'));
    expect((await take(bundle('warm', 'true'))).warmth).toMatchObject({ loaded: ['warm', 'true'] });
  });

  it.each([
    ['leaves something behind', 'setInterval(() => {}, 1000);'],
    ['ends its process', 'process.exit(1);'],
  ])('starts another process as soon as a package for the first %s', async (_what, code) => {
    const counted = "import { appendFileSync } from 'node:fs'; appendFileSync('starts', '.');";
    await start(0, { bad: code, counted }, ['counted']);
    const starts = () => (existsSync(join(root, 'starts')) ? readFileSync(join(root, 'starts'), 'utf8') : '');
    pool.warmFirst(bundle('bad'));
    await expect.poll(starts).toBe('..');
    const worker = await take(bundle('bad'));
    expect(worker).toMatchObject({ alive: true, warmth: { loaded: [] } });
    pool.close();
    expect(starts()).toBe('..');
  });

  it('starts no other process when it is closed before the packages are loaded', async () => {
    const counted = "import { appendFileSync } from 'node:fs'; appendFileSync('starts', '.');";
    await start(0, { calm: '', counted }, ['counted']);
    const starts = (): string =>
      existsSync(join(root, 'starts')) ? readFileSync(join(root, 'starts'), 'utf8') : '';
    await expect.poll(starts).toBe('.');
    pool.warmFirst(bundle('calm'));
    pool.close();
    await new Promise((resume) => setTimeout(resume, 300));
    expect(starts()).toBe('.');
  });

  it('prepares nothing any more when it is closed', async () => {
    await start(2);
    pool.close();
    pool.prepare(bundle());
    expect(started).toBe(1);
    // A cycle that ends after the end has told it to.
    pool.prepareLater(bundle(), 0);
    await new Promise((resume) => setTimeout(resume, 1));
    expect(started).toBe(1);
  });

  it('prepares later only as it was told last', async () => {
    await start(1, { calm: '' });
    await take(bundle());
    const [soon, never] = [20, 60_000];
    pool.prepareLater(bundle('calm'), soon);
    pool.prepareNothing();
    pool.prepareLater(bundle('calm'), soon);
    pool.prepareLater(bundle('calm'), never);
    await new Promise((resume) => setTimeout(resume, 600));
    expect(pool.ready).toBe(0);
    pool.prepareLater(bundle('calm'), soon);
    await expect.poll(() => pool.ready).toBe(1);
  });

  it('makes processes prepare themselves when they have loaded the packages', async () => {
    root = makeProject({
      'worker.mjs': `import { appendFileSync } from 'node:fs';
      process.on('message', ({ fw, bundle, entry }) => {
        appendFileSync('received', JSON.stringify([fw, bundle, entry]) + '\\n');
        if (fw === 'warm') process.send({ fw: 'warmed', loaded: [] });
      });`,
    });
    const outDir = join(root, 'node_modules/.fw');
    const options = {
      file: join(root, 'worker.mjs'),
      cwd: root,
      env: process.env,
      inspect: false,
      preload: [],
    };
    const config = {
      entry: 'src/main.ts',
      address: { address: '127.0.0.1', family: 'IPv4', port: 1 },
      allowedHosts: [],
    };
    pool = new WarmPool(
      outDir,
      () => options,
      1,
      () => config,
    );
    await take(bundle());
    pool.prepare(bundle('calm'));
    const received = () =>
      existsSync(join(root, 'received')) ? readFileSync(join(root, 'received'), 'utf8') : '';
    const file = /"([^"]*run\.\d+\.mjs)"/;
    await expect.poll(() => received().split('\n').length).toBe(3);
    const name = file.exec(received())?.[1]?.replaceAll('\\\\', '\\');
    expect(
      received()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      ['warm', name, null],
      ['prepare', name, 'src/main.ts'],
    ]);
  });

  it('prepares no process that was killed while it was getting warm', async () => {
    await start(0);
    pool.close();
    const file = await workerFile();
    const options = { file, cwd: root, env: process.env, inspect: false, preload: [] };
    const config = vi.fn();
    pool = new WarmPool(join(root, 'node_modules/.fw'), () => options, 1, config);
    await take(bundle());
    const warmed = vi.spyOn(WorkerProcess.prototype, 'warm');
    pool.prepare(bundle());
    const worker = warmed.mock.contexts[0] as WorkerProcess;
    warmed.mockRestore();
    pool.close();
    await worker.exited;
    await worker.warming;
    expect(config).not.toHaveBeenCalled();
  });

  it('gives each bundle a name of its own while its process runs', async () => {
    await start(1, { calm: '' });
    await take(bundle());
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(1);
    const outDir = join(root, 'node_modules/.fw');
    const file = join(outDir, 'app.1.mjs');
    const made = {
      ...bundle('calm'),
      file,
    };
    writeFileSync(
      file,
      `import 'calm'; import { readFileSync, writeFileSync } from 'node:fs'; writeFileSync('url', import.meta.url);
      writeFileSync('map', readFileSync(new URL(\`\${import.meta.url}.map\`)));
      throw new Error('no server');`,
    );
    writeFileSync(mapFileOf(file), '{}');
    // Node has resolved the names of the bundle for this process: it need not find the package again.
    rmSync(join(root, 'node_modules/calm'), { recursive: true });
    const worker = await take(made);
    expect(await worker.boot(bootOrder(file))).toMatchObject({
      ready: false,
      error: { title: 'Error: no server' },
    });
    const url = readFileSync(join(root, 'url'), 'utf8');
    expect(url).toMatch(/run\.\d+\.mjs$/);
    expect(readFileSync(join(root, 'map'), 'utf8')).toBe('{}');
    for (const end of ['', '.map'])
      expect([existsSync(new URL(`${url}${end}`)), existsSync(`${file}${end}`)]).toEqual([false, true]);
  });

  it('does not load a package with side effects, nor the packages after it', async () => {
    await start(1, { calm: '', acting: 'setInterval(() => {}, 1000);', last: '' });
    await take(bundle());
    const all = bundle('calm', 'acting', 'last');
    pool.prepare(all);
    await expect.poll(() => pool.ready).toBe(1);
    expect((await take(all)).warmth).toMatchObject({ loaded: ['calm'] });
  });

  it('does not return a process that has loaded packages that are not in the bundle', async () => {
    await start(1, { calm: '' });
    await take(bundle());
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(1);
    expect((await take(bundle())).warmth.loaded).toEqual([]);
  });

  it('loads the drivers of the app after its packages, until the environment changes', async () => {
    await start(1, { calm: '', driver: '' });
    await take(bundle());
    const driver = pathToFileURL(join(root, 'node_modules/driver/index.js')).href;
    pool.drivers = [driver];
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(1);
    expect((await take(bundle('calm'))).warmth.loaded).toEqual(['calm', driver]);
    pool.drop();
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(1);
    expect((await take(bundle('calm'))).warmth.loaded).toEqual(['calm']);
  });

  it('does not load a driver with side effects again', async () => {
    await start(1, { calm: '', driver: 'setInterval(() => {}, 1000);' });
    await take(bundle());
    pool.drivers = [pathToFileURL(join(root, 'node_modules/driver/index.js')).href];
    pool.prepare(bundle('calm'));
    await expect.poll(() => pool.ready).toBe(1);
    expect((await take(bundle('calm'))).warmth.loaded).toEqual(['calm']);
  });

  it('returns a process that failed at its start, and does not start more of them', async () => {
    await start(2, {}, ['./broken.mjs']);
    await expect.poll(() => hasEnded(join(root, 'pid'))).toBe(true);
    const worker = await take(bundle());
    expect(worker.exit).toBe('exited with code 1');
    pool.prepare(bundle());
    expect(pool.ready).toBe(0);
    expect((await take(bundle())).pid).not.toBe(worker.pid);
    // The change that has asked for it may have corrected what was wrong.
    const before = started;
    pool.prepare(bundle());
    expect(started).toBe(before + 1);
  });

  it('starts none if its size is 0', async () => {
    await start(0);
    await take(bundle());
    pool.prepare(bundle());
    expect(pool.ready).toBe(0);
  });
});
