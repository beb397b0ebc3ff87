// A part of both pages: a block of code with a button that copies it.
import type { ComponentChildren, JSX } from 'preact';
import { CopyButton } from './copy-button.js';

/** A part that scrolls must be reachable by keys. It is not a landmark: a page may have several with one label. */
export function scrolls(label: string): { tabIndex: 0; role: 'group'; 'aria-label': string } {
  return { tabIndex: 0, role: 'group', 'aria-label': label };
}

export function Code({
  code,
  language = 'text',
  label,
  copy = true,
}: {
  readonly code: string;
  readonly language?: Language;
  /** What it is, for screen readers. */
  readonly label: string;
  readonly copy?: boolean;
}): JSX.Element {
  return (
    <div class="code">
      <div class="code-scroll" {...scrolls(label)}>
        <pre>
          <code>
            <Marked code={code} language={language} />
          </code>
        </pre>
      </div>
      {copy ? <CopyButton class="code-copy" label={`Copy ${label}`} text={() => code} /> : null}
    </div>
  );
}

/** Code with its marks, inside of a line or a block. */
export function Marked({
  code,
  language,
}: {
  readonly code: string;
  readonly language: Language;
}): ComponentChildren {
  return highlight(code, language).map((piece, index) =>
    piece.mark === undefined ? (
      piece.text
    ) : (
      <span key={index} class={`t-${piece.mark}`}>
        {piece.text}
      </span>
    ),
  );
}

export type Language = 'ts' | 'json' | 'sh' | 'sql' | 'text';

interface Piece {
  readonly text: string;
  /** The class without its prefix `t-`; undefined for plain text. */
  readonly mark?: 'comment' | 'string' | 'number' | 'constant' | 'keyword' | 'key';
}

const keywords: Readonly<Record<'ts' | 'sql', ReadonlySet<string>>> = {
  ts: new Set(
    'as async await class const default else export extends false for from function if import in interface let new null of return throw true type typeof undefined void'.split(
      ' ',
    ),
  ),
  sql: new Set(
    'all and as asc begin between by case commit create delete desc distinct else end exists from group having in inner insert into is join left like limit not null offset on or order returning right rollback select set table then union update values when where with'.split(
      ' ',
    ),
  ),
};

/** Beyond this, code is shown without marks: it is data, which nobody reads as a whole. */
const LONGEST = 50_000;

/**
 * One alternative after the other, each of which begins with another character. Comments and strings may lack their
 * end, so that no text is read twice.
 */
const TOKEN =
  /(\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\d._]*(?:e[+-]?\d+)?\b)|([A-Za-z_$][\w$]*)/g;

/** The pieces of the code; together they are the code. */
export function highlight(code: string, language: Language): Piece[] {
  if (language === 'text' || code.length > LONGEST) return [{ text: code }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of code.matchAll(TOKEN)) {
    const mark = markOf(found, language, code);
    if (mark === undefined) continue;
    if (found.index > end) pieces.push({ text: code.slice(end, found.index) });
    pieces.push({ text: found[0], mark });
    end = found.index + found[0].length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end) });
  return pieces;
}

function markOf(found: RegExpExecArray, language: Language, code: string): Piece['mark'] {
  const [text, comment, string, number, word] = found;
  if (comment !== undefined) return language === 'ts' ? 'comment' : undefined;
  if (string !== undefined)
    return isKey(code, found.index + text.length) && language !== 'sh' ? 'key' : 'string';
  if (number !== undefined) return language === 'sh' ? undefined : 'number';
  if (word === undefined || language === 'sh') return undefined;
  if (language === 'sql') return keywords.sql.has(word.toLowerCase()) ? 'keyword' : undefined;
  if (/^(?:true|false|null)$/.test(word)) return 'constant';
  if (language === 'ts' && keywords.ts.has(word) && !isKey(code, found.index + text.length)) return 'keyword';
  return language === 'ts' && isKey(code, found.index + text.length) ? 'key' : undefined;
}

/** Whether a colon follows, maybe after the `?` of an optional field. */
function isKey(code: string, at: number): boolean {
  return code[at] === ':' || (code[at] === '?' && code[at + 1] === ':');
}
