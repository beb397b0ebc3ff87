// A template of the user's own, given as a path: a folder, or a tar archive such as `git archive` writes it.
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type TarHeader, unpackTar } from 'modern-tar';
import { namedManager } from '../manager/package-manager.js';
import { CliError, UsageError } from '../terminal/errors.js';
import { shown } from './name.js';
import {
  type Entry,
  isLeftOut,
  MOST_BYTES,
  MOST_FILES,
  refused,
  templateFiles,
  tooMany,
} from './template-entries.js';
import type { Template, TemplateFile } from './templates.js';

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
/** The headers of many small files, and what fills their last block, come to the bytes of the files. */
const MOST_UNPACKED = 2 * MOST_BYTES;

const HOW =
  'give a folder, or an archive that this writes: git archive --format=tar.gz -o template.tar.gz HEAD';

/**
 * Reads all of it, so that nothing is written for a template that cannot be used.
 * @param source as the user typed it, which is also the name in messages and in the command that repeats it
 * @throws UsageError if there is nothing at the path, CliError for what cannot be a template
 */
export async function ownTemplate(source: string, cwd: string): Promise<Template> {
  if (/^[a-z][a-z+.-]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(source)) {
    throw new UsageError(
      `${shown(source)} is an address, and fw new downloads nothing`,
      'clone the repository, then give its folder: --template ./starter',
    );
  }
  const path = resolve(cwd, source.replace(/^~(?=[\\/]|$)/, homedir));
  const files = await filesOf(path, source);
  const { description, packageManager } = checkManifest(files, source);
  return {
    name: source,
    description: typeof description === 'string' ? description : '',
    packageManager: namedManager({ packageManager }),
    read: () => files,
  };
}

async function filesOf(path: string, source: string): Promise<TemplateFile[]> {
  try {
    const stat: Stats | undefined = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new UsageError(
        `there is no folder or archive ${shown(path)}`,
        'give the path of a folder or a tar archive, or a name that fw new --list shows',
      );
    }
    if (stat.isDirectory()) return templateFiles(folderEntries(path, source), source);
    if (stat.isFile()) return templateFiles(await archiveEntries(path, source), source);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(`cannot read the template ${shown(source)}: ${(cause as Error).message}`, { cause });
  }
  throw refused(source, 'it is neither a folder nor a file', 'give the path of a folder or a tar archive');
}

/** Without following links. */
function folderEntries(root: string, source: string): Entry[] {
  const entries: Entry[] = [];
  const walk = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder)) {
      const path = `${prefix}${name}`;
      if (isLeftOut(path)) continue;
      const place = join(folder, name);
      const stat = lstatSync(place);
      entries.push(entryOf(path, place, stat));
      // Folders count too: a home directory given by mistake would take minutes.
      if (entries.length > 2 * MOST_FILES) throw tooMany(source);
      if (stat.isDirectory()) walk(place, `${path}/`);
    }
  };
  walk(root, '');
  return entries;
}

function entryOf(path: string, place: string, stat: Stats): Entry {
  const common = {
    path,
    size: stat.size,
    executable: (stat.mode & 0o100) !== 0,
    read: () => readFileSync(place),
  };
  if (stat.isFile()) return { ...common, kind: 'file' };
  if (stat.isDirectory()) return { ...common, kind: 'folder' };
  if (stat.isSymbolicLink()) {
    return { ...common, kind: 'symbolic link', target: readlinkSync(place).replaceAll('\\', '/') };
  }
  return { ...common, kind: 'device or pipe' };
}

async function archiveEntries(file: string, source: string): Promise<Entry[]> {
  if (statSync(file).size > MOST_BYTES) {
    throw refused(source, `it is larger than ${MOST_BYTES / 1e6} MB`, 'leave the largest files out of it');
  }
  const bytes = readFileSync(file);
  if (begins(bytes, ZIP)) throw refused(source, 'it is a zip archive', HOW);
  const unpacked = begins(bytes, GZIP) ? unzipped(bytes, source) : bytes;
  try {
    const entries = await unpackTar(unpacked, { strict: true });
    return entries.map(({ header, data = new Uint8Array() }) => ({
      path: header.name,
      kind: kindOf(header),
      size: data.length,
      executable: ((header.mode ?? 0) & 0o100) !== 0,
      target: header.linkname ?? '',
      read: () => data,
    }));
  } catch (error) {
    throw refused(source, `it is not a whole tar archive (${(error as Error).message})`, HOW);
  }
}

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function unzipped(bytes: Uint8Array, source: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw refused(
        source,
        `it unpacks to more than ${MOST_UNPACKED / 1e6} MB`,
        'leave the largest files out of it',
      );
    }
    throw refused(source, `it cannot be unpacked (${(error as Error).message})`, HOW);
  }
}

const kinds: Readonly<Partial<Record<NonNullable<TarHeader['type']>, Entry['kind']>>> = {
  file: 'file',
  directory: 'folder',
  symlink: 'symbolic link',
  link: 'hard link',
};

function kindOf({ type = 'file' }: TarHeader): Entry['kind'] {
  return kinds[type] ?? 'device or pipe';
}

interface Manifest {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly packageManager?: unknown;
  readonly dependencies?: { readonly fw?: unknown };
}

function checkManifest(files: readonly TemplateFile[], source: string): Manifest {
  const file = files.find(({ path }) => path === 'package.json');
  if (file === undefined) {
    throw refused(
      source,
      'it has no package.json',
      'a template is a folder that looks like the app that it becomes',
    );
  }
  const manifest = parsed(file, source);
  if (typeof manifest.name !== 'string' || manifest.name === '') {
    throw refused(
      source,
      'its package.json has no name',
      'add one: it is what the name of the app takes the place of',
    );
  }
  if (typeof manifest.dependencies?.fw !== 'string') {
    throw refused(
      source,
      'its package.json does not depend on fw',
      'add "fw": "*" to its dependencies; fw new puts its own version there',
    );
  }
  return manifest;
}

function parsed({ content }: TemplateFile, source: string): Manifest {
  let found: unknown;
  try {
    found = JSON.parse(new TextDecoder().decode(content));
  } catch (error) {
    throw refused(source, `its package.json is not JSON: ${(error as Error).message}`, 'correct it');
  }
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
  throw refused(source, 'its package.json is not an object', 'correct it');
}
