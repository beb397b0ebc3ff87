// Passes the names of the sources that the hooks load to the program in the same thread, which is another bundle.

export interface SourceModule {
  readonly format: string;
  readonly source?: string | null;
  readonly shortCircuit?: boolean;
}

export interface SyncHooks<Context, Resolved> {
  resolve(name: string, context: Context, next: (name: string, context: Context) => Resolved): Resolved;
  load(url: string, context: Context, next: (url: string, context: Context) => SourceModule): SourceModule;
}

const key = Symbol.for('fw.loaded-sources');

interface Shared {
  readonly paths: Set<string>;
  listener?: (path: string) => void;
}

function shared(): Shared {
  const place = globalThis as { [key]?: Shared };
  place[key] ??= { paths: new Set() };
  return place[key];
}

export function tellLoaded(path: string): void {
  const { paths, listener } = shared();
  if (paths.has(path)) return;
  paths.add(path);
  listener?.(path);
}

/** Calls back for all sources that the hooks of this thread load, and have loaded. */
export function followLoaded(listener: (path: string) => void): void {
  const all = shared();
  all.listener = listener;
  for (const path of all.paths) listener(path);
}
