// Looks whether the ports of `fw dev` are free.
import { whyTaken } from '../process/port-free.js';
import { portOwner } from '../process/port-owner.js';
import { type Finding, ok, warning } from './finding.js';

export interface NamedPort {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

export async function checkPorts(ports: readonly NamedPort[]): Promise<Finding[]> {
  return Promise.all(
    ports.map(async ({ name, port, host }) => {
      if ((await whyTaken(port, host)) === undefined) return ok('ports', `port ${port} is free (${name})`);
      const owner = portOwner(port);
      return warning(
        'ports',
        `port ${port} (${name}) is in use${owner === undefined ? '' : ` by ${owner}`}`,
        `stop that process, unless it is the fw dev of this app, or set another ${name} in fw.toml`,
      );
    }),
  );
}
