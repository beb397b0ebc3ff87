// The client as JavaScript with declarations and a map that leads from each method to its procedure.
import { basename } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { Place } from '../../framework/client-gen/compiler/compiler.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import type { DeclaredFiles } from './client-files.js';
import { definitionMap } from './definition-map.js';

/** The texts that a JavaScript client is made from. */
export interface ClientTexts {
  readonly source: string;
  /** The declarations, as the app's program wrote them. */
  readonly types: string;
}

/** The places of procedures by name, as the compiler found them. */
export type FoundPlaces = Readonly<Record<string, readonly Place[]>>;

export interface DeclaredTexts {
  readonly script: string;
  readonly types: string;
  /** Undefined if no procedure's place is known. */
  readonly map: string | undefined;
}

/**
 * @param places the places of all procedures in the project, which may belong to other registries too
 * @param inputs the files that this client is made from
 */
export async function declareClient(
  { source, types }: ClientTexts,
  { places, inputs }: { readonly places: FoundPlaces; readonly inputs: readonly AbsolutePath[] },
  files: DeclaredFiles,
  esbuild: typeof Esbuild,
): Promise<DeclaredTexts> {
  const map = definitionMap(types, chosenPlaces(places, inputs), files.map);
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'esm', target: 'es2022' });
  // esbuild removes the comments before types, so the first line may be missing.
  const head = source.slice(0, source.indexOf('\n') + 1);
  return {
    script: code.startsWith(head) ? code : `${head}\n${code}`,
    types: map === undefined ? types : `${types}//# sourceMappingURL=${basename(files.map)}\n`,
    map,
  };
}

/** If several registries (those of tests, for example) have a procedure of one name, chooses that of this client. */
function chosenPlaces(places: FoundPlaces, inputs: readonly AbsolutePath[]): Map<string, Place> {
  const used = new Set(inputs);
  const chosen = new Map<string, Place>();
  for (const [name, found] of Object.entries(places)) {
    const place = found.find(({ file }) => used.has(file)) ?? found[0];
    if (place !== undefined) chosen.set(name, place);
  }
  return chosen;
}
