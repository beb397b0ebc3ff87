// The names of the procedures of an app, as its generated client or its contract has them.
import { existsSync, readFileSync } from 'node:fs';
import { readClient } from '../../framework/client/read-client.js';
import { loadProject } from '../config/load.js';
import { contractFiles } from '../dev/client/client-settings.js';

/** Nothing is offered where there is no app, or its files cannot be read: a shell has no place for errors. */
export function knownProcedures(cwd: string): string[] {
  try {
    const { client, contract } = contractFiles(loadProject(cwd).root, cwd);
    if (client !== undefined && existsSync(client)) {
      return Object.keys(readClient(readFileSync(client, 'utf8')).procedures);
    }
    const { procedures } = JSON.parse(readFileSync(contract, 'utf8')) as { procedures?: object };
    return Object.keys(procedures ?? {});
  } catch {
    return [];
  }
}
