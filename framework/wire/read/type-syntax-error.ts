// Types: the error for a TypeScript type string, which shows the place.

/** How much of a long line is shown on each side of the place. */
const SHOWN = 60;

/** A string that is not a TypeScript type, or whose type JSON cannot represent. */
export class TypeSyntaxError extends Error {
  override readonly name: string = 'TypeSyntaxError';
  /** The offset in the string; 0 is the first character. */
  readonly at: number;

  /** @param problem what was expected, and the remedy */
  constructor(problem: string, text: string, at: number) {
    super(`invalid TypeScript type: ${problem}\n${excerpt(text, at)}`);
    this.at = at;
  }
}

function excerpt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const from = Math.max(start, at - SHOWN);
  const to = Math.min(end === -1 ? text.length : end, at + SHOWN);
  const before = (from > start ? '…' : '') + printable(text.slice(from, at));
  const after = printable(text.slice(at, to)) + (to < (end === -1 ? text.length : end) ? '…' : '');
  return `  ${before}${after}\n  ${' '.repeat(before.length)}^`;
}

function printable(text: string): string {
  return text.replace(/\p{C}/gu, ' ');
}
