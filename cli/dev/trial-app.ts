// A throw-away app with its own supervisor, for the tests of the cycle; no watcher: tests say what changed.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import picocolors from 'picocolors';
import { createBundler } from './bundler.js';
import type { Change } from './change.js';
import { workerEnvironment } from './environment.js';
import { type Listener, openListener } from './listener.js';
import { createReporter } from './report.js';
import { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface TrialApp {
  root: string;
  port: number;
  supervisor: Supervisor;
  listener: Listener;
  /** Everything printed so far, without colors. */
  printed(): string;
  write(path: string, text: string): string;
  /** Writes the file, tells the supervisor, waits for the end of the cycle. */
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
    const outfile = join(folder, 'worker.mjs');
    const entry = fileURLToPath(new URL('./worker.ts', import.meta.url));
    await esbuild.build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
    return outfile;
  })();
  return builtWorker;
}

export function makeProject(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-app-')));
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
  return root;
}

/** Starts the app and waits for its first cycle, good or bad. */
export async function startTrialApp(
  files: Record<string, string>,
  generate?: SupervisorOptions['generate'],
  more: Partial<SupervisorOptions> = {},
): Promise<TrialApp> {
  const root = makeProject(files);
  const file = await workerFile();
  const listener = await openListener(0, '127.0.0.1');
  const { port } = listener.address;
  const outDir = join(root, 'node_modules/.fw');
  const entry = join(root, 'src/main.ts');
  const bundler = createBundler(esbuild, root, () => entry, outDir);
  let output = '';
  const reporter = createReporter(
    {
      colors: picocolors.createColors(false),
      isTTY: false,
      clear: () => {},
      print: (line) => {
        output += `${line}\n`;
      },
    },
    root,
  );
  const supervisor = createSupervisor({
    root,
    entry: () => entry,
    outDir,
    listener,
    bundler,
    reporter,
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

  function write(path: string, text: string): string {
    writeFileSync(join(root, path), text);
    return join(root, path);
  }

  async function change(what: string, changed: string[], more: Partial<Change> = {}): Promise<void> {
    const began = performance.now();
    supervisor.change({ what, files: changed, rebuild: true, environment: false, began, ...more });
    await supervisor.idle();
  }

  await change('started', []);
  return {
    root,
    port,
    supervisor,
    listener,
    printed: () => output,
    write,
    save: (path, text, more) => change(`${path} changed`, [write(path, text)], more),
    get: (path, headers = {}) => get(port, path, headers),
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      }),
    async close() {
      await supervisor.close(1000);
      await bundler.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
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
    socket.on('close', () => resolve(text));
  });
}
