// The runtimes beside Node.js: how each is started with the conformance cases, and how a request reaches one case.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SentRequest } from '../../framework/conformance/case.js';
import { freePort } from '../free-port.js';
import { bundleCases } from './bundle.js';

/** A runtime that serves the cases. */
export interface Serving {
  /** Where the case is served, and the request as it must be sent there. */
  reach(area: string, index: number, sent: SentRequest): { port: number; sent: SentRequest };
  stop(): Promise<void>;
}

export interface Runtime {
  /** The program; undefined if it is not installed. */
  readonly program: string | undefined;
  start(program: string, checkout: string, directory: string): Promise<Serving>;
}

const require = createRequire(import.meta.url);

function programOf(packageName: string, path: string): string | undefined {
  const folder = join(import.meta.dirname, 'node_modules', packageName);
  return existsSync(folder) ? join(dirname(require.resolve(`${packageName}/package.json`)), path) : undefined;
}

export const runtimes: Readonly<Record<string, Runtime>> = {
  Bun: {
    program: programOf('@oven/bun-linux-x64', 'bin/bun'),
    start: (program, checkout, directory) => serveCases(program, [], 'serve-cases', checkout, directory),
  },
  Deno: {
    program: programOf('@deno/linux-x64-glibc', 'deno'),
    start: (program, checkout, directory) =>
      serveCases(program, ['run', '--allow-all'], 'serve-cases', checkout, directory),
  },
  workerd: {
    program: programOf('@cloudflare/workerd-linux-64', 'bin/workerd'),
    start: serveWorker,
  },
  Lambda: {
    program: process.execPath,
    start: (program, checkout, directory) => serveCases(program, [], 'serve-lambda', checkout, directory),
  },
};

/** A server for each case, by the entry for the runtime. */
async function serveCases(
  program: string,
  args: readonly string[],
  entry: 'serve-cases' | 'serve-lambda',
  checkout: string,
  directory: string,
): Promise<Serving> {
  const file = join(directory, `${entry}.mjs`);
  await bundleCases(checkout, join(import.meta.dirname, `${entry}.ts`), file, false);
  const child = spawn(program, [...args, file], {
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ports = JSON.parse(await firstLine(child)) as Record<string, number[]>;
  return {
    reach: (area, index, sent) => ({ port: ports[area]?.[index] as number, sent }),
    stop: () => stopped(child),
  };
}

/** One worker, which serves the case that a header field names. */
async function serveWorker(program: string, checkout: string, directory: string): Promise<Serving> {
  const file = join(directory, 'worker.mjs');
  await bundleCases(checkout, join(import.meta.dirname, 'worker.ts'), file, true);
  const port = await freePort();
  writeFileSync(join(directory, 'config.capnp'), workerConfig(basename(file), port));
  const args = ['serve', join(directory, 'config.capnp'), '--control-fd=1'];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await firstLine(child);
  return {
    reach: (area, index, sent) => ({
      port,
      sent: { ...sent, headers: { ...sent.headers, 'fw-conformance-case': JSON.stringify([area, index]) } },
    }),
    stop: () => stopped(child),
  };
}

function workerConfig(file: string, port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "cases", worker = (
    modules = [(name = "${file}", esModule = embed "${file}")],
    compatibilityDate = "2026-04-01",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "cases")],
);
`;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) if (line.startsWith('{')) return line;
  throw new Error(`${child.spawnfile} ended before it was ready`);
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
