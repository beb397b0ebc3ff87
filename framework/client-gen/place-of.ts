// Inference: converts offsets in a text to lines and columns.
import { order } from '../rpc/types/canonical.js';
import type { Place } from './compiler.js';

export function placeOf(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: offset - start + 1 };
}

/** The order of files and lines, which is the same for every compiler. */
export function comparePlaces(a: Place, b: Place): number {
  return order(a.file, b.file) || a.line - b.line || a.column - b.column;
}
