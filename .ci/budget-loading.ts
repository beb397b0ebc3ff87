// What starting loads, for .ci/check-budget.ts: modules and bytes of `fw`, of an app and of the binary, and the bytes of
// each entry of the package and of a bundle for Workers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { parseSync } from 'oxc-parser';
import type { Counts } from './budget.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** An app as a small service has it: some routes, and procedures. */
const app = `import { App } from 'fw';
import { RpcRegistry } from 'fw/rpc';
const app = new App();
app.get('/', (ctx) => ctx.text('Hello'));
app.get('/users/:id', (ctx) => ctx.json({ id: ctx.req.param('id') }));
app.post('/users', async (ctx) => ctx.json(await ctx.req.json()));
app.mountRpc('/rpc', new RpcRegistry().queryWithTypes('add', ({ a, b }) => ({ sum: a + b }), '{ a: number; b: number }', '{ sum: number }'));
const server = await app.listen(0);
await fetch('http://127.0.0.1:' + server.port + '/');
await server.close();`;

/** Writes each URL that is loaded: once it is registered, and by the loader's own thread. */
const hook = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + '\\n');
  return next(url, context);
}`;

/**
 * The modules, and what Node.js itself has to load for them.
 */
export function countStart(): Counts {
  const dir = mkdtempSync(join(root, 'node_modules', '.budget-'));
  try {
    const start = (name: string, text: string): Record<string, number> => {
      const file = join(dir, `${name}.mjs`);
      writeFileSync(file, text);
      return loadedBy(dir, file, []);
    };
    return {
      "start import 'fw'": start('import', "import 'fw';"),
      'start an app with RPC, first answer': start('app', app),
      'start fw --version': loadedBy(dir, join(root, 'dist/cli/main.js'), ['--version']),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function loadedBy(dir: string, file: string, args: readonly string[]): Record<string, number> {
  const list = join(dir, 'loaded.txt');
  writeFileSync(list, '');
  const asUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  const register = `import { register } from 'node:module';
    register(${JSON.stringify(asUrl(hook))});`;
  execFileSync(process.execPath, [`--import=${asUrl(register)}`, file, ...args], {
    env: { ...process.env, LOADED: list },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000,
  });
  const own = pathToFileURL(file).href;
  const urls = [...new Set(readFileSync(list, 'utf8').trimEnd().split('\n'))];
  const files = urls.filter((url) => url.startsWith('file:') && (url !== own || args.length > 0));
  return {
    modules: files.length,
    'modules of Node.js': urls.filter((url) => url.startsWith('node:')).length,
    bytes: files.map((url) => statSync(fileURLToPath(url)).size).reduce((sum, size) => sum + size, 0),
  };
}

/** A Worker that says hello, as wrangler bundles it: it has what it could use of `fw`, and nothing else. */
export function countBundles(): Counts {
  const contents = "import { App } from 'fw'; export default new App().get('/', () => 'hello');";
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    // Chunks import each other for their order, which a package without side effects does not need.
    logLevel: 'error',
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return {
    'bundle of a Worker': { bytes: bytes.length, 'bytes gzipped': gzipSync(bytes, { level: 9 }).length },
  };
}

/** Each entry of the package with everything that it imports statically from the package. */
export function countEntries(): Counts {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, target]) =>
      typeof target === 'string'
        ? []
        : [[`entry ${name.replace('.', 'fw')}`, closureOf(join(root, target.default))]],
    ),
  );
}

function closureOf(entry: string): Record<string, number> {
  const files = new Set([entry]);
  const packages = new Set<string>();
  let bytes = 0;
  // Those that are found on the way are added to the set, which the loop then comes to.
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    bytes += Buffer.byteLength(text);
    const { staticImports, staticExports } = parseSync(file, text).module;
    const named = [
      ...staticImports.map((one) => one.moduleRequest.value),
      ...staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest?.value)),
    ];
    for (const name of named) {
      if (name === undefined || name.startsWith('node:')) continue;
      if (name.startsWith('.')) files.add(join(dirname(file), name));
      else packages.add(name);
    }
  }
  return { modules: files.size, packages: packages.size, bytes };
}
