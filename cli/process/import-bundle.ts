// Imports the app's bundle, without the time that Node takes for its source map.
import { existsSync } from 'node:fs';
import inspector from 'node:inspector';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mapFileOf } from '../bundle/source-map.js';
import type { BootOrder } from './messages.js';

let last: string | undefined;

/** The file of the bundle that this process has imported, or tried to. */
export function importedBundle(): string | undefined {
  return last;
}

/**
 * Node measures each line of a module that has a source map, character by character, for reports of coverage. That
 * takes a third of the time of the import. So Node gets the map with a script that has no code, from a file beside the
 * bundle, which it need not decode or measure, and reads none while it reads the bundle, whose first statement is `sourceMapsOn`.
 *
 * @param loaded packages that this process has loaded: the source maps of others would not be read either
 */
export async function importBundle(
  { bundle, packages }: Pick<BootOrder, 'bundle' | 'packages'>,
  loaded: readonly string[],
): Promise<void> {
  last = bundle;
  const { href } = pathToFileURL(bundle);
  const isLoaded = packages.every((name) => loaded.includes(name));
  // A debugger would list the script without code beside the bundle.
  if (!isLoaded || inspector.url() !== undefined) return void (await import(href));
  const map = mapFileOf(bundle);
  if (!existsSync(map)) return void (await import(href));
  try {
    runScript(`//# sourceMappingURL=${basename(map)}\n//# sourceURL=${href}`);
  } catch {
    // Node was started with --disallow-code-generation-from-strings.
    return void (await import(href));
  }
  process.setSourceMapsEnabled(false);
  try {
    await import(href);
  } finally {
    // The bundle has done it, unless it could not be linked.
    process.setSourceMapsEnabled(true);
  }
}

/** Node reads the source map of code that is evaluated from a string. */
// biome-ignore lint/security/noGlobalEval: the text has nothing but two comments
const runScript = globalThis.eval;
