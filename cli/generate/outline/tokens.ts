// Splits TypeScript into tokens without a compiler: enough to find the bodies of functions. Gives up when in doubt.

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'regex' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Tokens {
  readonly list: readonly Token[];
  /** For every opening bracket, the index of the closing one. The code of a template is between `${` and `}`. */
  readonly closing: ReadonlyMap<number, number>;
  /** For every closing bracket, the index of the opening one. */
  readonly opening: ReadonlyMap<number, number>;
}

const SPACE = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*.*?\*\/)+/sy;
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const TEXT = /'(?:[^'\\\n\r]|\\.)*'|"(?:[^"\\\n\r]|\\.)*"/sy;
const REGEX = /\/(?![*/])(?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/\w*/y;
/** `>` is one sign, except in assignments and comparisons, because it may end type arguments. */
const SIGN =
  /=>|\.\.\.|[=!]==?|>>>?=|[<>]=|<<=?|\*\*=?|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>=!?:;,.~@(){}[\]]/y;
/** The part of a template up to its end or to the next code in it. */
const TEMPLATE = /(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)/sy;

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** After these names comes a regular expression, not a division. */
const BEFORE_VALUE = new Set(
  'return typeof case in of delete void throw new else do instanceof await yield'.split(' '),
);

/** Undefined for code that it cannot read, such as with a bracket too many or with an unclear `/`. */
export function tokensOf(text: string): Tokens | undefined {
  const list: Token[] = [];
  const closing = new Map<number, number>();
  const opening = new Map<number, number>();
  const open: number[] = [];
  let at = text.startsWith('#!') ? lineEnd(text, 0) : 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const push = (kind: Token['kind'], found: string): void => {
    list.push({ kind, text: found, start: at, end: at + found.length });
    at += found.length;
  };
  const template = (): boolean => {
    const part = match(TEMPLATE);
    if (part === undefined) return false;
    push('text', part.endsWith('${') ? part.slice(0, -2) : part);
    if (!part.endsWith('${')) return true;
    open.push(list.length);
    push('sign', '${');
    return true;
  };
  let line = { end: -1, lastSlash: -1 };
  /** Whether the same line has another `/` after this one. A line is looked at once, however long it is. */
  const hasSlashBehind = (slash: number): boolean => {
    if (slash > line.end) {
      const end = lineEnd(text, slash);
      line = { end, lastSlash: text.lastIndexOf('/', end) };
    }
    return slash < line.lastSlash;
  };
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    // A comment without an end, which would be looked for again and again.
    if (text.startsWith('/*', at)) return undefined;
    const first = text[at] ?? '';
    const name = match(NAME);
    const number = name === undefined ? match(NUMBER) : undefined;
    if (name !== undefined) push('name', name);
    else if (number !== undefined) push('number', number);
    else if (first === "'" || first === '"') {
      const found = match(TEXT);
      if (found === undefined) return undefined;
      push('text', found);
    } else if (first === '`') {
      push('sign', '`');
      if (!template()) return undefined;
    } else {
      const isRegex = first === '/' ? beginsRegex(list.at(-1), hasSlashBehind(at)) : false;
      const found = isRegex ? match(REGEX) : match(SIGN);
      if (found === undefined || isRegex === undefined) return undefined;
      if ('([{'.includes(found)) open.push(list.length);
      if (')]}'.includes(found)) {
        const from = open.pop();
        const bracket = from === undefined ? undefined : list[from]?.text;
        const isCode = found === '}' && bracket === '${';
        if (from === undefined || !(isCode || bracket === PAIRS[found])) return undefined;
        closing.set(from, list.length);
        opening.set(list.length, from);
        push('sign', found);
        if (isCode && !template()) return undefined;
      } else push(isRegex ? 'regex' : 'sign', found);
    }
  }
  return open.length === 0 ? { list, closing, opening } : undefined;
}

/** Undefined if it is unclear: after a bracket, `/` may begin a regular expression or be a division. */
function beginsRegex(before: Token | undefined, hasSlashBehind: boolean): boolean | undefined {
  // A regular expression ends on the line on which it begins.
  if (!hasSlashBehind) return false;
  if (before === undefined) return true;
  if (before.kind === 'name') return BEFORE_VALUE.has(before.text);
  if (before.kind !== 'sign') return false;
  return /^(?:[)\]}!>]|\+\+|--)$/.test(before.text) ? undefined : true;
}

function lineEnd(text: string, from: number): number {
  const end = /[\n\r\u2028\u2029]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}
