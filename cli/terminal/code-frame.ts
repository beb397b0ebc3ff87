// Shows the place of an error in its source: file:line:column, the lines around it, a caret.
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Colors } from './color.js';

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
  const name = shown.startsWith('..') || isAbsolute(shown) ? path : shown;
  if (place.line < 1) return [`  ${colors.cyan(name)}`];
  const head = `  ${colors.cyan(`${name}:${place.line}:${place.column}`)}`;
  const lines = sourceLines(path);
  if (lines[place.line - 1] === undefined) return [head];
  const first = Math.max(1, place.line - 2);
  const last = Math.min(lines.length, place.line + 1);
  const width = String(last).length;
  const frame = [head];
  for (let number = first; number <= last; number += 1) {
    const text = clip(lines[number - 1] ?? '');
    const isHere = number === place.line;
    const gutter = `${String(number).padStart(width)} │`;
    frame.push(
      isHere ? `  ${colors.red('>')} ${gutter} ${text}` : colors.dim(`    ${gutter} ${text}`).trimEnd(),
    );
    if (isHere) frame.push(`    ${' '.repeat(width)} │ ${caret(text, place)}`.replace('^', colors.red('^')));
  }
  return frame;
}

function caret(text: string, place: Place): string {
  const before = text.slice(0, place.column - 1).replace(/[^\t]/g, ' ');
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
