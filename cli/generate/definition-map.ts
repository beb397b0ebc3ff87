// The map of a client's declarations, which leads editors from a method of the client to its procedure in the app.
import { basename, dirname, relative, sep } from 'node:path';
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Place } from '../../framework/client-gen/compiler/compiler.js';

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
