// Looks at the version of Node.js.
import packageJson from '../../package.json' with { type: 'json' };
import { type Finding, fault, ok } from './finding.js';

/** @param wanted `engines.node` of the app's package.json; only ranges like `>=20.19` are compared */
export function checkNode(wanted: string | undefined, running: string = process.versions.node): Finding {
  for (const [range, whose] of [
    [packageJson.engines.node, 'fw'],
    [wanted, 'the app'],
  ] as const) {
    const least = /^>=[ ]?(\d{1,4}(?:\.\d{1,4}){0,2})$/.exec(range ?? '')?.[1];
    if (least !== undefined && isOlder(running, least)) {
      return fault(
        'node',
        `this is Node.js ${running}, and ${whose} needs ${least} or newer`,
        `install Node.js ${least.split('.')[0]} or newer`,
      );
    }
  }
  return ok('node', `Node.js ${running}`);
}

function isOlder(version: string, least: string): boolean {
  const [one, other] = [version, least].map((text) => text.split('.').map(Number));
  for (const [index, part] of (other ?? []).entries()) {
    const own = one?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
