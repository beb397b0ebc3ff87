// Inference: the words in code, each of which may be a name.

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;
const ESCAPE = /\\u(?:([\da-f]{4})|\{0*([\da-f]{1,6})\})/gi;

/** Names, keywords, and words in texts and comments; names that are written with escapes such as `\u0061` too. */
export function wordsIn(code: string): Set<string> {
  const words = new Set(code.match(WORD));
  if (!code.includes('\\u')) return words;
  for (const word of code.replace(ESCAPE, unescaped).match(WORD) ?? []) words.add(word);
  return words;
}

function unescaped(whole: string, four: string | undefined, six: string | undefined): string {
  const point = Number.parseInt(four ?? six ?? '', 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}
