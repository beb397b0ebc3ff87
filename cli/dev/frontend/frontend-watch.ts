// Watches the files of the frontend: Vite handles their changes, and their types are checked again.
import { extname, relative, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

const typed = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.json', '.vue', '.svelte'];

interface FrontendWatch {
  /** A file has changed, whichever it is. */
  onFile(): void;
  /** A file that has types has changed. */
  onTypes(): void;
  onProblem(text: string): void;
}

export function watchFrontend(folder: string, { onFile, onTypes, onProblem }: FrontendWatch): FSWatcher {
  const isIgnored = (path: string): boolean =>
    relative(folder, path)
      .split(sep)
      .some((part) => part === 'node_modules' || part === 'dist' || /^\.(?!\.|env)/.test(part));
  const watcher = watch(folder, { ignored: isIgnored, ignoreInitial: true });
  watcher.on('all', (_, path) => {
    onFile();
    if (typed.includes(extname(path))) onTypes();
  });
  watcher.on('error', (error) =>
    onProblem(`types of the frontend are not checked at its changes: ${(error as Error).message}`),
  );
  return watcher;
}
