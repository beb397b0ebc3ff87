// The watcher of files itself: the system's, and where that has no more to give one that looks by itself.
import { type FSWatcher, watch } from 'chokidar';
import { stampOf, stampsBelow } from './file-stamps.js';
import type { WatchScope } from './watch-scope.js';

export interface FileWatchOptions {
  scope: WatchScope;
  onEvent(event: string, path: string): void;
  /** The system names a file, whether or not that becomes an event. */
  onRaw(path: string): void;
  /** A sentence for the person who runs it. */
  onProblem(text: string): void;
}

export interface FileWatch {
  add(paths: string[]): void;
  close(): Promise<void>;
}

/** Milliseconds between two looks at every file. */
const interval = 300;
/** By when the system has looked at a file once, in milliseconds. */
const firstLook = 2 * interval;

// What inotify has used up, and how to raise it; elsewhere EMFILE is the limit of open files.
const limits: Record<string, { used: string; raise: string }> = {
  ENOSPC: {
    used: 'fs.inotify.max_user_watches is used up',
    raise: 'sudo sysctl fs.inotify.max_user_watches=524288',
  },
  EMFILE: {
    used: 'fs.inotify.max_user_instances, or the number of open files, is used up',
    raise: 'sudo sysctl fs.inotify.max_user_instances=1024',
  },
};

/** Settles when it watches. */
export async function watchFiles(options: FileWatchOptions): Promise<FileWatch> {
  const { scope } = options;
  const added: string[] = [];
  let isPolling = false;
  let isClosed = false;
  /** Files that are looked at for the first time soon, as they were before or as the last event told of them. */
  const unseen = new Set<Map<string, string>>();
  const lateLooks = new Set<NodeJS.Timeout>();
  /** What was told here before the watcher saw it. */
  const toldEarly = new Map<string, string>();
  let watcher: FSWatcher;
  let begun: () => void = () => {};
  const ready = new Promise<void>((settle) => {
    begun = settle;
  });
  open();

  /** Events count from `ready` on: what comes before are the files that are there. */
  function open(): void {
    const opened = watch([...scope.begin, ...added], {
      ignoreInitial: true,
      ignored: (path) => scope.isIgnored(path),
      atomic: 20,
      usePolling: isPolling,
      interval,
      binaryInterval: interval,
    });
    watcher = opened;
    opened.on('error', (error) => failed(error as NodeJS.ErrnoException));
    opened.once('ready', () => {
      // It has been given up for another one meanwhile.
      if (opened !== watcher) return;
      begun();
      opened.on('all', isPolling ? onPolled : options.onEvent);
      opened.on('raw', (_event, _path, details) => {
        const { watchedPath } = (details ?? {}) as { watchedPath?: unknown };
        if (typeof watchedPath === 'string') options.onRaw(watchedPath);
      });
    });
  }

  function failed(error: NodeJS.ErrnoException): void {
    const limit = limits[error.code ?? ''];
    if (isClosed || (limit && isPolling)) return;
    if (!limit) {
      options.onProblem(`watching failed: ${error.message}`);
      return;
    }
    isPolling = true;
    lookLater([...scope.begin, ...added]);
    const { used, raise } = limit;
    options.onProblem(
      `the system watches no more files, because ${used}: looking for changes every ${interval} ms instead; to mend it: ${raise}`,
    );
    // One file fails after the other: only the first is told.
    void watcher.close();
    open();
  }

  function onPolled(event: string, path: string): void {
    const stamp = stampOf(path);
    for (const known of unseen) if (known.has(path)) known.set(path, stamp);
    if (toldEarly.get(path) === stamp) toldEarly.delete(path);
    else options.onEvent(event, path);
  }

  /** A file that is written before it is looked at for the first time would never be told of. */
  function lookLater(paths: readonly string[]): void {
    const isIgnored = (path: string) => scope.isIgnored(path);
    const known = stampsBelow(paths, isIgnored);
    unseen.add(known);
    const timer = setTimeout(() => {
      lateLooks.delete(timer);
      unseen.delete(known);
      const now = stampsBelow(paths, isIgnored);
      for (const [file, stamp] of now) {
        const before = known.get(file);
        if (before !== stamp) tellEarly(before === undefined ? 'add' : 'change', file, stamp);
      }
      for (const [file, stamp] of known) {
        if (!now.has(file) && stamp !== 'gone') tellEarly('unlink', file, 'gone');
      }
    }, firstLook);
    lateLooks.add(timer);
  }

  function tellEarly(event: string, file: string, stamp: string): void {
    toldEarly.set(file, stamp);
    options.onEvent(event, file);
  }

  await ready;
  return {
    add(paths) {
      added.push(...paths);
      if (isPolling) lookLater(paths);
      watcher.add(paths);
    },
    async close() {
      isClosed = true;
      for (const timer of lateLooks) clearTimeout(timer);
      await watcher.close();
    },
  };
}
