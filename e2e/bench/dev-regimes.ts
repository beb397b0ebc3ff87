// Save to the first new answer in the regimes that people live in, `fw dev` beside `tsx watch`, `node --watch` and
// `bun --watch`, the same app, in turn, and the floor of `fw dev`: esbuild's incremental build of the same files alone,
// with a source map and without. `npm run dev-regimes [-- --only small,3000 --rounds 3 --before ../../../other/dist]`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { context } from 'esbuild';
import { withMoreMemory } from '../../framework/client-gen/typescript7/go-memory.js';
import { exchange } from '../dev-load.js';
import { median, printTable } from './measure.js';

interface Regime {
  readonly what: string;
  readonly files: number;
  /** Bytes of text in one file of the app that is never saved. */
  readonly large?: number;
  /** Saves of a round. */
  readonly saves: number;
  /** Between an answer and the next save, in milliseconds. */
  readonly gap: number;
  /** Processes that do nothing but count. */
  readonly busy?: number;
  /** Saves in a second, of which the last is measured. */
  readonly burst?: number;
}

const regimes: Record<string, Regime> = {
  small: { what: 'a small app', files: 12, saves: 10, gap: 400 },
  busy: { what: 'three busy loops beside', files: 12, saves: 10, gap: 400, busy: 3 },
  burst: { what: 'ten saves in a second', files: 12, saves: 4, gap: 1_000, burst: 10 },
  300: { what: '300 files', files: 300, saves: 8, gap: 800 },
  3000: { what: '3,000 files', files: 3_000, saves: 6, gap: 1_500 },
  '2mb': { what: 'a file of 2 MB', files: 12, large: 2_000_000, saves: 8, gap: 800 },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(regimes).join() },
    contenders: { type: 'string', default: 'fw dev,tsx watch,node --watch,bun --watch' },
    rounds: { type: 'string', default: '3' },
    /** Another build of fw, whose `fw dev` runs beside this one. */
    before: { type: 'string' },
  },
});

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const commands: Record<string, readonly string[]> = {
  'fw dev': [process.execPath, join(checkout, 'dist/cli/main.js'), 'dev'],
  'tsx watch': [process.execPath, here('node_modules/tsx/dist/cli.mjs'), 'watch', 'src/main.ts'],
  'node --watch': [process.execPath, '--watch', '--watch-preserve-output', 'src/main.ts'],
  'bun --watch': [here('node_modules/@oven/bun-linux-x64/bin/bun'), '--watch', 'src/main.ts'],
};
/** What esbuild builds alone, by name: whether with a source map. */
const floors = new Map([
  ['esbuild', true],
  ['esbuild, no map', false],
]);
const contenders = values.contenders.split(',').filter((name) => {
  const { typescript } = process.features as { typescript?: string | false };
  if (name !== 'node --watch' || typescript) return true;
  console.log('node --watch is left out: Node.js runs TypeScript from version 22.18 on\n');
  return false;
});
if (values.before !== undefined) {
  commands.before = [process.execPath, resolve(values.before, 'cli/main.js'), 'dev'];
  contenders.splice(1, 0, 'before');
}

function cell(times: readonly number[]): string {
  return `${Math.round(median([...times]))} (${Math.round(Math.max(...times))})`;
}

async function measureRegime(regime: Regime): Promise<Map<string, number[]>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-regime-')));
  const times = new Map<string, number[]>([...contenders, ...floors.keys()].map((name) => [name, []]));
  const loops = Array.from({ length: regime.busy ?? 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const app = new SavedApp(root, regime);
  try {
    for (let round = 0; round < Number(values.rounds); round += 1) {
      // Each begins a round in turn.
      const order = [
        ...contenders.slice(round % contenders.length),
        ...contenders.slice(0, round % contenders.length),
      ];
      for (const name of order) times.get(name)?.push(...(await measure(commands[name] ?? [], app, regime)));
      for (const [name, hasMap] of floors)
        times.get(name)?.push(...(await measureBuild(app, regime, hasMap)));
    }
    return times;
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
}

/** Imports name their files, as Node.js wants it, so that all of them can run it. */
class SavedApp {
  readonly root: string;
  version = 0;

  constructor(root: string, { files, large }: Regime) {
    this.root = root;
    mkdirSync(join(root, 'src/routes'), { recursive: true });
    mkdirSync(join(root, 'node_modules'));
    for (const [name, target] of [
      ['fw', checkout],
      ['esbuild', join(checkout, 'node_modules/esbuild')],
    ] as const) {
      symlinkSync(target, join(root, 'node_modules', name));
    }
    writeFileSync(join(root, 'package.json'), '{"name":"bench-app","type":"module"}');
    const names = Array.from({ length: Math.max(1, files - 2) }, (_, index) => `route${index}`);
    for (const name of names) {
      const text = `import type { App } from 'fw';\nexport function ${name}(app: App): void {\n  app.get('/${name}/:id', (ctx) => ({ id: ctx.req.param('id') }));\n}\n`;
      writeFileSync(join(root, `src/routes/${name}.ts`), text);
    }
    if (large !== undefined) writeFileSync(join(root, 'src/large.ts'), largeText(large));
    writeFileSync(
      join(root, 'src/main.ts'),
      `import { App } from 'fw';
import { version } from './version.ts';
${large === undefined ? '' : `import { large } from './large.ts';\n`}${names.map((name) => `import { ${name} } from './routes/${name}.ts';`).join('\n')}
const app = new App();
${names.map((name) => `${name}(app);`).join('\n')}
app.get('/', () => ({ version${large === undefined ? '' : ', large: large.length'} }));
const port = Number(process.env.PORT);
if (process.versions.bun) (await import('fw/bun')).listen(app, port);
else await app.listen(port);
`,
    );
    this.save();
  }

  save(): number {
    this.version += 1;
    writeFileSync(join(this.root, 'src/version.ts'), `export const version: number = ${this.version};\n`);
    return this.version;
  }
}

/** Functions, as generated code has them. */
function largeText(bytes: number): string {
  const parts: string[] = ['export const large: ((value: number) => number)[] = [];\n'];
  for (let size = 0; size < bytes; size += parts.at(-1)?.length ?? bytes) {
    const index = parts.length;
    parts.push(
      `large.push(function step${index}(value: number): number {\n  const next = value * ${index} + 1;\n  return next > 100 ? next - ${index} : next;\n});\n`,
    );
  }
  return parts.join('');
}

async function measure(
  [file = '', ...args]: readonly string[],
  app: SavedApp,
  regime: Regime,
): Promise<number[]> {
  const port = await freePort();
  const child = spawn(file, args, {
    cwd: app.root,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'development' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await firstAnswer(port, app.version);
    await pause(1_500);
    const times: number[] = [];
    for (let index = 0; index < regime.saves; index += 1) {
      const burst = regime.burst ?? 1;
      for (let before = 1; before < burst; before += 1) {
        app.save();
        await pause(1_000 / burst);
      }
      const began = performance.now();
      await firstAnswer(port, app.save());
      times.push(performance.now() - began);
      await pause(regime.gap);
    }
    return times;
  } finally {
    await ended(child);
  }
}

/** The part of a save that no watcher with esbuild can avoid, with the options that `fw dev` sets. */
async function measureBuild(app: SavedApp, regime: Regime, hasMap: boolean): Promise<number[]> {
  const building = await withMoreMemory(400, () =>
    context({
      absWorkingDir: app.root,
      entryPoints: ['src/main.ts'],
      outfile: 'node_modules/.fw/floor.mjs',
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      keepNames: true,
      metafile: true,
      write: false,
      sourcemap: hasMap && 'external',
      sourcesContent: false,
    }),
  );
  try {
    await building.rebuild();
    const times: number[] = [];
    for (let index = 0; index < regime.saves; index += 1) {
      app.save();
      const began = performance.now();
      await building.rebuild();
      times.push(performance.now() - began);
      await pause(regime.gap);
    }
    return times;
  } finally {
    await building.dispose();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exit;
  clearTimeout(late);
}

/** Asks one request after the other until this version answers. */
async function firstAnswer(port: number, wanted: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await exchange(port, '/').catch(() => undefined);
    if (answer && answer.version >= wanted) return;
    if (Date.now() > deadline) throw new Error(`version ${wanted} did not answer within a minute`);
    if (!answer) await pause(1);
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = net.createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

const rows: string[][] = [];
for (const name of values.only.split(',')) {
  const regime = regimes[name];
  if (!regime) throw new Error(`no regime '${name}'; there are ${Object.keys(regimes).join(', ')}`);
  const times = await measureRegime(regime);
  rows.push([regime.what, ...[...times.values()].map(cell)]);
}
console.log('Save to the first new answer in milliseconds, median (worst)\n');
printTable(['', ...contenders, ...floors.keys()], rows);
