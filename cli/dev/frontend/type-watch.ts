// Watches the sources of the frontend: Vite handles their changes, and their types are checked again.
import { extname, relative, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

const typed = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.json', '.vue', '.svelte'];

/** Calls back at every change of a file that has types. */
export function watchTypes(
  folder: string,
  onChange: () => void,
  onProblem: (text: string) => void,
): FSWatcher {
  const isIgnored = (path: string): boolean =>
    relative(folder, path)
      .split(sep)
      .some((part) => part === 'node_modules' || part === 'dist' || /^\.[^.]/.test(part));
  const watcher = watch(folder, { ignored: isIgnored, ignoreInitial: true });
  watcher.on('all', (_, path) => {
    if (typed.includes(extname(path))) onChange();
  });
  watcher.on('error', (error) =>
    onProblem(`types of the frontend are not checked at its changes: ${(error as Error).message}`),
  );
  return watcher;
}
