// The client as JavaScript with declarations, whose map leads from a method to its procedure.
import { basename, resolve } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { Place } from '../../framework/client-gen/compiler.js';
import type { DeclaredFiles } from './client-files.js';
import { definitionMap } from './definition-map.js';

/** What a client is made JavaScript of. */
export interface ClientTexts {
  readonly source: string;
  /** As the app's program wrote them. */
  readonly types: string;
}

/** Where procedures are, as the compiler found it. */
export type FoundPlaces = Readonly<Record<string, readonly Place[]>>;

export interface DeclaredTexts {
  readonly script: string;
  readonly types: string;
  /** Undefined where no procedure's place is known. */
  readonly map: string | undefined;
}

/**
 * @param places of everything in the project that may be a procedure of this client.
 * @param inputs the files that this client is made from.
 */
export async function declareClient(
  { source, types }: ClientTexts,
  { places, inputs }: { readonly places: FoundPlaces; readonly inputs: readonly string[] },
  files: DeclaredFiles,
  esbuild: typeof Esbuild,
): Promise<DeclaredTexts> {
  const map = definitionMap(types, chosenPlaces(places, inputs), files.map);
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'esm', target: 'es2022' });
  // Comments before types go with them.
  const head = source.slice(0, source.indexOf('\n') + 1);
  return {
    script: code.startsWith(head) ? code : `${head}\n${code}`,
    types: map === undefined ? types : `${types}//# sourceMappingURL=${basename(files.map)}\n`,
    map,
  };
}

/** Of several registries with a procedure of one name, tests among them, the one that this client is made from. */
function chosenPlaces(places: FoundPlaces, inputs: readonly string[]): Map<string, Place> {
  const used = new Set(inputs);
  const chosen = new Map<string, Place>();
  for (const [name, found] of Object.entries(places)) {
    const place = found.find(({ file }) => used.has(resolve(file))) ?? found[0];
    if (place !== undefined) chosen.set(name, place);
  }
  return chosen;
}
