// Inference: converts offsets in a text to lines and columns.
import { type AbsolutePath, absolutePath } from '../../files/absolute-path.js';
import { order } from '../../wire/canonical.js';
import type { Place } from './compiler.js';

interface Lines {
  readonly name: string;
  readonly file: AbsolutePath;
  readonly text: string;
  readonly starts: readonly number[];
}

/** Where a file is, and where its lines begin; only of the last one, because places are asked file by file. */
let last: Lines | undefined;

/** @param name as a compiler names the file */
export function placeOf(name: string, text: string, offset: number): Place {
  if (last?.name !== name || last.text !== text) {
    last = { name, file: absolutePath(name), text, starts: lineStarts(text) };
  }
  const { file, starts } = last;
  let [line, end] = [0, starts.length];
  while (end - line > 1) {
    const middle = (line + end) >> 1;
    if ((starts[middle] as number) <= offset) line = middle;
    else end = middle;
  }
  return { file, line: line + 1, column: offset - (starts[line] as number) + 1 };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The order of files and lines, which is the same for every compiler. */
export function comparePlaces(a: Place, b: Place): number {
  return order(a.file, b.file) || a.line - b.line || a.column - b.column;
}
