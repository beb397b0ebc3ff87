// What `fw generate --json` prints.
import type { Generated } from './generation.js';

export function summaryOf(result: Generated): object {
  if (!result.ok) return result;
  const { client, contract, procedures, warnings, times } = result;
  const made = [...client.files, contract]
    .filter(({ after }) => after !== undefined)
    .map(({ file, before, after }) => ({ file, isChanged: before !== after }));
  return { ok: true, files: made, inferredProcedures: procedures, warnings, times };
}
