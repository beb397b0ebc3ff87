// Loads the app's packages into a process that waits for its bundle, up to the first with side effects on import.
import Module from 'node:module';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FromWorker } from './messages.js';

/**
 * Imports `specifiers` in order, resolved from `loader`. A package that fails, or leaves timers, sockets,
 * listeners, environment variables or module hooks behind, taints the process: its name is reported, the
 * supervisor discards this process, and that package with all after it is loaded only by the real boot, so that
 * instrumentation still loads before what it instruments.
 * @param touch runs once before the packages, and must not leave anything behind either
 */
export async function warmUp(
  loader: string,
  specifiers: string[],
  touch?: () => Promise<void>,
): Promise<FromWorker> {
  const loaded: string[] = [];
  const atRest = lastingResources().join();
  await touch?.();
  // Closed handles are still listed for a few turns of the event loop.
  for (let turns = 0; turns < 50 && lastingResources().join() !== atRest; turns += 1) await delay(1);
  if (specifiers.length === 0) return { fw: 'warmed', loaded };
  const { load } = await import(pathToFileURL(loader).href);
  await turn();
  const before = traces();
  for (const specifier of specifiers) {
    try {
      await load(specifier);
    } catch {
      return { fw: 'warmed', loaded, unsafe: specifier };
    }
    await turn();
    if (traces() !== before) return { fw: 'warmed', loaded, unsafe: specifier };
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
const passing = /^(FS|Close|Immediate|TickObject|Promise|PROMISE|Microtask|Zlib|GetAddrInfo)/;

function lastingResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => !passing.test(name))
    .sort();
}
