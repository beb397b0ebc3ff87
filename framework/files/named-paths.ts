// The paths of the files that another program names in its own spelling, such as a compiler or a bundler.
import { basename, dirname, sep } from 'node:path';
import { type AbsolutePath, absolutePath, pathIn } from './absolute-path.js';

export class NamedPaths {
  readonly #paths = new Map<string, AbsolutePath>();
  readonly #names = new Map<AbsolutePath, Set<string>>();
  readonly #folders = new Map<string, AbsolutePath>();

  /** The path that a name stands for. The disk is asked once for each name. */
  of(name: string): AbsolutePath {
    const known = this.#paths.get(name);
    if (known !== undefined) return known;
    const path = this.#look(name);
    this.#paths.set(name, path);
    const names = this.#names.get(path);
    if (names === undefined) this.#names.set(path, new Set([name]));
    else names.add(name);
    return path;
  }

  /** The name of a path; that with `/` if the program has not named it, which compilers use on every system. */
  nameOf(path: AbsolutePath): string {
    const [name = path.split(sep).join('/')] = this.#names.get(path) ?? [];
    return name;
  }

  /** All names of a path: a link in the sources has one, and its target another. */
  namesOf(path: AbsolutePath): readonly string[] {
    return [...(this.#names.get(path) ?? [this.nameOf(path)])];
  }

  /** Asks the disk again: files that were added or removed may be links, or what links lead to. */
  forget(): void {
    this.#paths.clear();
    this.#names.clear();
    this.#folders.clear();
  }

  /** Package managers link folders and no single files, of which packages have very many. */
  #look(name: string): AbsolutePath {
    if (!/[\\/]node_modules[\\/]/.test(name)) return absolutePath(name);
    const folder = dirname(name);
    const real = this.#folders.get(folder) ?? absolutePath(folder);
    this.#folders.set(folder, real);
    return pathIn(real, basename(name));
  }
}
