// Shows the place of an error in its source: file:line:column, the lines around it, a caret.
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Colors } from './color.js';
import { printable, printableSource } from './printable.js';

export interface Place {
  /** Absolute, or relative to the project. */
  file: string;
  line: number;
  /** 1 is the first. */
  column: number;
  length?: number;
}

/** Lines of text; only the place if the file cannot be read. */
export function codeFrame(place: Place, root: string, colors: Colors): string[] {
  const path = resolve(root, place.file);
  const shown = relative(root, path);
  const name = printable(shown.startsWith('..') || isAbsolute(shown) ? path : shown);
  if (place.line < 1) return [`  ${colors.cyan(name)}`];
  const head = `  ${colors.cyan(`${name}:${place.line}:${place.column}`)}`;
  const around = linesAround(path, place.line);
  if (around === undefined) return [head];
  const { first, lines } = around;
  const width = String(first + lines.length - 1).length;
  const frame = [head];
  for (const [index, line] of lines.entries()) {
    const text = printableSource(line);
    const number = first + index;
    const isHere = number === place.line;
    const gutter = `${String(number).padStart(width)} │`;
    frame.push(
      isHere ? `  ${colors.red('>')} ${gutter} ${text}` : colors.dim(`    ${gutter} ${text}`).trimEnd(),
    );
    if (isHere) frame.push(`    ${' '.repeat(width)} │ ${caret(line, place)}`.replace('^', colors.red('^')));
  }
  return frame;
}

/** The lines around one, long ones cut; undefined if there is no such line. */
export function linesAround(path: string, line: number): { first: number; lines: string[] } | undefined {
  const all = sourceLines(path);
  if (all[line - 1] === undefined) return undefined;
  const first = Math.max(1, line - 2);
  return { first, lines: all.slice(first - 1, line + 1).map(clip) };
}

function caret(text: string, place: Place): string {
  const before = printableSource(text.slice(0, place.column - 1)).replace(/[^\t]/g, ' ');
  const room = Math.max(1, text.length - place.column + 1);
  return before + '^'.repeat(Math.max(1, Math.min(place.length ?? 1, room)));
}

function clip(line: string): string {
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function sourceLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
  } catch {
    return [];
  }
}
