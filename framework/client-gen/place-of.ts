// Inference: converts offsets in a text to lines and columns.
import type { Place } from './compiler.js';

export function placeOf(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: offset - start + 1 };
}
