// Which requests the frontend's dev server does not get: Vite serves every file of the package below `/@fs/`, its
// editor to every site, and both to whoever can connect.
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';

/** What the frontend may read, as absolute paths. */
export interface FrontendPlace {
  /** Of the app. */
  readonly root: string;
  /** With Vite's configuration. */
  readonly folder: string;
  /** Files and folders of the app that the frontend imports. */
  readonly allowed: readonly string[];
}

/** Programs of Vite and its plugins that open an editor; `connect` compares without case. */
const editor = /\/(?:__|@)[^/]*(?:open-?in-?editor|launch-?editor)/i;
/** Never of use to a page. */
const secretFile = /(?:^|\/)(?:\.env(?:\..*)?|\.git|\.fw|fw\.toml)(?:\/|$)/i;
/** Not either, unless somebody has put it into `public/`. */
const privateFile = /\.(?:pem|key|crt|p12|db|sqlite3?)(?:-[a-z]+)?$/i;
/** Those that Vite tries for a path without one. */
const extensions = ['', '.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'];
/** How long the list of linked packages is kept, in milliseconds. */
const linksLife = 5000;

export class FrontendFiles {
  readonly #root: string;
  readonly #folder: string;
  readonly #allowed: readonly string[];
  #linked: { readonly folders: readonly string[]; readonly until: number } | undefined;

  constructor({ root, folder, allowed }: FrontendPlace) {
    this.#root = real(root) ?? root;
    this.#folder = real(folder) ?? folder;
    this.#allowed = allowed.map((path) => real(path) ?? path);
  }

  /** Why Vite does not get a request, or undefined. @param isOwn whether the developer has sent it */
  refusal(target: string, isOwn: boolean): string | undefined {
    const [path = ''] = target.split('?', 1);
    const texts = spellings(path);
    if (texts === undefined) return 'This is not a path of the frontend.\n';
    if (texts.some((text) => editor.test(text)))
      return 'fw dev opens no editor here: places in its own page and overlay do.\n';
    if (!isOwn && texts.some((text) => this.#isTool(text)))
      return 'Tools of the dev server are for its developer, at localhost.\n';
    if (texts.some((text) => this.#leadsOut(text))) return foreignFile;
    return undefined;
  }

  /** Plugins of Vite have their pages and programs below names such as `/__inspect/`. */
  #isTool(text: string): boolean {
    return /^(?!.*\/@(?:fs|id)\/).*\/__/.test(text) && !existsSync(join(this.#folder, text));
  }

  /** Whether a text leads to a file that is not the frontend's, read as a path below its folder or of the machine. */
  #leadsOut(text: string): boolean {
    const below = [join(this.#folder, text), join(this.#folder, posix.normalize(`/${text}`))];
    const named = [...below, ...namedPaths(text)].map(trimmed);
    if (named.some((path) => this.#isOfBackend(path))) return true;
    // A page may be called as a folder of the machine is, such as `/app` in a container: only files count.
    return [...named, trimmed(machinePath(text))].some((path) =>
      extensions.some((extension) => this.#isForeignFile(path + extension)),
    );
  }

  #isOfBackend(path: string): boolean {
    return isWithin(this.#root, path) && !this.#isOfFrontend(path);
  }

  #isForeignFile(path: string): boolean {
    const found = real(path);
    if (found === undefined || statSync(found, { throwIfNoEntry: false })?.isFile() !== true) return false;
    return this.#isSecret(found) || !this.#isOfFrontend(found);
  }

  #isSecret(path: string): boolean {
    const name = slashed(isWithin(this.#root, path) ? relative(this.#root, path) : basename(path));
    return secretFile.test(name) || (privateFile.test(name) && !/(?:^|\/)public\//.test(name));
  }

  #isOfFrontend(path: string): boolean {
    if ([this.#folder, ...this.#allowed].some((folder) => isWithin(folder, path))) return true;
    const inside = isWithin(this.#root, path) ? relative(this.#root, path) : path;
    if (/(?:^|\/)node_modules\//.test(slashed(inside))) return true;
    return this.#linkedPackages().some((folder) => isWithin(folder, path));
  }

  /** Packages of a workspace, which are links in `node_modules`, but not the app itself. */
  #linkedPackages(): readonly string[] {
    if (this.#linked === undefined || this.#linked.until < performance.now()) {
      const folders = ancestors(this.#folder)
        .flatMap((folder) => linksIn(join(folder, 'node_modules')))
        .filter((folder) => !isWithin(folder, this.#root) && !isWithin(folder, this.#folder));
      this.#linked = { folders, until: performance.now() + linksLife };
    }
    return this.#linked.folders;
  }
}

const foreignFile =
  'fw dev serves no file of the backend. If the frontend imports it, name it in fw.toml: [dev] frontend_allow = ["src/shared"]\n';

/** What a path may be read as: decoded up to twice, cut where Vite cuts. Undefined if it is not a path. */
function spellings(path: string): readonly string[] | undefined {
  // Browsers send neither.
  if (!path.startsWith('/') || /[#\\]/.test(path)) return undefined;
  const found = new Set([path]);
  try {
    const once = decodeURIComponent(path);
    found.add(once);
    if (/%[0-9a-f]{2}/i.test(once)) found.add(decodeURIComponent(once));
  } catch {
    // A `%` that was encoded, or one that is none: Vite refuses the latter.
  }
  for (const text of [...found]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: file systems end a name there
    const [cut = ''] = text.split(/[?#\u0000]/, 1);
    found.add(cut);
    found.add(cut.replaceAll('\\', '/'));
  }
  return [...found];
}

/** The paths of the machine that a text names: what follows each `/@fs/` and `/@id/`. */
function namedPaths(text: string): readonly string[] {
  return [...text.matchAll(/\/@(?:fs|id)(?=\/)/g)].map(({ index, 0: prefix }) =>
    machinePath(text.slice(index + prefix.length)),
  );
}

function machinePath(text: string): string {
  const path = text.replace(/^\/+(?:__x00__)?\/*/, '/');
  // A drive of Windows.
  return sep === '\\' && /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

function trimmed(path: string): string {
  return resolve(path.replace(/(?<=[^/\\])[/\\]+$/, ''));
}

/** The path as the file system has it, also in case. */
function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

function linksIn(folder: string): string[] {
  const names = namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((inner) => join(name, inner)) : [name],
  );
  return names.flatMap((name) => {
    const path = join(folder, name);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return (isLink && real(path)) || [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
