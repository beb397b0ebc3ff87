// The map of a client's declarations, which leads editors from a method of the client to its procedure in the app.
import { basename, dirname, relative, sep } from 'node:path';
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Place } from '../../framework/client-gen/compiler.js';

/**
 * A source map (ECMA-426). Undefined if no place is known.
 *
 * @param declarations as they are printed: one method per line, indented by two
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
  const segments = lines.map((line, index): SourceMapSegment[] => {
    const method = index > start && start >= 0 ? METHOD.exec(line) : null;
    const name = method?.[1]?.startsWith('"') ? JSON.parse(method[1]) : method?.[1];
    const place = name === undefined ? undefined : places.get(name);
    if (method?.[1] === undefined || place === undefined) return [];
    const path = sourcePath(place.file, file);
    if (!sources.includes(path)) sources.push(path);
    return methodSegments(method[1].length, sources.indexOf(path), place, name.length);
  });
  if (sources.length === 0) return undefined;
  const map = { version: 3, file: basename(file, '.map'), sources, names: [], mappings: encode(segments) };
  return `${JSON.stringify(map)}\n`;
}

const METHOD = /^ {2}("(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)\(/u;

/** Editors use the nearest segment for a position without one, so everything except the name gets an empty segment. */
function methodSegments(
  length: number,
  source: number,
  { line, column }: Place,
  name: number,
): SourceMapSegment[] {
  const quotes = 2;
  return [
    [0],
    [2, source, line - 1, column - 1],
    [2 + length, source, line - 1, column - 1 + name + quotes],
    [3 + length],
  ];
}

/** Not percent-encoded, because editors do not decode it. Absolute if the files are on different drives. */
function sourcePath(source: string, map: string): string {
  return relative(dirname(map), source).split(sep).join('/');
}
