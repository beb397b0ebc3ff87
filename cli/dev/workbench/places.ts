// Places in the sources of the app, as the page about the app shows them.
import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesAround, type Place } from '../../terminal/code-frame.js';
import type { CodeFrame, SourcePlace } from './protocol.js';

/** Undefined if the file is not in the project. */
export function sourcePlace({ file, line, column }: Place, root: string): SourcePlace | undefined {
  const inside = relative(root, resolve(root, file));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  return { file: inside.replaceAll('\\', '/'), line, column: Math.max(1, column) };
}

/** Of `file:line:column`, where the file may be a URL; undefined if it is not a file of the app's own sources. */
export function parsePlace(text: string | undefined, root: string): SourcePlace | undefined {
  const [, name = '', line, column] = /^(.*):(\d{1,9}):(\d{1,9})$/s.exec(text ?? '') ?? [];
  const file = name.startsWith('file:') ? pathOf(name) : name;
  if (file === '' || /[\\/]node_modules[\\/]/.test(file)) return undefined;
  const place = sourcePlace({ file, line: Number(line), column: Number(column) }, root);
  return place !== undefined && existsSync(resolve(root, place.file)) ? place : undefined;
}

/** Undefined if the source cannot be read. */
export function codeFrameOf(place: Place, root: string): CodeFrame | undefined {
  const shown = sourcePlace(place, root);
  const around = shown && linesAround(resolve(root, shown.file), shown.line);
  if (shown === undefined || around === undefined) return undefined;
  return { place: shown, ...around, length: Math.max(1, place.length ?? 1) };
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return '';
  }
}
