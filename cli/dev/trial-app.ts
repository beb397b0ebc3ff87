// A temporary app with its own supervisor, for the tests of the cycle. It has no watcher: tests report the changes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import picocolors from 'picocolors';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { Bundler } from '../bundle/bundler.js';
import { workerEnvironment } from '../process/environment.js';
import type { Terminal } from '../terminal/output.js';
import type { Change } from '../watch/change.js';
import { RunMode } from './cycle/run-mode.js';
import { Listener } from './listener.js';
import { DevReport } from './report/dev-report.js';
import { Supervisor } from './supervisor.js';
import type { SupervisorOptions } from './supervisor-options.js';
import { CycleLog } from './workbench/cycle-log.js';
import { Workbench, type WorkbenchOptions } from './workbench/workbench.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface TrialApp {
  root: AbsolutePath;
  port: number;
  supervisor: Supervisor;
  listener: Listener;
  bundler: Bundler;
  workbench: Workbench;
  /** Everything printed so far, without colors. */
  printed(): string;
  write(path: string, text: string): AbsolutePath;
  /** Writes the file, reports it to the supervisor, and waits for the end of the cycle. */
  save(path: string, text: string, more?: Partial<Change>): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** An open connection that has sent nothing. */
  connect(): Promise<net.Socket>;
  close(): Promise<void>;
}

let builtWorker: Promise<string> | undefined;

/** The worker as JavaScript: the oldest supported Node cannot run the source. */
export function workerFile(): Promise<string> {
  builtWorker ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fw-worker-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const sources = { worker: './worker/worker.ts', 'source-hooks': '../process/sources/source-hooks.ts' };
    await esbuild.build({
      entryPoints: Object.entries(sources).map(([out, path]) => ({
        out,
        in: fileURLToPath(new URL(path, import.meta.url)),
      })),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['esbuild'],
      banner: {
        js: "import { createRequire as __fwCreateRequire } from 'node:module'; const require = __fwCreateRequire(import.meta.url);",
      },
    });
    return join(folder, 'worker.mjs');
  })();
  return builtWorker;
}

export function makeProject(files: Record<string, string>): AbsolutePath {
  const root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-app-')));
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
  return root;
}

/** Starts the app and waits for its first cycle, whether it succeeds or fails. */
export async function startTrialApp(
  files: Record<string, string>,
  generate?: SupervisorOptions['generate'],
  {
    workbench: page,
    ...more
  }: Partial<Omit<SupervisorOptions, 'workbench'>> & {
    workbench?: Partial<WorkbenchOptions>;
  } = {},
): Promise<TrialApp> {
  const root = makeProject(files);
  const file = await workerFile();
  const listener = await Listener.open(0, '127.0.0.1');
  const { port } = listener.address;
  const [outDir, entry] = [pathIn(root, 'node_modules/.fw'), pathIn(root, 'src/main.ts')];
  const bundler = new Bundler(esbuild, root, () => entry, outDir);
  const { terminal, printed } = recordingTerminal();
  const { report, workbench } = await openPage(root, listener, terminal, page);
  const supervisor = new Supervisor({
    root,
    entry: () => entry,
    outDir,
    mode: new RunMode({
      root,
      outDir,
      entry: () => entry,
      isBundled: () => true,
      conditions: () => [],
      hooks: join(dirname(file), 'source-hooks.mjs'),
    }),
    listener,
    bundler,
    report,
    workbench,
    allowedHosts: () => ['allowed.test'],
    warm: true,
    ...(generate && { generate }),
    workerOptions: () => ({
      file,
      cwd: root,
      env: workerEnvironment(root, port),
      inspect: false,
      preload: [],
    }),
    ...more,
  });

  const write = (path: string, text: string): AbsolutePath => {
    writeFileSync(join(root, path), text);
    return pathIn(root, path);
  };
  const change = async (what: string, changed: AbsolutePath[], more: Partial<Change> = {}): Promise<void> => {
    const began = performance.now();
    supervisor.change({ what, files: changed, rebuild: true, environment: false, began, ...more });
    await supervisor.idle();
  };
  await change('started', []);
  return {
    root,
    port,
    supervisor,
    listener,
    bundler,
    workbench,
    printed,
    write,
    save: (path, text, more) => change(`${path} changed`, [write(path, text)], more),
    get: (path, headers = {}) => get(port, path, headers),
    connect: () => connect(port),
    async close() {
      await supervisor.close(1000);
      workbench.close();
      await bundler.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function openPage(
  root: string,
  { address }: Listener,
  terminal: Terminal,
  more: Partial<WorkbenchOptions> = {},
): Promise<{ report: DevReport; workbench: Workbench }> {
  const log = new CycleLog(root);
  const report = new DevReport(terminal, root, log);
  const workbench = await Workbench.open({
    version: '0.0.0',
    name: 'trial',
    url: `http://127.0.0.1:${address.port}`,
    log,
    entry: join(root, 'src/main.ts'),
    address,
    environment: () => workerEnvironment(root, address.port),
    configFile: undefined,
    contract: () => ({ contract: join(root, 'src/rpc-contract.json') }),
    note: (text) => report.note(text),
    ...more,
  });
  return { report, workbench };
}

function recordingTerminal(): { terminal: Terminal; printed: () => string } {
  let output = '';
  const print = (line: string): void => {
    output += `${line}\n`;
  };
  const colors = picocolors.createColors(false);
  return { terminal: { colors, isTTY: false, clear: () => {}, print }, printed: () => output };
}

function connect(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

function get(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

/** Everything a socket receives until it closes. */
export function readAll(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
