// The watcher of files itself: the system's, and where that has no more to give one that looks by itself.
import { type FSWatcher, watch } from 'chokidar';
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
      opened.on('all', options.onEvent);
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
    const { used, raise } = limit;
    options.onProblem(
      `the system watches no more files, because ${used}: looking for changes every ${interval} ms instead; to mend it: ${raise}`,
    );
    // One file fails after the other: only the first is told.
    void watcher.close();
    open();
  }

  await ready;
  return {
    add(paths) {
      added.push(...paths);
      watcher.add(paths);
    },
    async close() {
      isClosed = true;
      await watcher.close();
    },
  };
}
