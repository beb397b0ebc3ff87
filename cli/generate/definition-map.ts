// The map of a client's declarations: leads an editor from a method of the client to its procedure in the app.
import { basename, dirname, relative, sep } from 'node:path';
import type { Place } from '../../framework/client-gen/compiler.js';

/** Column of a line of the declarations, and what is there in the sources; nothing where it has no counterpart. */
type Segment = readonly [column: number, source?: number, line?: number, sourceColumn?: number];

/**
 * A source map (ECMA-426). Undefined where no place is known.
 *
 * @param declarations as they are printed: one method at an indentation of two.
 * @param places of procedures by name.
 * @param file the map's own, for the paths in it.
 */
export function definitionMap(
  declarations: string,
  places: ReadonlyMap<string, Place>,
  file: string,
): string | undefined {
  const sources: string[] = [];
  const lines = declarations.split('\n');
  const start = lines.indexOf('export declare class FwRpcClient {');
  const segments = lines.map((line, index): Segment[] => {
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

/** Editors take the next segment of a position that has none: all but the name is said to lead nowhere. */
function methodSegments(length: number, source: number, { line, column }: Place, name: number): Segment[] {
  const quotes = 2;
  return [
    [0],
    [2, source, line - 1, column - 1],
    [2 + length, source, line - 1, column - 1 + name + quotes],
    [3 + length],
  ];
}

/** Not encoded as URLs are: editors take it as it is. Absolute where there is no way, between drives. */
function sourcePath(source: string, map: string): string {
  return relative(dirname(map), source).split(sep).join('/');
}

/** Each field but the first of a line counts from the one before it. */
function encode(lines: readonly (readonly Segment[])[]): string {
  const last = [0, 0, 0, 0];
  return lines
    .map((segments) => {
      last[0] = 0;
      return segments
        .map((segment) =>
          segment
            .map((value = 0, field) => {
              const delta = value - (last[field] ?? 0);
              last[field] = value;
              return vlq(delta);
            })
            .join(''),
        )
        .join(',');
    })
    .join(';');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ: five bits a digit, the sign in the lowest bit of the first. */
function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS.charAt(rest > 0 ? digit | 32 : digit);
  } while (rest > 0);
  return text;
}
