// Types: splits a TypeScript type string into tokens.

export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign' | 'end';
  /** The text of the token; for a string, its value. */
  readonly text: string;
  readonly at: number;
  /** Whether there is a line break before it, which separates fields. */
  readonly isOnNewLine: boolean;
}

const SPACE = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)+/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const SIGN = /\.\.\.|=>|[{}[\]()<>,;:?|&.=+-]/y;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  v: '\v',
  f: '\f',
  '0': '\0',
  '\n': '',
};

/** @throws TypeSyntaxError for text that is not a token of a type */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  let isOnNewLine = false;
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      isOnNewLine ||= /[\n\r]/.test(space);
      at += space.length;
      continue;
    }
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const { value, end } = readString(text, at, quote);
      tokens.push({ kind: 'string', text: value, at, isOnNewLine });
      at = end;
    } else {
      const [kind, found] = readWord(match);
      if (found === undefined) throw unexpected(text, at);
      tokens.push({ kind, text: found, at, isOnNewLine });
      at += found.length;
    }
    isOnNewLine = false;
  }
  tokens.push({ kind: 'end', text: '', at, isOnNewLine });
  return tokens;
}

function readWord(match: (pattern: RegExp) => string | undefined): [Token['kind'], string | undefined] {
  const name = match(NAME);
  if (name !== undefined) return ['name', name];
  const number = match(NUMBER);
  return number === undefined ? ['sign', match(SIGN)] : ['number', number];
}

function readString(text: string, start: number, quote: string): { value: string; end: number } {
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === quote) return { value: value + text.slice(from, at), end: at + 1 };
    if (char === '\n' || char === '\r') break;
    if (char !== '\\') continue;
    const { value: escaped, length } = readEscape(text, at);
    value += text.slice(from, at) + escaped;
    from = at + length;
    at = from - 1;
  }
  throw new TypeSyntaxError(`the string has no end; close it with ${quote}`, text, start);
}

function readEscape(text: string, at: number): { value: string; length: number } {
  const found = /^\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/.exec(
    text.slice(at, at + 10),
  );
  const hex = found?.[1] ?? found?.[2] ?? found?.[3];
  const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
  const char = found?.[4] ?? '';
  const isBroken = char === 'u' || char === 'x' || (code ?? 0) > 0x10_ff_ff;
  if (!found || isBroken) throw new TypeSyntaxError('expected an escape such as \\n or \\u0041', text, at);
  const value = code === undefined ? (ESCAPES[char] ?? char) : String.fromCodePoint(code);
  return { value, length: found[0].length };
}

function unexpected(text: string, at: number): TypeSyntaxError {
  if (text[at] === '`') {
    return new TypeSyntaxError('template literal types are not supported; use string', text, at);
  }
  if (text.startsWith('/*', at)) {
    return new TypeSyntaxError('the comment has no end; close it with */', text, at);
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return new TypeSyntaxError(`${JSON.stringify(char)} is not part of a type; remove it`, text, at);
}

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

/** The maximum nesting: deeper types are considered a mistake, and would overflow the stack. */
const DEEPEST_TYPE = 100;

const END: Token = { kind: 'end', text: '', at: 0, isOnNewLine: false };

export class TokenReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  /** The next token, or the one `ahead` of it. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#next + ahead] ?? this.#tokens.at(-1) ?? END;
  }

  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'sign' || token.kind === 'name');
  }

  /** Consumes the next token if it is this one. */
  skip(text: string): boolean {
    if (!this.is(text)) return false;
    this.#next++;
    return true;
  }

  expect(text: string, remedy: string): void {
    if (!this.skip(text)) throw this.expected(`'${text}'`, remedy);
  }

  expected(what: string, remedy: string): TypeSyntaxError {
    const { kind, text } = this.peek();
    const found = kind === 'end' ? 'the end' : kind === 'string' ? 'a string' : `'${text}'`;
    return this.error(`expected ${what}, found ${found}; ${remedy}`);
  }

  error(problem: string, at: Token = this.peek()): TypeSyntaxError {
    return new TypeSyntaxError(problem, this.#text, at.at);
  }

  /** Runs a parser that may recurse, and adds `levels` to the nesting. */
  nested<T>(read: () => T, levels = 1): T {
    this.#depth += levels;
    if (this.#depth > DEEPEST_TYPE) {
      throw this.error(`the type is nested deeper than ${DEEPEST_TYPE} levels; name the inner types`);
    }
    const result = read();
    this.#depth -= levels;
    return result;
  }
}
