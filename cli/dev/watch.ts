// Watches the project and reports settled bursts of changes; a half-written file is waited for.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { stampOf } from './file-stamps.js';
import { watchFiles } from './watch-files.js';
import { WatchScope } from './watch-scope.js';

/** Quiet time that ends a burst of events, and the longest a burst may be gathered, in milliseconds. */
const quiet = 4;
const longest = 60;
/** chokidar reports one change of a file in 50 ms; when to look whether it kept another one back. */
const muted = 60;
/** How long an emptied file may stay empty before that is taken as meant. */
const emptyFlash = 80;

export interface WatchOptions {
  root: string;
  /** Files outside `src` whose change needs a new environment: fw.toml where it lies above the project. */
  configFile: string | undefined;
  /** True for what the watching process wrote itself: no change. */
  isOwn?(file: string): boolean;
  /** At the first sign of a change, before it has settled. */
  onFirst(): void;
  /** It was only a file that came and went. */
  onNothing(): void;
  /** The settled change: absolute paths. */
  onChange(files: string[]): void;
  /** A sentence for the person who runs it. */
  onProblem(text: string): void;
}

export interface Watcher {
  /**
   * What the bundle has outside `src`.
   * @param files with the stamp of when they were read: one that has changed since is reported.
   * @param folders whose files Node loads as they are
   */
  alsoWatch(files: ReadonlyMap<string, string | undefined>, folders: readonly string[]): void;
  close(): Promise<void>;
}

export async function watchProject(options: WatchOptions): Promise<Watcher> {
  const scope = new WatchScope(options.root, options.configFile);
  const pending = new Set<string>();
  const added = new Set<string>();
  const ghosts = new Set<string>();
  const recent = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let began = 0;

  const watcher = await watchFiles({
    scope,
    onProblem: options.onProblem,
    onEvent(event, path) {
      if (event === 'addDir' || event === 'unlinkDir') return;
      if (event === 'unlink' && ghosts.delete(path)) return;
      if (event === 'add') added.add(path);
      gather(path);
    },
    // chokidar mutes a file that it has just reported: a second save within that time is found here.
    onRaw: lookAgain,
  });

  function gather(path: string): void {
    if (options.isOwn?.(path)) return;
    if (pending.size === 0) {
      began = performance.now();
      options.onFirst();
    }
    pending.add(path);
    clearTimeout(timer);
    const waited = performance.now() - began;
    timer = setTimeout(
      () => {
        timer = undefined;
        void settle();
      },
      Math.max(0, Math.min(quiet, longest - waited)),
    );
  }

  async function settle(): Promise<void> {
    await Promise.all([...pending].map(notEmpty));
    // More came in meanwhile: its own timer reports all of it.
    if (timer || pending.size === 0) return;
    const files = [...pending].filter((file) => !isGhost(file));
    pending.clear();
    added.clear();
    if (files.length === 0) return options.onNothing();
    for (const file of files) recent.set(file, stampOf(file));
    lookAgainLater(files);
    options.onChange(files);
  }

  function lookAgainLater(files: readonly string[]): void {
    setTimeout(() => {
      for (const file of files) {
        lookAgain(file);
        recent.delete(file);
      }
    }, muted).unref();
  }

  function lookAgain(file: string): void {
    const known = recent.get(file);
    const now = known === undefined ? known : stampOf(file);
    // A file that is gone may be on its way back; chokidar tells in the end.
    if (now === known || now === 'gone' || pending.has(file)) return;
    recent.delete(file);
    gather(file);
  }

  /** A temporary file of an editor, under whatever name: it came in this burst and is gone already. */
  function isGhost(file: string): boolean {
    if (!added.has(file) || existsSync(file)) return false;
    ghosts.add(file);
    return true;
  }

  return {
    alsoWatch(files, folders) {
      const news = scope.addFiles([...files.keys()]);
      const paths = [...news, ...scope.addFolders(folders)];
      if (paths.length > 0) watcher.add(paths);
      // Written since it was read, or before the watcher has got to it.
      const late = [...files.keys()].filter((file) => files.get(file) !== undefined || news.includes(file));
      for (const file of late) recent.set(file, files.get(file) ?? stampOf(file));
      for (const file of late) lookAgain(file);
      if (late.length > 0) lookAgainLater(late);
    },
    async close() {
      clearTimeout(timer);
      recent.clear();
      await watcher.close();
    },
  };
}

/** An editor that truncates and then writes shows an empty file for a moment. */
async function notEmpty(file: string): Promise<void> {
  const deadline = performance.now() + emptyFlash;
  for (;;) {
    const size = await stat(file).then(
      (found) => found.size,
      () => 1,
    );
    if (size > 0 || performance.now() > deadline) return;
    await delay(4);
  }
}
