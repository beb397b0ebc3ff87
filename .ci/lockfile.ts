// What package-lock.json says of packages, by their folders.

export interface LockedPackage {
  readonly version: string;
  /** Such as `sha512-` with the hash in Base64. */
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: true;
  /** Whether it is needed for development alone. */
  readonly dev?: true;
  /** Whether it is a link to a folder, which has no bytes of its own. */
  readonly link?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Where Node.js finds a package for one that is in `from`; undefined if it is not installed. */
export function resolvedPath({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folderAbove(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === '') return undefined;
  }
}

/** The folders of packages that one in `from` names, and of all that these need, sorted. */
export function neededPaths(lock: Lockfile, from: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (folder: string, wanted: readonly string[]): void => {
    for (const name of wanted) {
      const path = resolvedPath(lock, folder, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      visit(path, namesNeededBy(lock, path));
    }
  };
  visit(from, names);
  return [...found].sort();
}

/** The names of the packages that one needs where it is installed, with those that it leaves to others; sorted. */
export function namesNeededBy({ packages }: Lockfile, path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort();
}

/** The name of the package in a folder. */
export function nameAt(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
}
