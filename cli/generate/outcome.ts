// What one generation beside `fw dev` came to, small enough to be told to another process.
import type { Finding } from '../../framework/client-gen/compiler.js';
import type { Generated } from './generation.js';
import type { Made } from './write-changed.js';

export type Outcome =
  | {
      readonly ok: true;
      /** No source of the client was among the changes: nothing was done. */
      readonly isUnaffected: true;
    }
  | {
      readonly ok: true;
      readonly isUnaffected?: false;
      /** Files of the client whose text changed. */
      readonly written: readonly string[];
      readonly change: ClientChange | undefined;
      readonly warnings: readonly Finding[];
    }
  | (Generated & { readonly ok: false })
  /** It could not even begin. */
  | { readonly ok: false; readonly problem: string };

interface ClientChange {
  /** Procedures that are new, gone, or of other types. */
  readonly procedures: number;
  /** What of it breaks clients that were made before, such as `getUser.output.email: the field is gone`. */
  readonly breaking: readonly string[];
}

export async function outcomeOf(result: Generated): Promise<Outcome> {
  if (!result.ok) return result;
  const { files, types } = result.client;
  const isNew = ({ before, after, isLocal }: Made): boolean => after !== before && isLocal !== true;
  const written = files.filter(isNew).map(({ file }) => file);
  const change = isNew(types) ? await clientChange(types) : undefined;
  return { ok: true, written, change, warnings: result.warnings };
}

/** Undefined where there was no client that could be compared. */
async function clientChange({ before, after }: Made): Promise<ClientChange | undefined> {
  if (before === undefined || after === undefined) return undefined;
  const [{ readClient }, { diffTypes }] = await Promise.all([
    import('../../framework/rpc/client/read-client.js'),
    import('../../framework/rpc/types/same-type.js'),
  ]);
  const now = readClient(after);
  let old: typeof now;
  try {
    old = readClient(before);
  } catch {
    // Whatever was there before is replaced, and need not have been a client.
    return undefined;
  }
  const changes = diffTypes(old, now);
  // The longest first: `users` is no owner of what changed in `users.list`.
  const names = Object.keys({ ...old.procedures, ...now.procedures }).toSorted((a, b) => b.length - a.length);
  const owners = changes.map(({ path }) =>
    names.find((name) => path === name || path.startsWith(`${name}.`)),
  );
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  return {
    procedures: new Set(owners).size,
    breaking: breaking.map(({ path, what }) => `${path}: ${what}`),
  };
}
