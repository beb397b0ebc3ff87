// What to do about an import that leads nowhere.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { nearest } from '../../framework/options/nearest.js';
import { meantFile } from '../files/meant-file.js';
import { readJson } from '../files/read-text.js';
import { addCommand, readManifest } from '../manager/package-manager.js';

/** @param message of Node.js; undefined if it is about something else, or nothing is known */
export function importRemedy(message: string): string | undefined {
  const missing = /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(message)?.[1];
  if (missing !== undefined)
    return isAlias(missing) ? ALIAS : `Is it installed? ${addCommand(process.cwd(), missing)}`;
  const meant = meantFileIn(message) ?? meantSubpathIn(message);
  return meant === undefined ? linkedRemedy(message) : `Did you mean '${meant}'?`;
}

/** For a package that is linked, as those of a workspace are, whose package.json leads to a file that is not there. */
function linkedRemedy(message: string): string | undefined {
  const path = /^Cannot find (?:module|package) '([^'\n]+)'/.exec(message)?.[1];
  if (path === undefined || !isAbsolute(path) || !/[/\\]node_modules[/\\]/.test(path)) return undefined;
  let folder = dirname(path);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  const real = realpathSync(folder);
  if (/[/\\]node_modules[/\\]/.test(real)) return undefined;
  const { name = basename(folder), scripts } = readManifest(folder) ?? {};
  const shown = relative(process.cwd(), real);
  return typeof (scripts as { build?: unknown } | undefined)?.build === 'string'
    ? `Is '${name}' built? Run its build in ${shown}`
    : `'${name}' has no such file: is the one right that ${join(shown, 'package.json')} names?`;
}

const ALIAS =
  'It is not a package: give a relative path, or name its folder by "paths" in the tsconfig.json of the app';

/** `@/rpc.ts`, `~/rpc.ts` or `src/rpc.ts`: a package that is installed by such a name is one of somebody else. */
function isAlias(name: string): boolean {
  return name === 'src' || !/^(?:@[^/]+\/)?[a-z0-9]/i.test(name);
}

function meantFileIn(message: string): string | undefined {
  const path = /^(?:Cannot find module|Directory import) '([^'\n]+)'/.exec(message)?.[1];
  if (path === undefined || !isAbsolute(path)) return undefined;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const meant = meantFile(isFolder ? join(path, 'index') : path);
  if (meant === undefined) return undefined;
  return isFolder ? `${basename(path)}/${meant}` : meant;
}

function meantSubpathIn(message: string): string | undefined {
  const [, subpath = '', manifest = ''] =
    /^Package subpath '\.\/([^'\n]+)' is not defined by "exports" in (.+?[/\\]package\.json)/.exec(message) ??
    [];
  if (subpath === '') return undefined;
  try {
    const { name, exports } = readJson(manifest) as { name: string; exports: object };
    const meant = nearest(
      subpath,
      Object.keys(exports).map((key) => key.replace(/^\.\/?/, '')),
    );
    return meant === undefined || meant === '' ? undefined : `${name}/${meant}`;
  } catch {
    // Without the file, the message says what it can.
    return undefined;
  }
}
