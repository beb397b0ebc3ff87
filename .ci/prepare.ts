// Builds dist/ from the sources and links the checkout to itself, so that `npx fw` and a template's `import 'fw'`
// work right after `npm ci`. npm runs it after each change of node_modules, as the script `dependencies`, which it
// never runs for an installed package, and before `npm pack`. A fresh dist is kept.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { settingsJsonSchema } from '../cli/config/json-schema.js';
import { listTemplateFolders, packTemplates } from '../cli/new/templates.js';
import { retryBusySync } from '../framework/files/retry-busy.js';
import { buildPages } from './build-pages.js';
import { bundleFramework } from './bundle-framework.js';
import { bundledPackagePaths, readBundledPackage } from './bundled-packages.js';
import { writeClientText } from './client-text.js';
import { licenceList } from './licences.js';
import { openPackedFiles } from './packed-modes.js';
import { keepPublicTypes } from './public-types.js';
import { makeSbom, SBOM_FILE } from './sbom.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Where a build is made before it becomes dist/. */
const next = join(root, 'dist.next');
const stamp = join(dist, '.built');
const withSourceMaps = process.env.FW_SOURCE_MAPS === '1';

const frameworkEntries = [
  'framework/index.ts',
  'framework/auth/accounts/index.ts',
  'framework/auth/api-key/index.ts',
  'framework/auth/jwt/index.ts',
  'framework/auth/oidc/index.ts',
  'framework/auth/password/index.ts',
  'framework/client/runtime/index.ts',
  'framework/client-gen/index.ts',
  'framework/cluster/index.ts',
  'framework/middleware/compression/index.ts',
  'framework/env/index.ts',
  'framework/mail/index.ts',
  'framework/mcp/index.ts',
  'framework/middleware/csrf/index.ts',
  'framework/docs-page/index.ts',
  'framework/metrics/index.ts',
  'framework/middleware/index.ts',
  'framework/opentelemetry/index.ts',
  'framework/redis/index.ts',
  'framework/rpc/index.ts',
  'framework/runtime/bun/index.ts',
  'framework/runtime/deno/index.ts',
  'framework/runtime/lambda/index.ts',
  'framework/session/index.ts',
  'framework/websocket/index.ts',
  'framework/sql/drizzle/index.ts',
  'framework/sql/drizzle/workers.ts',
  'framework/sql/kysely/index.ts',
  'framework/testing/index.ts',
  'framework/testing/websocket/index.ts',
  'framework/tracing/index.ts',
];
/** What bundles for Workers have `framework/app/absent-on-workers.ts` for, by the condition `workerd` of `#lazy/*`. */
const notOnWorkers = [
  'framework/app/description/describe-app.ts',
  'framework/app/docs/describe-api.ts',
  'framework/mcp/mcp-route.ts',
  'framework/rpc/contract/socket-contract.ts',
  'framework/runtime/fetch-server.ts',
  'framework/runtime/node/serve.ts',
  'framework/static/file-server.ts',
];
const absentOnWorkers = 'framework/app/absent-on-workers.ts';
const cliEntries = [
  'cli/main.ts',
  'cli/dev/worker/worker.ts',
  'cli/generate/entry-process.ts',
  'cli/generate/generator.ts',
  'cli/process/sources/source-hooks.ts',
];
/** Optional peers of `fw/kysely` and `fw/drizzle`. */
const databasePackages = ['kysely', 'drizzle-orm', 'pg', 'mysql2', 'libsql', '@libsql/client'];
/** Packages that apps have themselves, or that come with fw, and their subpaths. */
const external = [
  '#docs-page-files',
  'esbuild',
  'jose',
  'openid-client',
  'redis',
  'typescript',
  'ws',
  'fw',
  ...databasePackages,
];
if (process.argv.includes('--force') || !isFresh()) await buildAll();
linkCheckout();
if (process.argv.includes('--packing')) openPackedFiles(root);

/** Builds beside dist/ and swaps, so that a server that runs from dist/ never meets half of it. */
async function buildAll(): Promise<void> {
  rmSync(next, { recursive: true, force: true });
  writeClientText();
  emitTypes();
  const framework = await bundleFramework({
    root,
    entries: [...frameworkEntries, absentOnWorkers],
    replaceable: notOnWorkers,
    external,
    outDir: join(next, 'framework'),
    withSourceMaps,
  });
  const cli = await bundleCli();
  const pageInputs = await buildPages(root, next);
  chmodSync(join(next, 'cli/main.js'), 0o755);
  writeTemplates();
  writeFileSync(join(next, 'fw-toml.schema.json'), JSON.stringify(settingsJsonSchema()));
  const bundled = writeBundledPackages([...framework, ...Object.keys(cli.inputs), ...pageInputs]);
  // It is not in the package: `npm run check:supply` compares the package with it.
  writeFileSync(join(next, '.built'), JSON.stringify(bundled));
  rmSync(dist, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  retryBusySync(() => renameSync(next, dist));
}

function emitTypes(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = ['-p', join(root, '.ci/tsconfig.types.json'), '--outDir', join(next, 'framework')];
  execFileSync(process.execPath, [tsc, ...args], { stdio: 'inherit' });
  const entries = frameworkEntries.map((entry) => relative('framework', entry));
  keepPublicTypes(join(next, 'framework'), join(next, 'sources'), join(root, 'framework'), entries);
}

async function bundleCli(): Promise<Metafile> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: cliEntries,
    outbase: 'cli',
    outdir: join(next, 'cli'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Names of functions and classes show in messages and stacks.
    keepNames: true,
    minify: true,
    lineLimit: 320,
    chunkNames: 'chunks/[name]-[hash]',
    external,
    metafile: true,
    // For npm run coverage alone.
    sourcemap: withSourceMaps && 'linked',
    logLevel: 'warning',
    // Bundled CommonJS packages call `require` for Node's own modules; ES modules have none.
    banner: {
      js: "import { createRequire as __fwCreateRequire } from 'node:module'; const require = __fwCreateRequire(import.meta.url);",
    },
  });
  return result.metafile;
}

function writeTemplates(): void {
  mkdirSync(join(next, 'templates'));
  for (const [name, bytes] of packTemplates(listTemplateFolders(join(root, 'templates')))) {
    writeFileSync(join(next, 'templates', name), bytes);
  }
}

/** Writes what of other packages is in dist/: the texts of their licences, and the SBOM. Returns their folders. */
function writeBundledPackages(inputs: readonly string[]): string[] {
  const paths = bundledPackagePaths(root, inputs);
  const packages = paths.map((path) => readBundledPackage(root, path));
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  );
  writeFileSync(join(next, 'LICENSES.md'), licenceList(packages));
  writeFileSync(join(next, SBOM_FILE), JSON.stringify(makeSbom(root, manifest, lock, packages), null, 1));
  return paths;
}

function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const inputs = ['framework', 'cli', '.ci', 'templates', 'package.json', 'package-lock.json'];
  return inputs.every((input) => newestMtime(join(root, input)) <= built);
}

function newestMtime(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((newest, name) => Math.max(newest, newestMtime(join(path, name))), stat.mtimeMs);
}

/** `node_modules/fw` → the checkout, and `node_modules/.bin/fw` → the binary. */
function linkCheckout(): void {
  const modules = join(root, 'node_modules');
  if (!existsSync(modules)) return;
  link(root, join(modules, 'fw'), 'junction');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  if (process.platform !== 'win32') link(join(dist, 'cli/main.js'), join(modules, '.bin/fw'), 'file');
}

function link(target: string, path: string, type: 'junction' | 'file'): void {
  const wanted = relative(dirname(path), target);
  const present = lstatSync(path, { throwIfNoEntry: false });
  // That of a junction is absolute.
  if (present?.isSymbolicLink() && resolve(dirname(path), readlinkSync(path)) === resolve(target)) return;
  if (present) rmSync(path, { recursive: true });
  symlinkSync(wanted, path, type);
}
