// Shared by the benches of requests: the servers as plain JavaScript, and the proof that one does the work.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { copyFramework } from './copy-framework.js';
import { formOf, type Workload } from './servers/workloads.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Those that serve the workloads of requests. */
export const requestServers: readonly string[] = [
  'node-http',
  'fw',
  'fastify',
  'hono',
  'h3',
  'elysia',
  'koa',
  'express',
  'jayson',
  'trpc',
  'orpc',
];

/**
 * Compiles them once, so that no loader runs inside the measured processes.
 *
 * @param names of the servers.
 * @param dist the built framework that `fw` runs on; this checkout's by default.
 */
export async function bundleServers(
  out: string,
  dist?: string,
  names: readonly string[] = requestServers,
): Promise<void> {
  await build({
    absWorkingDir: here,
    entryPoints: names.map((name) => `servers/${name}.ts`),
    outdir: out,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    bundle: true,
    packages: 'external',
    external: ['../../../dist/*'],
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  copyFramework(out, dist);
  for (const name of names) {
    const file = join(out, `${name}.mjs`);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../../../dist/framework/', './framework/'));
  }
}

/** A contender that does not do the work is not measured. */
export async function verify(contender: string, port: number, workload: Workload): Promise<void> {
  const { method, path, body, expected, isJson, headers: own } = formOf(workload, contender);
  const headers = { 'Content-Type': 'application/json', ...own };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body, headers }) });
  const text = await response.text();
  const isRight = isJson ? isDeepStrictEqual(JSON.parse(text), JSON.parse(expected)) : text === expected;
  if (response.status !== 200 || !isRight) {
    const got = `${response.status} ${text.slice(0, 200)}`;
    throw new Error(`${contender} answered ${got} to ${method} ${path}, not ${expected.slice(0, 200)}`);
  }
}
