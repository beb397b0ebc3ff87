// A copy of the built package for the servers of a bench, so that a rebuild of the checkout does not disturb a run.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../../dist/framework', import.meta.url));

/**
 * Copies it to `framework` in the folder.
 *
 * @param dist the built framework; this checkout's by default.
 */
export function copyFramework(folder: string, dist: string = own): void {
  cpSync(dist, join(folder, 'framework'), { recursive: true });
  // What `imports` of the package's own package.json names.
  const imports = { '#lazy/*': './framework/lazy/*.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }));
}
