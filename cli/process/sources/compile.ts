// Compiles one source of the app by itself, with the app's esbuild.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { retryBusySync } from '../../../framework/files/retry-busy.js';
import { settleMainChecks } from '../../bundle/source-metadata.js';
import { addCommand } from '../../manager/package-manager.js';
import { tsconfigOf } from './own-files.js';
import type { SourceSettings } from './settings.js';

export interface Compiled {
  readonly format: 'module' | 'commonjs';
  readonly source: string;
}

/**
 * Kept in a file, for the next process.
 * @param required whether it has to be CommonJS, whatever it is written in
 */
export function compileSource(path: string, settings: SourceSettings, required = false): Compiled {
  const source = readFileSync(path, 'utf8');
  const format = required ? 'commonjs' : formatOf(path, source);
  const config = { compilerOptions: tsconfigOf(path)?.config.compilerOptions ?? {} };
  const stamp = JSON.stringify([path, settings.entry, format, config, process.version, source]);
  const name = `${createHash('sha1').update(stamp).digest('hex')}.js`;
  const kept = join(settings.cache, name);
  if (existsSync(kept)) return { format, source: readFileSync(kept, 'utf8') };
  const compiled = transform(path, source, format, config, settings);
  mkdirSync(settings.cache, { recursive: true });
  // Several processes and threads may write it at once.
  const own = `${kept}.${process.pid}.${performance.now()}`;
  writeFileSync(own, compiled);
  retryBusySync(() => renameSync(own, kept));
  return { format, source: compiled };
}

function transform(
  path: string,
  source: string,
  format: Compiled['format'],
  tsconfigRaw: object,
  { root, entry }: SourceSettings,
): string {
  const isEntry = path === entry;
  const { code } = loadEsbuild(root, path).transformSync(settleMainChecks(source, isEntry), {
    loader: extname(path).replace(/^\.[cm]?/, '') as Esbuild.Loader,
    format: format === 'module' ? 'esm' : 'cjs',
    platform: 'node',
    target: 'node20.19',
    keepNames: true,
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: pathToFileURL(path).href,
    tsconfigRaw,
    logLevel: 'silent',
    banner: format === 'module' ? commonNames(source) : '',
    define: {
      // The file that Node has started is one of fw. Older versions know no such property.
      ...('main' in import.meta && { 'import.meta.main': String(isEntry) }),
      ...(format === 'commonjs' && ownMeta(path)),
    },
  });
  return code;
}

function ownMeta(path: string): Record<string, string> {
  const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [`import.meta.${name}`, JSON.stringify(value)]),
  );
}

/** A bundle has the names of CommonJS in modules, too. */
function commonNames(source: string): string {
  const has = (name: string): boolean =>
    new RegExp(`\\b${name}\\b`).test(source) &&
    !new RegExp(`\\b(?:const|let|var|function|import)\\s+${name}\\b|[{,]\\s*${name}\\s*[,}]`).test(source);
  return [
    has('require') &&
      "import { createRequire as __fwCreateRequire } from 'node:module'; const require = __fwCreateRequire(import.meta.url);",
    has('__filename') && 'const __filename = import.meta.filename;',
    has('__dirname') && 'const __dirname = import.meta.dirname;',
  ]
    .filter(Boolean)
    .join(' ');
}

function loadEsbuild(root: string, path: string): typeof Esbuild {
  try {
    return createRequire(join(root, 'package.json'))('esbuild');
  } catch (cause) {
    const help = `install it: ${addCommand(root, 'esbuild', { dev: true })}`;
    throw new Error(`running ${basename(path)} needs esbuild in the app; ${help}`, { cause });
  }
}

/** By its extension, then by package.json, then by what it is written in. */
function formatOf(path: string, source: string): Compiled['format'] {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (/\.c[jt]s$/.test(path)) return 'commonjs';
  const type = packageType(dirname(path));
  if (type === 'module' || type === 'commonjs') return type;
  return /^[ \t]*(?:import\b(?!\s*\(|\s+\w+\s*=)|export\b(?!\s*=))|\bimport\.meta\b/m.test(source)
    ? 'module'
    : 'commonjs';
}

function packageType(folder: string): string | undefined {
  const manifest = join(folder, 'package.json');
  if (statSync(manifest, { throwIfNoEntry: false })?.isFile())
    return (JSON.parse(readFileSync(manifest, 'utf8').replace(/^\ufeff/, '')) as { type?: string }).type;
  return folder === dirname(folder) ? undefined : packageType(dirname(folder));
}
