// What `fw generate --json` prints.
import { ClientReader } from '../../framework/client/read-client.js';
import { diffTypes } from '../../framework/wire/compare/same-type.js';
import type { CliError } from '../terminal/errors.js';
import type { Generated } from './generation.js';
import type { Made } from './write-changed.js';

/** @param reader of the clients of several results */
export function summaryOf(result: Generated, reader: ClientReader = new ClientReader()): object {
  if (!result.ok) return result;
  const { client, contract, procedures, warnings, times } = result;
  const made = [...client.files, contract]
    .filter(({ after }) => after !== undefined)
    .map(({ file, before, after }) => ({ file, isChanged: before !== after }));
  const changes = changesOf(client.types, reader);
  return { ok: true, files: made, changes, inferredProcedures: procedures, warnings, times };
}

/** The JSON without a result: fw.toml is invalid, or the output cannot be written. */
export function problemOf({ message, help }: CliError): object {
  return { ok: false, problem: { message, ...(help !== undefined && { help }) } };
}

/** The changes against the previous client; null if there was none to compare with. */
function changesOf({ before, after }: Made, reader: ClientReader): object[] | null {
  if (before === undefined || after === undefined) return null;
  if (before === after) return [];
  let old: ReturnType<ClientReader['read']>;
  try {
    old = reader.read(before);
  } catch {
    // The previous file need not have been a client.
    return null;
  }
  return diffTypes(old, reader.read(after));
}
