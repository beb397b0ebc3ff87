// Inference: where statements are that did not change, after a change of others.
import type { Place } from '../compiler/compiler.js';
import type { Section, Statement } from './statements.js';

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the place after a change of what was at a place before; undefined if its statement was changed, or is not kept.
 *
 * @param isKept whether a statement of the new version is
 */
export function moveStatements(
  before: readonly Statement[],
  after: readonly Statement[],
  { start, rest }: Section,
  isKept: (index: number) => boolean,
): (place: Place) => Place | undefined {
  const [from, to] = [startsOf(before), startsOf(after)];
  return (place) => {
    const old = indexAt(from, place);
    if (old >= start && old < before.length - rest) return undefined;
    const index = old < start ? old : old + after.length - before.length;
    if (!isKept(index)) return undefined;
    const [began, begins] = [from[old], to[index]];
    if (began === undefined || begins === undefined) return undefined;
    const line = place.line + begins.line - began.line;
    if (place.line > began.line) return { ...place, line };
    return { ...place, line, column: place.column + begins.column - began.column };
  };
}

/** Where the text of each statement starts. */
function startsOf(statements: readonly Statement[]): readonly Position[] {
  let [line, column] = [1, 1];
  return statements.map(({ text }) => {
    const start = { line, column };
    const lines = text.split('\n');
    line += lines.length - 1;
    column = (lines.at(-1) ?? '').length + (lines.length === 1 ? column : 1);
    return start;
  });
}

/** The last statement that starts at the place or before it. */
function indexAt(starts: readonly Position[], { line, column }: Place): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    const { line: startLine, column: startColumn } = starts[middle] as Position;
    if (startLine < line || (startLine === line && startColumn <= column)) low = middle;
    else high = middle;
  }
  return low;
}
