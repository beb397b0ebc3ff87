// Makes the tarball of the running `fw`, wherever it was installed from: the same bytes for the same files on every
// machine, because lock files hold a hash of it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'fflate';
import { createTar } from 'nanotar';
import { packageRoot } from '../process/package-root.js';
import { CliError } from '../terminal/errors.js';

export interface Tarball {
  readonly version: string;
  readonly content: Uint8Array;
}

/** As npm has it: a date that every tool can write. */
const mtime = Date.parse('1985-10-26T08:15:00Z');
/** What the header of a tar archive holds; longer names need an extension that nanotar does not write. */
const LONGEST_NAME = 100;

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly bin: Readonly<Record<string, string>>;
}

let packed: Tarball | undefined;

/** That of the running package, packed once for each process. */
export function ownPackage(): Tarball {
  packed ??= packPackage(packageRoot());
  return packed;
}

/** @throws CliError if a part of the package is missing */
export function packPackage(root: string): Tarball {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const binaries = Object.values(manifest.bin);
  const entries = publishedFiles(root, manifest.files).map((path) => ({
    name: named(`package/${path}`),
    data: readFileSync(join(root, path)),
    // Not the mode of the file, which Windows does not have and installers change.
    attrs: { mode: binaries.includes(path) ? '755' : '644' },
  }));
  const tar = createTar(entries, { attrs: { mtime, uid: 0, gid: 0 } });
  // An archive ends with two empty blocks.
  const archive = new Uint8Array(tar.length + 1024);
  archive.set(tar);
  // Written in JavaScript: what node:zlib makes depends on its version and on the processor.
  return { version: manifest.version, content: gzipSync(archive, { level: 9, mtime: 0 }) };
}

/** What `npm pack` takes for `files` of package.json, as far as the patterns of `fw` go; sorted. */
export function publishedFiles(root: string, patterns: readonly string[]): string[] {
  const always = readdirSync(root).filter((name) => /^(?:package\.json|readme.*|licen[cs]e.*)$/i.test(name));
  const left = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const taken = patterns.filter((one) => !one.startsWith('!')).flatMap((one) => matching(root, one));
  const paths = new Set([...always, ...taken].filter((path) => !left.includes(path)));
  return [...paths].sort((one, other) => (one < other ? -1 : 1));
}

/** The files of a path, or of a pattern such as `docs/*.md`. */
function matching(root: string, pattern: string): string[] {
  const [folder, ending] = pattern.split('*');
  const place = join(root, ending === undefined ? pattern : dirname(`${folder}x`));
  if (!existsSync(place)) {
    throw new CliError(`${place} is missing, which belongs to the package fw`, {
      help: existsSync(join(root, 'cli')) ? 'run: npm run build' : 'install fw again',
    });
  }
  if (ending === undefined) return filesBelow(root, pattern);
  return readdirSync(place)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}${name}`);
}

function filesBelow(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

function named(name: string): string {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`${name} is too long for a tar archive`);
  return name;
}
