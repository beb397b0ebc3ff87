// The documentation in a terminal: lines of words that fit its width, each word with its style.
import type { Colors } from '../terminal/color.js';
import { printable } from '../terminal/printable.js';
import type { Inline } from './blocks.js';

interface Word {
  readonly text: string;
  readonly style: (text: string) => string;
  /** Whether a space stands before it. */
  readonly isApart: boolean;
}

/** Lines of at most `width` columns; a longer word has its own. */
export function wrap(parts: readonly Inline[], width: number, colors: Colors): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  for (const group of unbroken(wordsOf(parts, colors))) {
    const length = group.reduce((sum, { text }) => sum + text.length, 0);
    const text = group.map((word) => word.style(word.text)).join('');
    if (columns > 0 && columns + 1 + length > width) {
      lines.push(line);
      line = '';
      columns = 0;
    }
    line += columns > 0 ? ` ${text}` : text;
    columns += length + (columns > 0 ? 1 : 0);
  }
  return columns > 0 ? [...lines, line] : lines;
}

/** How wide the parts are in one line, and how wide their longest word is, which cannot be broken. */
export function widthsOf(parts: readonly Inline[], colors: Colors): { whole: number; word: number } {
  const lengths = unbroken(wordsOf(parts, colors)).map((group) =>
    group.reduce((all, { text }) => all + text.length, 0),
  );
  const whole = lengths.reduce((sum, length) => sum + length, 0) + Math.max(0, lengths.length - 1);
  return { whole, word: Math.max(0, ...lengths) };
}

/** Words that no space is between, such as code and the comma after it. */
function unbroken(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  for (const word of words) {
    if (word.isApart || groups.length === 0) groups.push([word]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}

function wordsOf(parts: readonly Inline[], colors: Colors): Word[] {
  const words: Word[] = [];
  let isApart = true;
  const add = (text: string, style: Word['style']): void => {
    for (const piece of printable(text).split(/(\s+)/)) {
      if (piece === '') continue;
      if (/^\s/.test(piece)) isApart = true;
      else {
        words.push({ text: piece, style, isApart });
        isApart = false;
      }
    }
  };
  const walk = (all: readonly Inline[], style: Word['style']): void => {
    for (const part of all) {
      if (part.kind === 'text') add(part.text, style);
      else if (part.kind === 'code') add(...codeOf(part.text, style, colors));
      else if (part.kind === 'break') isApart = true;
      else if (part.kind === 'picture') add(`[${part.alt}]`, colors.dim);
      else if (part.kind === 'link') {
        walk(part.parts, (text) => style(colors.underline(text)));
        if ('address' in part.to) add(` (${part.to.address})`, colors.dim);
      } else {
        const own = part.kind === 'strong' ? colors.bold : colors.italic;
        walk(part.parts, (text) => style(own(text)));
      }
    }
  };
  walk(parts, (text) => text);
  return words;
}

/** Without colours, the marks of Markdown tell code from text. */
function codeOf(text: string, style: Word['style'], colors: Colors): [string, Word['style']] {
  if (!colors.isColorSupported) return [`\`${text}\``, style];
  return [text, (word) => style(colors.cyan(word))];
}
