// The environment of the app, as the page shows it: names, and where they come from; hardly any value.
import { readEnvFile } from '../../process/environment.js';
import type { EnvironmentInfo } from './protocol.js';
import { masked } from './secret-names.js';

/** Values that tell nothing about accounts, machines and people. */
const harmless =
  /^(?:NODE_ENV|PORT|HOST|TZ|LANG|LC_\w+|CI|DEBUG|LOG_LEVEL|NO_COLOR|FORCE_COLOR|FW_LIVE_SCRIPT)$/;

/**
 * @param worker the variables that the app gets
 * @param shell those that `fw dev` was started with
 */
export function environmentInfo(
  root: string,
  worker: NodeJS.ProcessEnv,
  shell: NodeJS.ProcessEnv = process.env,
): EnvironmentInfo[] {
  const file = readEnvFile(root);
  const known = Object.entries(worker).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return known
    .map(([name, value]) => ({
      name,
      value: value === '' || harmless.test(name) ? value : masked,
      from:
        shell[name] === value
          ? ('shell' as const)
          : file[name] === value
            ? ('.env' as const)
            : ('fw dev' as const),
    }))
    .sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
}

/** What belongs to the app first. */
function order({ from }: EnvironmentInfo): number {
  return ['fw dev', '.env', 'shell'].indexOf(from);
}
