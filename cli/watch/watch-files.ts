// The file watcher: uses the events of the system, and polls if the system's limits are used up.
import { existsSync } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';
import { type AbsolutePath, folderOf } from '../../framework/files/absolute-path.js';
import { stampOf, stampsBelow } from '../files/file-stamps.js';
import { pollingInterval, USUAL_INTERVAL } from './polling.js';
import type { WatchScope } from './watch-scope.js';

export interface FileWatchOptions {
  scope: WatchScope;
  onEvent(event: string, path: AbsolutePath): void;
  /** The system reported a file, whether or not that becomes an event. */
  onRaw(path: AbsolutePath): void;
  /** A sentence for the person who runs it. */
  onProblem(text: string): void;
}

export class FileWatch {
  readonly #options: FileWatchOptions;
  readonly #added: AbsolutePath[] = [];
  /** Stamps of files that have not been polled yet, as they were before or at their last event. */
  readonly #unseen = new Set<Map<AbsolutePath, string>>();
  readonly #lateLooks = new Set<NodeJS.Timeout>();
  /** Stamps of changes that were reported here before the polling watcher noticed them. */
  readonly #reportedEarly = new Map<AbsolutePath, string>();
  /** Files outside of `src` that are gone with their folder: where that is created again, the system may not tell. */
  readonly #lost = new Set<AbsolutePath>();
  #search: NodeJS.Timeout | undefined;
  readonly #ready: Promise<void>;
  #begun: () => void = () => {};
  #watcher: FSWatcher;
  readonly #interval: number;
  #isPolling: boolean;
  #isClosed = false;

  private constructor(options: FileWatchOptions) {
    this.#options = options;
    const polled = pollingInterval();
    this.#isPolling = polled !== undefined;
    this.#interval = polled ?? USUAL_INTERVAL;
    this.#ready = new Promise((settle) => {
      this.#begun = settle;
    });
    this.#watcher = this.#open();
    if (this.#isPolling) this.#lookLater(this.#paths);
  }

  /** Settles when it watches. */
  static async open(options: FileWatchOptions): Promise<FileWatch> {
    const watch = new FileWatch(options);
    await watch.#ready;
    return watch;
  }

  add(paths: AbsolutePath[]): void {
    this.#added.push(...paths);
    if (this.#isPolling) this.#lookLater(paths);
    this.#watcher.add(paths);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#lateLooks) clearTimeout(timer);
    clearInterval(this.#search);
    await this.#watcher.close();
  }

  get #paths(): AbsolutePath[] {
    return [...this.#options.scope.begin, ...this.#added];
  }

  /** Events are used from `ready` on; those before it are about the existing files. */
  #open(): FSWatcher {
    const opened = watch(this.#paths, {
      ignoreInitial: true,
      ignored: (path) => this.#options.scope.isIgnored(path),
      // It would ignore folders whose names end with '~'; `Watcher` joins the removal and the creation of a file itself.
      atomic: false,
      usePolling: this.#isPolling,
      interval: this.#interval,
      binaryInterval: this.#interval,
    });
    opened.on('error', (error) => this.#failed(error as NodeJS.ErrnoException));
    opened.once('ready', () => {
      // It may have been replaced by another watcher meanwhile.
      if (opened === this.#watcher) this.#listen(opened);
    });
    return opened;
  }

  #listen(watcher: FSWatcher): void {
    const { scope, onRaw } = this.#options;
    this.#begun();
    watcher.on('all', (event, name) => {
      const path = scope.pathOf(name);
      if (event === 'add') this.#lost.delete(path);
      if (event !== 'unlink' || !this.#lose(path)) this.#report(event, path);
    });
    watcher.on('raw', (_event, _path, details) => {
      const { watchedPath } = (details ?? {}) as { watchedPath?: unknown };
      if (typeof watchedPath !== 'string') return;
      const path = scope.pathOf(watchedPath);
      // chokidar never reports a removal within 5 ms of a save if the folder is gone, too.
      this.#lose(path);
      onRaw(path);
    });
  }

  #report(event: string, path: AbsolutePath): void {
    if (this.#isPolling) this.#onPolled(event, path);
    else this.#options.onEvent(event, path);
  }

  /**
   * Reports the removal of a file outside of `src` whose folder is gone, too, and looks for it from then on: it returns by
   * a `git checkout`, or an installation of packages. False for other files.
   */
  #lose(file: AbsolutePath): boolean {
    if (this.#lost.has(file)) return true;
    if (this.#isClosed || !this.#options.scope.isNamed(file) || existsSync(folderOf(file))) return false;
    this.#lost.add(file);
    this.#search ??= setInterval(() => this.findLost(), this.#interval).unref();
    this.#report('unlink', file);
    return true;
  }

  /** Looks at once for the files that are gone with their folders, rather than at the next interval. */
  findLost(): void {
    const found = [...this.#lost].filter((file) => existsSync(file));
    if (found.length === 0) return;
    for (const file of found) this.#lost.delete(file);
    this.#watcher.add([...new Set(found.flatMap((file) => [file, folderOf(file)]))]);
    for (const file of found) this.#options.onEvent('add', file);
    if (this.#lost.size > 0) return;
    clearInterval(this.#search);
    this.#search = undefined;
  }

  #failed(error: NodeJS.ErrnoException): void {
    const limit = watchLimit(error.code);
    if (this.#isClosed || (limit && this.#isPolling)) return;
    if (!limit) {
      this.#options.onProblem(`watching failed: ${error.message}`);
      return;
    }
    this.#isPolling = true;
    this.#lookLater(this.#paths);
    const { used, raise } = limit;
    this.#options.onProblem(
      `the system cannot watch more files, because ${used}: polling every ${this.#interval} ms instead; to fix it: ${raise}`,
    );
    // Every further file fails in the same way: only the first failure is reported.
    void this.#watcher.close();
    this.#watcher = this.#open();
  }

  #onPolled(event: string, path: AbsolutePath): void {
    const stamp = stampOf(path);
    for (const known of this.#unseen) if (known.has(path)) known.set(path, stamp);
    if (this.#reportedEarly.get(path) === stamp) this.#reportedEarly.delete(path);
    else this.#options.onEvent(event, path);
  }

  /** Without this, a file that is written before it is polled for the first time would never be reported. */
  #lookLater(paths: readonly AbsolutePath[]): void {
    const { scope } = this.#options;
    const known = stampsBelow(paths, scope);
    this.#unseen.add(known);
    const timer = setTimeout(() => {
      this.#lateLooks.delete(timer);
      this.#unseen.delete(known);
      this.#reportChanges(known, stampsBelow(paths, scope));
      // By then every file has been polled once.
    }, 2 * this.#interval);
    this.#lateLooks.add(timer);
  }

  #reportChanges(known: ReadonlyMap<AbsolutePath, string>, now: ReadonlyMap<AbsolutePath, string>): void {
    for (const [file, stamp] of now) {
      const before = known.get(file);
      if (before !== stamp) this.#reportEarly(before === undefined ? 'add' : 'change', file, stamp);
    }
    for (const [file, stamp] of known) {
      if (!now.has(file) && stamp !== 'gone') this.#reportEarly('unlink', file, 'gone');
    }
  }

  #reportEarly(event: string, file: AbsolutePath, stamp: string): void {
    this.#reportedEarly.set(file, stamp);
    this.#options.onEvent(event, file);
  }
}

interface WatchLimit {
  readonly used: string;
  readonly raise: string;
}

/** Each file and folder takes one of them on other systems than Linux. */
const OPEN_FILES = 'the number of open files is used up';

const macos: WatchLimit = {
  used: OPEN_FILES,
  raise: 'ulimit -n 65536, and if that is refused: sudo sysctl kern.maxfilesperproc=65536',
};
const elsewhere: WatchLimit = { used: OPEN_FILES, raise: 'end programs that have many files open' };
const linux: Readonly<Record<string, WatchLimit>> = {
  ENOSPC: {
    used: 'fs.inotify.max_user_watches is used up',
    raise: 'sudo sysctl fs.inotify.max_user_watches=524288',
  },
  EMFILE: {
    used: 'fs.inotify.max_user_instances, or the number of open files, is used up',
    raise: 'sudo sysctl fs.inotify.max_user_instances=1024',
  },
};

/** The limit that an error of watching is about; undefined if it is about something else. */
export function watchLimit(
  code: string | undefined,
  platform: NodeJS.Platform = process.platform,
): WatchLimit | undefined {
  if (platform === 'linux') return linux[code ?? ''];
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined;
  return platform === 'darwin' ? macos : elsewhere;
}
