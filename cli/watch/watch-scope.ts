// Which paths are watched: `src`, the settings of the project, and the files of the bundle that are elsewhere.
import { existsSync } from 'node:fs';
import { basename, extname, relative, sep } from 'node:path';
import {
  type AbsolutePath,
  absolutePath,
  folderOf,
  isInside,
  pathIn,
  spelledPath,
} from '../../framework/files/absolute-path.js';

// The files that package managers write last when a package was installed, updated or removed.
const installed = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];
const TEMPORARY =
  /(^4913$|~$|^\.#|^#.*#$|\.sw[a-z]$|\.tmp$|\.tmp[.-]|___jb_(tmp|old)___|^\.goutputstream-|\.crswap$|^\.DS_Store$)/;
/** Extensions of the files that Node loads from a package. */
const loadable = ['.js', '.cjs', '.mjs', '.json', '.node', '.wasm'];

export function isTemporary(file: string): boolean {
  return TEMPORARY.test(basename(file));
}

/** True for the files that package managers write last: packages may have changed though their text has not. */
export function tellsOfInstallation(file: string): boolean {
  return installed.includes(basename(file));
}

/** True if a change of the file changes the environment: settings, variables, packages. */
export function changesEnvironment(file: AbsolutePath, root: AbsolutePath): boolean {
  const name = relative(root, file);
  if (name.startsWith(`src${sep}`)) return false;
  return (
    name === 'package.json' ||
    basename(file) === '.env' ||
    basename(file) === 'fw.toml' ||
    /^tsconfig[^/\\]*\.json$/.test(name) ||
    tellsOfInstallation(file)
  );
}

export class WatchScope {
  readonly #root: AbsolutePath;
  readonly #source: AbsolutePath;
  readonly #modules: AbsolutePath;
  readonly #files = new Set<AbsolutePath>();
  /** The directories of those files: a file that is removed and created again is found through them. */
  readonly #parents = new Set<AbsolutePath>();
  readonly #folders = new Set<AbsolutePath>();

  constructor(root: AbsolutePath, configFile: AbsolutePath | undefined) {
    this.#root = root;
    this.#source = pathIn(root, 'src');
    this.#modules = pathIn(root, 'node_modules');
    if (configFile !== undefined) this.#files.add(configFile);
    this.addFiles(installedAbove(root));
  }

  /** The paths to watch from the start. */
  get begin(): AbsolutePath[] {
    return [this.#root, ...this.#files, ...this.#parents];
  }

  /** Returns the paths that were not watched before. */
  addFiles(files: readonly AbsolutePath[]): AbsolutePath[] {
    const news = files.filter((file) => !this.#isInSource(file) && !this.#files.has(file));
    for (const file of news) this.#files.add(file);
    const parents = [...new Set(news.map((file) => folderOf(file)))].filter((one) => !this.#parents.has(one));
    for (const parent of parents) this.#parents.add(parent);
    return [...news, ...parents];
  }

  /** The same, for folders of files that are not bundled. */
  addFolders(folders: readonly AbsolutePath[]): AbsolutePath[] {
    const news = folders.filter((folder) => !this.#folders.has(folder));
    for (const folder of news) this.#folders.add(folder);
    return news;
  }

  /**
   * Folders may have names of temporary files: `isTemporary` is for the files that are reported.
   *
   * @param name of a file or folder below what is watched; chokidar asks with `/` on every system
   */
  isIgnored(name: string): boolean {
    const path = spelledPath(name);
    if (path === this.#root || path === this.#source) return false;
    if (this.#isInSource(path)) return relative(this.#source, path).split(sep).includes('node_modules');
    if (this.#files.has(path) || this.#parents.has(path)) return false;
    const folder = [...this.#folders].find((one) => path === one || isInside(one, path));
    if (folder !== undefined) return isForeignPart(relative(folder, path));
    if (folderOf(path) === this.#modules) return !installed.includes(basename(path));
    if (path === this.#modules) return false;
    return folderOf(path) !== this.#root || !changesEnvironment(path, this.#root);
  }

  /**
   * The path of a file that chokidar reports. A link to a file of settings keeps its own name, which says what it is, as
   * `package.json` does.
   */
  pathOf(name: string): AbsolutePath {
    const named = spelledPath(name);
    return folderOf(named) === this.#root || this.#files.has(named) ? named : absolutePath(named);
  }

  /** Whether a file is watched for itself, with its folder, but not with what is above that. */
  isNamed(file: AbsolutePath): boolean {
    return this.#files.has(file);
  }

  #isInSource(file: AbsolutePath): boolean {
    return isInside(this.#source, file);
  }
}

/** In a workspace, the packages and the state of their installation are in a folder above the app. */
function installedAbove(root: AbsolutePath): AbsolutePath[] {
  const found: AbsolutePath[] = [];
  for (let folder = folderOf(root); folder !== folderOf(folder); folder = folderOf(folder)) {
    const modules = pathIn(folder, 'node_modules');
    if (existsSync(modules)) found.push(...installed.map((name) => pathIn(modules, name)));
  }
  return found;
}

/** True for the packages of a linked package, hidden folders, and files that Node does not load. */
function isForeignPart(name: string): boolean {
  if (name.split(sep).some((part) => part === 'node_modules' || /^\../.test(part))) return true;
  const extension = extname(name);
  return extension !== '' && !loadable.includes(extension);
}
