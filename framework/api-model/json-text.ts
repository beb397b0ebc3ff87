// A model of an API: JSON that the user types, and where it is wrong. Browsers say that each in another way.

export type ReadJson =
  | { readonly value: unknown }
  | { readonly message: string; readonly line: number; readonly column: number };

/** Deeper values are refused. */
const DEEPEST = 400;

export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // Found again below, with its place.
    const reader = new Reader(text);
    return placed(text, reader.at, reader.fault());
  }
}

class Fault extends Error {}

/** Reads until the first character that is wrong. */
class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    try {
      this.#value(0);
      this.#space();
      if (this.at < text.length) this.#fail('expected the end');
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#fault = error.message;
    }
  }

  #fault = 'this is not JSON';

  fault(): string {
    return this.#fault;
  }

  #fail(message: string): never {
    throw new Fault(message);
  }

  #space(): void {
    while (this.at < this.#text.length && ' \t\n\r'.includes(this.#text[this.at] ?? 'x')) this.at++;
  }

  #value(depth: number): void {
    if (depth > DEEPEST) this.#fail('nested too deeply');
    this.#space();
    const start = this.#text[this.at];
    if (start === '{') this.#members('}', depth);
    else if (start === '[') this.#members(']', depth);
    else if (start === '"') this.#string();
    else this.#word();
  }

  #members(end: '}' | ']', depth: number): void {
    this.at++;
    this.#space();
    if (this.#text[this.at] === end) {
      this.at++;
      return;
    }
    for (;;) {
      if (end === '}') this.#key();
      this.#value(depth + 1);
      this.#space();
      const next = this.#text[this.at];
      if (next !== ',' && next !== end) this.#fail(`expected ',' or '${end}'`);
      this.at++;
      if (next === end) return;
    }
  }

  #key(): void {
    this.#space();
    if (this.#text[this.at] !== '"') this.#fail('expected a key in double quotes');
    this.#string();
    this.#space();
    if (this.#text[this.at] !== ':') this.#fail("expected ':'");
    this.at++;
  }

  #string(): void {
    this.at++;
    for (;;) {
      const character = this.#text[this.at];
      if (character === undefined) this.#fail('the text has no end');
      if (character < ' ') this.#fail('a line break in a text; write \\n');
      if (character === '"') break;
      if (character === '\\') this.#escape();
      this.at++;
    }
    this.at++;
  }

  #escape(): void {
    this.at++;
    const escaped = this.#text[this.at] ?? '';
    if (escaped === 'u') {
      if (!/^[\da-fA-F]{4}$/.test(this.#text.slice(this.at + 1, this.at + 5)))
        this.#fail('expected four hex digits');
      this.at += 4;
    } else if (escaped === '' || !'"\\/bfnrt'.includes(escaped)) this.#fail('an unknown escape');
  }

  #word(): void {
    const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/.exec(
      this.#text.slice(this.at, this.at + 400),
    );
    if (word === null)
      this.#fail(this.at >= this.#text.length ? 'expected a value' : 'expected a value in JSON');
    this.at += word[0].length;
  }
}

function placed(text: string, at: number, message: string): ReadJson {
  const lines = text.slice(0, at).split('\n');
  return { message, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
