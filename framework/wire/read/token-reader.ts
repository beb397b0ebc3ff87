// Types: reads the tokens of a type string, one after the other.
import { type Token, TypeSyntaxError, tokenize } from './tokens.js';

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
