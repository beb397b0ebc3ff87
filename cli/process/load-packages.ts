// Loads the app's packages into a process that waits for its bundle, up to the first with side effects on import.
import Module from 'node:module';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { FromWorker } from './messages.js';

type Warmed = Extract<FromWorker, { fw: 'warmed' }>;

/** Imports a package as the app would. */
export type Load = (specifier: string) => Promise<unknown>;

/** Runs code of packages that the app will need. It may fail, for example with another version of a package. */
type Touch = (load: Load, loaded: readonly string[]) => Promise<void>;

/** What a process loads ahead of time. */
export interface WarmOrder {
  /** The file that the process will run. */
  readonly bundle: string;
  readonly specifiers: readonly string[];
  /** The bundle comes soon: packages are loaded, and nothing else is done that only saves time later. */
  readonly isSoon: boolean;
}

/** What runs code ahead of time that the app will need. It must not leave anything behind either. */
export interface Touches {
  /** Runs before the packages. */
  readonly before?: () => Promise<void>;
  /** Run after them, with those that were loaded. */
  readonly after?: readonly Touch[];
}

/**
 * Imports as a module in `file` would, which need not exist yet. Node remembers for each module what its names
 * resolve to, so that this file resolves them in no time later.
 */
export function importFrom(file: string): Load {
  const load = vm.runInThisContext('(specifier) => import(specifier)', {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as Load;
  // Node warns once, at the first import, that this constant is experimental. That would be printed beside what the app
  // prints, and tells its developer nothing.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    void load('node:module');
  } finally {
    process.emitWarning = emitWarning;
  }
  return load;
}

/**
 * Imports `specifiers` in order, resolved as from `bundle`. A package that fails, or leaves timers, sockets, listeners,
 * environment variables or module hooks behind, taints the process: its name is reported, the
 * supervisor discards this process, and that package with all after it is loaded only by the real boot, so that
 * instrumentation still loads before what it instruments.
 */
export async function warmUp(
  { bundle, specifiers, isSoon }: WarmOrder,
  touches: Touches = {},
): Promise<Warmed> {
  const load = importFrom(bundle);
  return isSoon ? loadEach(load, specifiers) : compileWhole(() => loadAll(load, specifiers, touches));
}

/**
 * Functions of what is loaded meanwhile are compiled with it. They usually are at their first call, which would be
 * during the boot.
 */
export async function compileWhole<Result>(load: () => Promise<Result>): Promise<Result> {
  v8.setFlagsFromString('--no-lazy');
  try {
    return await load();
  } finally {
    v8.setFlagsFromString('--lazy');
  }
}

async function loadAll(
  load: Load,
  specifiers: readonly string[],
  { before, after = [] }: Touches,
): Promise<Warmed> {
  const atRest = lastingResources().join();
  await before?.();
  await rest(atRest);
  if (specifiers.length === 0) return { fw: 'warmed', loaded: [] };
  const untouched = traces();
  const warmed = await loadEach(load, specifiers);
  if (warmed.unsafe !== undefined) return warmed;
  const { loaded } = warmed;
  for (const touch of after) {
    try {
      await touch(load, loaded);
    } catch {
      // A version of a package that has another API: the boot then compiles it, as without this.
    }
  }
  await rest(atRest);
  collectYoung();
  return traces() === untouched ? warmed : { ...warmed, unsafe: loaded[0] ?? '' };
}

async function loadEach(load: Load, specifiers: readonly string[]): Promise<Warmed> {
  const loaded: string[] = [];
  const untouched = traces();
  for (const specifier of specifiers) {
    try {
      await load(specifier);
    } catch {
      return { fw: 'warmed', loaded, unsafe: specifier };
    }
    await turn();
    if (traces() !== untouched) return { fw: 'warmed', loaded, unsafe: specifier };
    loaded.push(specifier);
  }
  return { fw: 'warmed', loaded };
}

/** Closed handles are still listed for a few turns of the event loop. */
async function rest(atRest: string): Promise<void> {
  for (let turns = 0; turns < 50 && lastingResources().join() !== atRest; turns += 1) await delay(1);
}

/** What loading has left behind would be collected in the middle of the boot, which takes some milliseconds. */
function collectYoung(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  v8.setFlagsFromString('--no-expose-gc');
  // Twice: objects are promoted to the old generation when they survive for the second time.
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

const hooks = Module as unknown as {
  _load: unknown;
  _resolveFilename: unknown;
  prototype: { require: unknown };
};
const originalHooks = [hooks._load, hooks._resolveFilename, hooks.prototype.require];

function traces(): string {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  const hooked = [hooks._load, hooks._resolveFilename, hooks.prototype.require].map(
    (hook, index) => hook !== originalHooks[index],
  );
  return JSON.stringify([lastingResources(), { ...process.env }, listeners, hooked]);
}

// Resources that an import itself uses for a moment.
const passing = /^(FS|Close|Immediate|TickObject|Promise|PROMISE|Microtask|Zlib|GetAddrInfo)/;

function lastingResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => !passing.test(name))
    .sort();
}
