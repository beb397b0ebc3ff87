// The result of one generation under `fw dev`, small enough to be sent to another process.

import { ClientReader } from '../../framework/client/read-client.js';
import type { Finding } from '../../framework/client-gen/compiler/compiler.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
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
      readonly written: readonly AbsolutePath[];
      readonly change: ClientChange | undefined;
      readonly warnings: readonly Finding[];
    }
  | (Generated & { readonly ok: false })
  /** It could not start. */
  | { readonly ok: false; readonly problem: string };

export interface ClientChange {
  /** The number of procedures that were added, removed, or have other types. */
  readonly procedures: number;
  /** Changes that break existing clients, such as `getUser.output.email: the field was removed`. */
  readonly breaking: readonly string[];
  /** What else changed, such as `base URL changed to "/api"`. */
  readonly others?: readonly string[];
}

/** @param reader of the clients of several results */
export async function outcomeOf(
  result: Generated,
  reader: ClientReader = new ClientReader(),
): Promise<Outcome> {
  if (!result.ok) return result;
  const { files, types } = result.client;
  const isNew = ({ before, after, isLocal }: Made): boolean => after !== before && isLocal !== true;
  const written = files.filter(isNew).map(({ file }) => file);
  const change = isNew(types) ? await clientChange(types, reader) : undefined;
  return { ok: true, written, change, warnings: result.warnings };
}

/** Undefined if there was no client to compare with. */
async function clientChange(
  { before, after }: Made,
  reader: ClientReader,
): Promise<ClientChange | undefined> {
  if (before === undefined || after === undefined) return undefined;
  const { diffTypes } = await import('../../framework/wire/compare/same-type.js');
  let old: ReturnType<ClientReader['read']>;
  try {
    old = reader.read(before);
  } catch {
    // The replaced file need not have been a client.
    return undefined;
  }
  const now = reader.read(after);
  const changes = diffTypes(old, now);
  // The longest names first: a change in `users.list` does not belong to the procedure `users`.
  const names = Object.keys({ ...old.procedures, ...now.procedures }).toSorted((a, b) => b.length - a.length);
  const owners = changes.map(({ path }) =>
    names.find((name) => path === name || path.startsWith(`${name}.`)),
  );
  const others = otherChanges(before, after);
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  return {
    procedures: new Set(owners).size,
    breaking: breaking.map(({ path, what }) => `${path}: ${what}`),
    ...(others.length > 0 && { others }),
  };
}

const BASE_URL = /\bdefineClient<[^(\n]{0,500}>\(("(?:[^"\\\n]|\\.)*")/;

/** One without an end extends to the end of the text, so that the match stays linear. */
const COMMENTS = /^ *\/\*\*[\s\S]*?(?:\*\/\n?|$(?![\s\S]))/gm;

/** What changed besides the types of procedures. Declarations are separated by empty lines, and contain none. */
function otherChanges(before: string, after: string): string[] {
  const url = BASE_URL.exec(after)?.[1];
  const isOther = (part: (text: string) => unknown): boolean => part(before) !== part(after);
  const parts = [
    isOther((text) => BASE_URL.exec(text)?.[1]) && `base URL changed to ${url}`,
    isOther((text) => declared(text, 'FwRoutes')) && 'routes changed',
    isOther((text) => declared(text, 'FwSockets')) && 'WebSockets changed',
    isOther((text) => /^.*/.exec(text)?.[0]) && 'version of fw changed',
  ].filter((part) => part !== false);
  const isCommented = before !== after && !isOther((text) => text.replaceAll(COMMENTS, ''));
  return isCommented ? ['comments changed'] : parts;
}

function declared(text: string, name: string): string | undefined {
  return text.split('\n\n').find((block) => block.includes(`export interface ${name} `));
}

/** The files that changed since the last order; an empty list asks for a full generation. */
export interface GenerateOrder {
  fw: 'generate';
  changed: readonly AbsolutePath[];
}

/** There is a newer change: the current generation need not be finished. */
export interface NewerChange {
  fw: 'newer';
}

export type FromGenerator =
  /** The file is about to be written. */
  | { fw: 'writes'; file: AbsolutePath; text: string }
  /** The contract is up to date; `written` names it if it was written. */
  | { fw: 'contract'; written: readonly AbsolutePath[] }
  | { fw: 'generated'; outcome: Outcome; inputs: readonly AbsolutePath[] };
