// The templates: in the checkout every directory of templates/ that has a package.json, so that a new template needs no
// code; in the package the same, compressed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { nearest } from '../../framework/options/nearest.js';
import type { PackageManager } from '../manager/package-manager.js';
import { packageRoot } from '../process/package-root.js';
import { UsageError } from '../terminal/errors.js';
import { shown } from './name.js';

export interface Template {
  name: string;
  description: string;
  /** That it asks for; undefined for any. */
  packageManager?: PackageManager | undefined;
  /** Its files under the names that they have in the app, sorted. */
  read(): TemplateFile[];
}

export interface TemplateFile {
  /** Relative to the app, with `/`. */
  path: string;
  content: Uint8Array;
  executable: boolean;
  /** True if only the user may read the file. */
  isSecret?: boolean;
}

/**
 * From simple to complete, which is the order in which templates are listed everywhere. `fullstack` is the last: it is
 * the only one with a page and a second dev server, and has the most files. Others follow by their names.
 */
const order: readonly string[] = ['basic', 'rpc', 'api-only', 'production', 'fullstack'];

/** What remains in a template's directory if the template was run there. */
const leftovers = new Set(['node_modules', 'dist', 'coverage', '.env', '.git', 'package-lock.json']);
const DATABASE = /\.db(?:-\w+)?$/;

/** Files that npm would not include in the package under their real names, and these names. */
export const renamed: Readonly<Record<string, string>> = { _gitignore: '.gitignore', _npmrc: '.npmrc' };

export function listTemplates(): Template[] {
  const sources = join(packageRoot(), 'templates');
  return existsSync(sources)
    ? listTemplateFolders(sources)
    : listPackedTemplates(join(packageRoot(), 'dist/templates'));
}

/** @param root the folder with a folder for each template */
export function listTemplateFolders(root: string): Template[] {
  return readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'package.json')))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
    .map((name) => ({
      name,
      description: describe(join(root, name)),
      read: () => filesIn(join(root, name), '').sort((a, b) => (a.path < b.path ? -1 : 1)),
    }));
}

function placeOf(name: string): number {
  const place = order.indexOf(name);
  return place === -1 ? order.length : place;
}

export function findTemplate(name: string, templates: readonly Template[]): Template {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const names = templates.map((template) => template.name);
  if (name !== '' && existsSync(name)) {
    throw new UsageError(
      `there is no template ${shown(name)}`,
      `for the folder of that name here, type: --template ./${name}`,
    );
  }
  const meant = nearest(name, names);
  throw new UsageError(
    `there is no template ${shown(name)}`,
    `${meant ? `did you mean --template ${meant}? ` : ''}Templates: ${names.join(', ')}`,
  );
}

/** Whether a file or a folder of that name came from running the template, and is not part of it. */
export function isLeftover(name: string): boolean {
  return leftovers.has(name) || DATABASE.test(name);
}

function filesIn(directory: string, prefix: string): TemplateFile[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !isLeftover(name))
    .flatMap((entry) => {
      const source = join(directory, entry.name);
      const path = `${prefix}${renamed[entry.name] ?? entry.name}`;
      if (entry.isDirectory()) return filesIn(source, `${path}/`);
      const executable = (statSync(source).mode & 0o100) !== 0;
      return [{ path, content: readFileSync(source), executable }];
    });
}

function describe(directory: string): string {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).description ?? '';
}

interface PackedFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
}

const INDEX_NAME = 'index.json';
const FILES_NAME = 'files.json.br';

/**
 * The files of dist/templates by their names.
 * @throws TypeError if a file of a template is not text
 */
export function packTemplates(templates: readonly Template[]): Map<string, Uint8Array> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const files: Record<string, PackedFile[]> = {};
  for (const { name, read } of templates) {
    files[name] = read().map(({ path, content, executable }) => ({
      path,
      text: utf8.decode(content),
      ...(executable && { executable }),
    }));
  }
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const index = templates.map(({ name, description }) => ({ name, description }));
  return new Map([
    [FILES_NAME, brotliCompressSync(JSON.stringify(files), { params })],
    [INDEX_NAME, Buffer.from(JSON.stringify(index))],
  ]);
}

/** @param folder dist/templates of the package */
export function listPackedTemplates(folder: string): Template[] {
  const index = JSON.parse(readFileSync(join(folder, INDEX_NAME), 'utf8')) as Omit<Template, 'read'>[];
  return index.map(({ name, description }) => ({ name, description, read: () => filesOf(name, folder) }));
}

function filesOf(name: string, folder: string): TemplateFile[] {
  const bytes = brotliDecompressSync(readFileSync(join(folder, FILES_NAME)));
  const files = JSON.parse(bytes.toString('utf8')) as Record<string, PackedFile[]>;
  return (files[name] ?? []).map(({ path, text, executable = false }) => ({
    path,
    content: Buffer.from(text),
    executable,
  }));
}
