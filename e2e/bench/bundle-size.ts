// Bytes of a Worker that says hello, bundled as wrangler does it, minified and gzipped.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { Series } from './series.js';

const apps: Readonly<Record<string, string>> = {
  fw: "import { App } from 'fw'; export default new App().get('/', () => 'hello');",
  hono: "import { Hono } from 'hono'; export default new Hono().get('/', (c) => c.text('hello'));",
  h3: "import { H3 } from 'h3'; export default new H3().get('/', () => 'hello');",
  elysia:
    "import { Elysia } from 'elysia'; export default new Elysia({ aot: false }).get('/', () => 'hello');",
};

export function bundleSizes(): Series {
  return {
    name: 'bundle of a Worker, gzipped',
    unit: 'KB',
    better: 'less',
    base: 'fw',
    rounds: Object.fromEntries(Object.entries(apps).map(([name, source]) => [name, [sizeOf(source)]])),
  };
}

function sizeOf(contents: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length / 1000;
}
