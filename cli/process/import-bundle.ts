// Imports the app's bundle, without the time that Node takes for its source map.
import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { pathToFileURL } from 'node:url';

/**
 * Node measures each line of a module that has a source map, character by character, for reports of coverage. That
 * takes up to 20 ms of a boot. So Node gets the map with a script that has no code, and sees none in the bundle, which
 * begins with `sourceMapsOn`.
 *
 * @param isLoaded whether all packages that the bundle imports are loaded: Node would not see their source maps either
 */
export async function importBundle(file: string, isLoaded: boolean): Promise<void> {
  const { href } = pathToFileURL(file);
  // A debugger would list the script without code beside the bundle.
  if (!isLoaded || inspector.url() !== undefined) return void (await import(href));
  const code = readFileSync(file, 'utf8');
  const map = code.lastIndexOf(comment);
  if (map === -1) return void (await import(href));
  try {
    runScript(`${code.slice(map, code.indexOf('\n', map))}\n//# sourceURL=${href}`);
  } catch {
    // Node was started with --disallow-code-generation-from-strings.
    return void (await import(href));
  }
  process.setSourceMapsEnabled(false);
  try {
    await import(href);
  } finally {
    // If the bundle has not begun.
    process.setSourceMapsEnabled(true);
  }
}

const comment = '//# sourceMappingURL=data:';

/** Node notices the source maps of code only that is evaluated from a string, not of a `vm.Script`. */
// biome-ignore lint/security/noGlobalEval: the text has nothing but two comments
const runScript = globalThis.eval;
