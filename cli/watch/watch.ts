// Watches the project and reports bursts of changes when they have settled; waits for files that are half written.
import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { stampOf, stampsBelow } from '../files/file-stamps.js';
import { FileWatch } from './watch-files.js';
import { isTemporary, WatchScope } from './watch-scope.js';

/** The quiet time that ends a burst of events, and the maximum duration of a burst, in milliseconds. */
const QUIET = 4;
const LONGEST = 60;
/** chokidar reports one change of a file per 50 ms; after this time, a change that it suppressed is looked for. */
const MUTED = 60;
/** An editor that replaces a file removes it, and creates it again within this time, in milliseconds. */
const REPLACED = 20;
/** How long a file may be empty before that counts as its content, in milliseconds. */
const EMPTY_FLASH = 80;

export interface WatchOptions {
  root: AbsolutePath;
  /** The fw.toml of the project if it is above the project's directory; its changes are reported too. */
  configFile: AbsolutePath | undefined;
  /** True for files that the watching process wrote itself; they are not reported. */
  isOwn?(file: AbsolutePath): boolean;
  /** At the first sign of a change, before it has settled; others may follow. */
  onFirst(file: AbsolutePath): void;
  /** After `onFirst`, if only a temporary file was created and removed. */
  onNothing(): void;
  /** The settled change. */
  onChange(files: AbsolutePath[]): void;
  /** A sentence for the person who runs it. */
  onProblem(text: string): void;
}

export class Watcher {
  readonly #options: WatchOptions;
  readonly #scope: WatchScope;
  readonly #pending = new Set<AbsolutePath>();
  readonly #added = new Set<AbsolutePath>();
  readonly #ghosts = new Set<AbsolutePath>();
  /** Files that were just removed. */
  readonly #removed = new Map<AbsolutePath, NodeJS.Timeout>();
  /** Files that were just reported, with their stamps. */
  readonly #recent = new Map<AbsolutePath, string>();
  readonly #reported: ReportedStamps;
  #files: FileWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #began = 0;

  private constructor(options: WatchOptions) {
    this.#options = options;
    this.#scope = new WatchScope(options.root, options.configFile);
    this.#reported = new ReportedStamps(stampsBelow(this.#scope.begin, this.#scope));
  }

  /** Settles when it watches. */
  static async open(options: WatchOptions): Promise<Watcher> {
    const watcher = new Watcher(options);
    watcher.#files = await FileWatch.open({
      scope: watcher.#scope,
      onProblem: options.onProblem,
      onEvent: (event, path) => watcher.#onEvent(event, path),
      // chokidar suppresses changes of a file that it has just reported: a second save in that time is found here.
      onRaw: (path) => watcher.#lookAgain(path),
    });
    return watcher;
  }

  /**
   * Adds files of the bundle that are outside of `src`.
   * @param files with the stamp from when they were read; a file that has changed since is reported
   * @param folders of linked packages that are not bundled
   */
  alsoWatch(files: ReadonlyMap<AbsolutePath, string | undefined>, folders: readonly AbsolutePath[]): void {
    const news = this.#scope.addFiles([...files.keys()]);
    const paths = [...news, ...this.#scope.addFolders(folders)];
    if (paths.length > 0) this.#files?.add(paths);
    // Files that may have been written since they were read, or before the watcher watched them.
    const late = [...files.keys()].filter((file) => files.get(file) !== undefined || news.includes(file));
    for (const file of late) this.#remember(file, files.get(file) ?? stampOf(file));
    for (const file of late) this.#lookAgain(file);
    if (late.length > 0) this.#lookAgainLater(late);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const timer of this.#removed.values()) clearTimeout(timer);
    this.#recent.clear();
    await this.#files?.close();
  }

  #onEvent(event: string, path: AbsolutePath): void {
    if (event === 'addDir' || event === 'unlinkDir' || isTemporary(path)) return;
    const removal = this.#removed.get(path);
    clearTimeout(removal);
    this.#removed.delete(path);
    if (event === 'unlink') {
      this.#removed.set(
        path,
        setTimeout(() => this.#onRemoved(path), REPLACED),
      );
      return;
    }
    const reported = event === 'change' ? this.#reported.ifUnchanged(path) : undefined;
    if (reported !== undefined) {
      // chokidar suppresses a save that follows.
      this.#recent.set(path, reported);
      this.#lookAgainLater([path]);
      return;
    }
    if (event === 'add' && removal === undefined) this.#added.add(path);
    this.#gather(path);
  }

  #onRemoved(path: AbsolutePath): void {
    this.#removed.delete(path);
    if (!this.#ghosts.delete(path)) this.#gather(path);
  }

  #gather(path: AbsolutePath): void {
    if (this.#options.isOwn?.(path)) return;
    if (this.#pending.size === 0) {
      this.#began = performance.now();
      this.#options.onFirst(path);
    }
    this.#pending.add(path);
    clearTimeout(this.#timer);
    const waited = performance.now() - this.#began;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#settle();
      },
      Math.max(0, Math.min(QUIET, LONGEST - waited)),
    );
  }

  async #settle(): Promise<void> {
    await Promise.all([...this.#pending].map(notEmpty));
    // More changes arrived meanwhile: their timer reports all of them.
    if (this.#timer || this.#pending.size === 0) return;
    const files = [...this.#pending].filter((file) => !this.#isGhost(file));
    this.#pending.clear();
    this.#added.clear();
    if (files.length === 0) return this.#options.onNothing();
    for (const file of files) this.#remember(file, stampOf(file));
    this.#lookAgainLater(files);
    this.#options.onChange(files);
  }

  #remember(file: AbsolutePath, stamp: string): void {
    this.#recent.set(file, stamp);
    this.#reported.note(file, stamp);
  }

  #lookAgainLater(files: readonly AbsolutePath[]): void {
    setTimeout(() => {
      for (const file of files) {
        this.#lookAgain(file);
        this.#recent.delete(file);
      }
    }, MUTED).unref();
  }

  #lookAgain(file: AbsolutePath): void {
    const known = this.#recent.get(file);
    const now = known === undefined ? known : stampOf(file);
    // A file that was removed may be about to be created again; chokidar reports it if not.
    if (now === known || now === 'gone' || this.#pending.has(file)) return;
    this.#recent.delete(file);
    // A file that is back with its folder is to be watched before it is removed once more.
    if (known === 'gone') this.#files?.findLost();
    this.#gather(file);
  }

  /** True for a temporary file of an editor: it was created in this burst and has already been removed. */
  #isGhost(file: AbsolutePath): boolean {
    if (!this.#added.has(file) || existsSync(file)) return false;
    this.#ghosts.add(file);
    return true;
  }
}

/** An editor that truncates and then writes shows an empty file for a moment. */
async function notEmpty(file: AbsolutePath): Promise<void> {
  const deadline = performance.now() + EMPTY_FLASH;
  for (;;) {
    const size = await stat(file).then(
      (found) => found.size,
      () => 1,
    );
    if (size > 0 || performance.now() > deadline) return;
    await delay(4);
  }
}

/**
 * How long a file can be written again without another time, in milliseconds: the clock of Linux stands still for up to
 * 10, and disks that keep whole seconds (FAT, HFS+) for up to 2,000.
 */
const grain = { usual: 20, wholeSeconds: 2500 };

export class ReportedStamps {
  readonly #stamps: Map<AbsolutePath, string>;

  /** @param first the files as they were when watching began */
  constructor(first: ReadonlyMap<AbsolutePath, string>) {
    this.#stamps = new Map(first);
  }

  note(file: AbsolutePath, stamp: string): void {
    this.#stamps.set(file, stamp);
  }

  /** The stamp of a file that is as it was reported last, or when watching began; undefined for another. */
  ifUnchanged(file: AbsolutePath, now: number = Date.now()): string | undefined {
    const known = this.#stamps.get(file);
    if (known === undefined || known !== stampOf(file)) return undefined;
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    const isSure = now - written > (written % 1000 === 0 ? grain.wholeSeconds : grain.usual);
    return isSure ? known : undefined;
  }
}
