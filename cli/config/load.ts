// Finds the project that a command works on, and its fw.toml.
import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type AbsolutePath, absolutePath, folderOf, pathIn } from '../../framework/files/absolute-path.js';
import { readText } from '../files/read-text.js';
import { CliError } from '../terminal/errors.js';
import { parseSettings } from './parse.js';
import type { Settings } from './schema.js';

export interface Project {
  /** The app's directory. */
  root: AbsolutePath;
  settings: Settings;
  /** The fw.toml that named this project, if there is one. */
  configFile: AbsolutePath | undefined;
}

/**
 * Looks in `from` and above for the first directory with a fw.toml or a package.json. `[project] root` of
 * that fw.toml may point at the app; the app's own fw.toml then provides the keys that the first one does not set.
 */
export function loadProject(from: string): Project {
  const base = findBase(from);
  const configFile = pathIn(base, 'fw.toml');
  if (!existsSync(configFile)) {
    return { root: base, settings: { project: {}, generate: {}, dev: {} }, configFile: undefined };
  }
  const settings = readSettings(configFile, from);
  if (settings.project.root === undefined) return { root: base, settings, configFile };
  const root = absolutePath(resolve(base, settings.project.root));
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CliError(
      `${nameOf(configFile, from)}: project.root is "${settings.project.root}": no such directory`,
      {
        help: `give the app's directory relative to ${nameOf(configFile, from)}`,
      },
    );
  }
  const inner = join(root, 'fw.toml');
  if (root === base || !existsSync(inner)) return { root, settings, configFile };
  return { root, settings: merge(readSettings(inner, from), settings), configFile };
}

function findBase(from: string): AbsolutePath {
  const start = absolutePath(from);
  for (let folder = start; ; folder = folderOf(folder)) {
    if (existsSync(join(folder, 'fw.toml')) || existsSync(join(folder, 'package.json'))) return folder;
    if (folder === folderOf(folder)) return start;
  }
}

function readSettings(file: string, from: string): Settings {
  let text: string;
  try {
    text = readText(file);
  } catch (cause) {
    throw new CliError(`cannot read ${nameOf(file, from)}: ${(cause as Error).message}`, { cause });
  }
  return parseSettings(text, nameOf(file, from));
}

function nameOf(file: string, from: string): string {
  return relative(absolutePath(from), file) || file;
}

function merge(under: Settings, over: Settings): Settings {
  return {
    project: { ...under.project, ...over.project },
    generate: { ...under.generate, ...over.generate },
    dev: { ...under.dev, ...over.dev },
  };
}
