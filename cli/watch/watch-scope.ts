// Which paths are watched: `src`, the settings of the project, and the files of the bundle that are elsewhere.
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';

// The files that package managers write last when a package was installed, updated or removed.
const installed = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];
const temporary =
  /(^4913$|~$|^\.#|^#.*#$|\.sw[a-z]$|\.tmp$|\.tmp[.-]|___jb_(tmp|old)___|^\.goutputstream-|\.crswap$|^\.DS_Store$)/;
/** Extensions of the files that Node loads from a package. */
const loadable = ['.js', '.cjs', '.mjs', '.json', '.node', '.wasm'];

export function isTemporary(file: string): boolean {
  return temporary.test(basename(file));
}

/** True for the files that package managers write last: packages may have changed though their text has not. */
export function tellsOfInstallation(file: string): boolean {
  return installed.includes(basename(file));
}

/** True if a change of the file changes the environment: settings, variables, packages. */
export function changesEnvironment(file: string, root: string): boolean {
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
  readonly #root: string;
  readonly #source: string;
  readonly #modules: string;
  readonly #files = new Set<string>();
  /** The directories of those files: a file that is removed and created again is found through them. */
  readonly #parents = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(root: string, configFile: string | undefined) {
    this.#root = root;
    this.#source = join(root, 'src');
    this.#modules = join(root, 'node_modules');
    if (configFile !== undefined) this.#files.add(configFile);
    this.addFiles(installedAbove(root));
  }

  /** The paths to watch from the start. */
  get begin(): string[] {
    return [this.#root, ...this.#files, ...this.#parents];
  }

  /** Returns the paths that were not watched before. */
  addFiles(files: readonly string[]): string[] {
    const news = files.filter((file) => !this.#isInSource(file) && !this.#files.has(file));
    for (const file of news) this.#files.add(file);
    const parents = [...new Set(news.map((file) => dirname(file)))].filter((one) => !this.#parents.has(one));
    for (const parent of parents) this.#parents.add(parent);
    return [...news, ...parents];
  }

  /** The same, for folders of files that are not bundled. */
  addFolders(folders: readonly string[]): string[] {
    const news = folders.filter((folder) => !this.#folders.has(folder));
    for (const folder of news) this.#folders.add(folder);
    return news;
  }

  /** Folders may have names of temporary files: `isTemporary` is for the files that are reported. */
  isIgnored(path: string): boolean {
    if (path === this.#root || path === this.#source) return false;
    if (path.startsWith(this.#source + sep))
      return relative(this.#source, path).split(sep).includes('node_modules');
    if (this.#files.has(path) || this.#parents.has(path)) return false;
    const folder = [...this.#folders].find((one) => path === one || path.startsWith(one + sep));
    if (folder !== undefined) return isForeignPart(relative(folder, path));
    if (dirname(path) === this.#modules) return !installed.includes(basename(path));
    if (path === this.#modules) return false;
    return dirname(path) !== this.#root || !changesEnvironment(path, this.#root);
  }

  #isInSource(file: string): boolean {
    return file.startsWith(this.#source + sep);
  }
}

/** In a workspace, the packages and the state of their installation are in a folder above the app. */
function installedAbove(root: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) found.push(...installed.map((name) => join(modules, name)));
  }
  return found;
}

/** True for the packages of a linked package, hidden folders, and files that Node does not load. */
function isForeignPart(name: string): boolean {
  if (name.split(sep).some((part) => part === 'node_modules' || /^\../.test(part))) return true;
  const extension = extname(name);
  return extension !== '' && !loadable.includes(extension);
}
