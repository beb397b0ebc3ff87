// Migrations: what a migration says, as a checksum that stays the same however its source is printed. The same file runs as
// a bundle of `fw dev`, under tsx, and by Node.js itself, each of which prints functions in its own way.
import { createHash } from 'node:crypto';

/** Of functions: what they name, and their texts and numbers. */
export function checksumOf(...functions: readonly ((...args: never[]) => unknown)[]): string {
  const words = functions.flatMap((one) => [...wordsOf(String(one)), '/']);
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /(?:0[xob][\da-f]+|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?)n?/iy;
const QUOTES = new Set(['"', "'", '`']);
const LITERALS = new Set(['true', 'false', 'null', 'undefined']);

/**
 * Names behind a dot, keys, texts and numbers: names of variables, white space, comments, quotes and semicolons depend on
 * the printer. What esbuild's helper `__name` gets is left out.
 */
function wordsOf(source: string): string[] {
  const words: string[] = [];
  /** For each open parenthesis, whether it is that of a call of `__name`. */
  const open: boolean[] = [];
  let isHelper = false;
  for (let at = 0; at < source.length; ) {
    const char = source[at] as string;
    const comment = char === '/' ? endOfComment(source, at) : undefined;
    if (comment !== undefined) {
      at = comment;
    } else if (QUOTES.has(char)) {
      const end = endOfText(source, at);
      words.push(`"${unescaped(source.slice(at + 1, end))}`);
      at = end + 1;
    } else if (/[\p{ID_Start}$_]/u.test(char)) {
      const word = matchAt(WORD, source, at);
      if (word === '__name') isHelper = true;
      else if (
        LITERALS.has(word) ||
        source[at - 1] === '.' ||
        /^[ ]?:/.test(source.slice(at + word.length, at + word.length + 2))
      )
        words.push(word);
      at += word.length;
    } else if (/\d/.test(char)) {
      const number = matchAt(NUMBER, source, at);
      words.push(number.endsWith('n') ? number : String(Number(number.replaceAll('_', ''))));
      at += number.length;
    } else {
      if (char === '(') open.push(isHelper);
      if (char === ')' && open.pop() === true) words.pop();
      if (char === '(') isHelper = false;
      at += 1;
    }
  }
  return words;
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? (source[at] as string);
}

/** Undefined if no comment begins there. */
function endOfComment(source: string, at: number): number | undefined {
  if (source[at + 1] === '/') return orEnd(source, source.indexOf('\n', at));
  if (source[at + 1] === '*') return orEnd(source, source.indexOf('*/', at + 2) + 1) + 1;
  return undefined;
}

const orEnd = (source: string, index: number): number => (index <= 0 ? source.length : index);

function endOfText(source: string, at: number): number {
  const quote = source[at];
  for (let index = at + 1; index < source.length; index++) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === quote) return index;
  }
  return source.length;
}

/** What a text means, as far as printers write it differently. */
function unescaped(text: string): string {
  return text.replace(/\\(['"`\\$]|n|t|\n)/g, (_, one: string) =>
    one === 'n' ? '\n' : one === 't' ? '\t' : one === '\n' ? '' : one,
  );
}
