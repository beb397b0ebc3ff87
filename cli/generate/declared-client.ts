// The client as JavaScript with declarations and a map that leads from each method to its procedure.
import { basename, dirname, relative, sep } from 'node:path';
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type * as Esbuild from 'esbuild';
import type { Place } from '../../framework/client-gen/compiler/compiler.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import type { DeclaredFiles } from './client-files.js';

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

/**
 * A source map (ECMA-426). Undefined if no place is known.
 *
 * @param declarations as they are printed: one method per line, indented by two, and by two more for each group
 * @param places the places of procedures by name
 * @param file the path of the map, to which the paths in it are relative
 */
export function definitionMap(
  declarations: string,
  places: ReadonlyMap<string, Place>,
  file: string,
): string | undefined {
  const sources: string[] = [];
  const lines = declarations.split('\n');
  const start = lines.indexOf('export declare class FwRpcClient {');
  const groups: string[] = [];
  const segments = lines.map((line, index): SourceMapSegment[] => {
    if (index <= start || start < 0) return [];
    const indent = 2 + 2 * groups.length;
    const [, opening = '', group = ''] = GROUP.exec(line) ?? [];
    if (group !== '' && opening.length === indent) groups.push(group);
    else if (line === `${' '.repeat(indent - 2)}};`) groups.pop();
    const [, spaces = '', method = ''] = METHOD.exec(line) ?? [];
    const member = method.startsWith('"') ? JSON.parse(method) : method;
    const place = spaces.length === indent ? places.get([...groups, member].join('.')) : undefined;
    if (place === undefined) return [];
    const path = sourcePath(place.file, file);
    if (!sources.includes(path)) sources.push(path);
    return methodSegments(
      [spaces.length, spaces.length + method.length],
      sources.indexOf(path),
      place,
      member.length,
    );
  });
  if (sources.length === 0) return undefined;
  const map = { version: 3, file: basename(file, '.map'), sources, names: [], mappings: encode(segments) };
  return `${JSON.stringify(map)}\n`;
}

const METHOD = /^( +)("(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)(?:: )?\(/u;
const GROUP = /^( +)(?:readonly )?([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*): \{$/u;

/** Editors use the nearest segment for a position without one, so everything except the name gets an empty segment. */
function methodSegments(
  [start, end]: readonly [start: number, end: number],
  source: number,
  { line, column }: Place,
  name: number,
): SourceMapSegment[] {
  const quotes = 2;
  return [
    [0],
    [start, source, line - 1, column - 1],
    [end, source, line - 1, column - 1 + name + quotes],
    [end + 1],
  ];
}

/** Not percent-encoded, because editors do not decode it. Absolute if the files are on different drives. */
function sourcePath(source: string, map: string): string {
  return relative(dirname(map), source).split(sep).join('/');
}
