// Loads the app's packages into a process that waits for its bundle, up to the first with side effects on import.
import Module from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { FromWorker } from './messages.js';

type Warmed = Extract<FromWorker, { fw: 'warmed' }>;

/** Imports a package as the app would. */
type Load = (specifier: string) => Promise<unknown>;

/** What a process loads ahead of time. */
export interface WarmOrder {
  /** The file that the process will run. */
  readonly bundle: string;
  readonly specifiers: readonly string[];
  /** The bundle comes soon: packages are loaded, and nothing else is done that only saves time later. */
  readonly isSoon: boolean;
}

/**
 * Imports as a module in `file` would, which need not exist yet. Node remembers for each module what its names
 * resolve to, so that this file resolves them in no time later.
 */
function importFrom(file: string): Load {
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
export async function warmUp({ bundle, specifiers, isSoon }: WarmOrder): Promise<Warmed> {
  const load = importFrom(bundle);
  return isSoon ? loadEach(load, specifiers) : compileWhole(() => loadEach(load, specifiers));
}

let isHurried = false;

/** The process is needed now: what it has not loaded yet is loaded when it runs the bundle, and only as far as it must. */
export function hurry(): void {
  isHurried = true;
  v8.setFlagsFromString('--lazy');
}

/**
 * Functions of what is loaded meanwhile are compiled with it. They usually are at their first call, which would be
 * during the boot.
 */
async function compileWhole<Result>(load: () => Promise<Result>): Promise<Result> {
  v8.setFlagsFromString('--no-lazy');
  try {
    return await load();
  } finally {
    v8.setFlagsFromString('--lazy');
  }
}

async function loadEach(load: Load, specifiers: readonly string[]): Promise<Warmed> {
  const loaded: string[] = [];
  const untouched = traces();
  for (const specifier of specifiers) {
    if (isHurried) break;
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
const PASSING = /^(FS|Close|Immediate|TickObject|Promise|PROMISE|Microtask|Zlib|GetAddrInfo)/;

function lastingResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => !PASSING.test(name))
    .sort();
}
