// Types: reads the compact text of a wire type, which contract files have, without going through tokens: a server reads
// thousands of them as it starts.
import type { TupleType, WireField, WireNotes, WireType } from '../wire-type.js';

/** The maximum nesting; inferred types are not as deep. */
const DEEPEST = 200;

const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/y;
const SPACE = 0x20;
const INDEX = '[key: string]:';

const KEYWORDS: ReadonlyMap<string, WireType> = new Map<string, WireType>([
  ...(['unknown', 'void', 'null', 'boolean', 'number', 'string'] as const).map((kind): [string, WireType] => [
    kind,
    { kind },
  ]),
  ['Date', { kind: 'string', rules: { format: 'date-time' } }],
  ['File', { kind: 'file' }],
  ['never', { kind: 'union', members: [] }],
  ['true', { kind: 'literal', value: true }],
  ['false', { kind: 'literal', value: false }],
]);

/** A text that is not a type, with the place of the fault. */
export class CompactTypeError extends Error {}

/**
 * The type that `printCompact` printed.
 *
 * @param isDefined whether a name may be referred to
 * @throws CompactTypeError for any other text
 */
export function parseCompact(text: string, isDefined: (name: string) => boolean): WireType {
  return new CompactReader(text, isDefined).whole();
}

class CompactReader {
  readonly #text: string;
  readonly #isDefined: (name: string) => boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, isDefined: (name: string) => boolean) {
    this.#text = text;
    this.#isDefined = isDefined;
  }

  whole(): WireType {
    this.#advance(0);
    const type = this.#type();
    if (this.#at < this.#text.length) throw this.#error('expected the end');
    return type;
  }

  #type(): WireType {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw this.#error(`is nested more than ${DEEPEST} deep`);
    const description = this.#comment();
    const notes = this.#annotations();
    const first = this.#member();
    let type = first;
    if (this.#skip('|')) {
      const members = [first];
      do members.push(this.#member());
      while (this.#skip('|'));
      type = { kind: 'union', members };
    }
    this.#depth -= 1;
    if (description === undefined && notes === undefined) return type;
    return {
      ...type,
      ...(description !== undefined && { description }),
      ...(notes !== undefined && { notes }),
    };
  }

  #member(): WireType {
    let type = this.#primary();
    for (let levels = 0; this.#text[this.#at] === '['; levels += 1) {
      if (levels > DEEPEST) throw this.#error(`is nested more than ${DEEPEST} deep`);
      this.#advance(1);
      this.#expect(']');
      type = { kind: 'array', items: type };
    }
    return type;
  }

  #primary(): WireType {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#tuple();
      case "'":
        return { kind: 'literal', value: this.#quoted() };
      case '(': {
        this.#advance(1);
        const type = this.#type();
        this.#expect(')');
        return type;
      }
    }
    const word = this.#word();
    if (word !== undefined) return this.#named(word);
    const number = this.#number();
    if (!Number.isFinite(number)) throw this.#error('expected a type');
    return { kind: 'literal', value: number };
  }

  #named(name: string): WireType {
    const keyword = KEYWORDS.get(name);
    if (keyword !== undefined) return keyword;
    if (this.#isDefined(name)) return { kind: 'ref', name };
    throw this.#error(`refers to the type '${name}', which is not in 'named'`);
  }

  #object(): WireType {
    this.#advance(1);
    const fields: WireField[] = [];
    let values: WireType | undefined;
    const names = new Set<string>();
    while (!this.#skip('}')) {
      if ((fields.length > 0 || values !== undefined) && !this.#skip(',')) throw this.#error("expected ','");
      const description = this.#comment();
      if (this.#text.startsWith(INDEX, this.#at)) {
        if (values !== undefined) throw this.#error('a second type of values');
        this.#advance(INDEX.length);
        values = this.#type();
        continue;
      }
      const name = this.#text[this.#at] === "'" ? this.#quoted() : this.#word();
      if (name === undefined) throw this.#error('expected the name of a field');
      if (names.has(name)) throw this.#error(`a second field '${name}'`);
      names.add(name);
      const isOptional = this.#skip('?');
      this.#expect(':');
      const type = this.#type();
      fields.push(
        description === undefined ? { name, type, isOptional } : { name, type, isOptional, description },
      );
    }
    return values === undefined ? { kind: 'object', fields } : { kind: 'object', fields, values };
  }

  #tuple(): WireType {
    this.#advance(1);
    const items: WireType[] = [];
    let required: number | undefined;
    let rest: WireType | undefined;
    while (!this.#skip(']')) {
      if (rest !== undefined) throw this.#error("expected ']'");
      if (items.length > 0 && !this.#skip(',')) throw this.#error("expected ','");
      if (this.#text.startsWith('...', this.#at)) {
        this.#advance(3);
        const list = this.#type();
        if (list.kind !== 'array') throw this.#error("expected an array after '...'");
        rest = list.items;
        continue;
      }
      items.push(this.#type());
      if (this.#skip('?')) required ??= items.length - 1;
      else if (required !== undefined) throw this.#error('a required item after an optional one');
    }
    const optional: Partial<TupleType> = {
      ...(required !== undefined && { required }),
      ...(rest !== undefined && { rest }),
    };
    return { kind: 'tuple', items, ...optional };
  }

  /** The text of a documentation comment, if there is one. */
  #comment(): string | undefined {
    return this.#text.startsWith('/**', this.#at) ? this.#enclosed('/** ', ' */') : undefined;
  }

  #annotations(): WireNotes | undefined {
    if (this.#text[this.#at] !== '/') return undefined;
    const text = this.#enclosed('/* ', ' */');
    try {
      const notes: unknown = JSON.parse(text);
      if (typeof notes === 'object' && notes !== null && !Array.isArray(notes)) return notes;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw this.#error('expected annotations as an object of JSON before the type');
  }

  #quoted(): string {
    return this.#enclosed("'", "'");
  }

  /** A loop instead of a pattern, because the text may have any length. */
  #enclosed(start: string, end: string): string {
    if (!this.#text.startsWith(start, this.#at)) throw this.#error(`expected ${start}`);
    const from = this.#at + start.length;
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text[at] === '\\') at += 1;
      else if (this.#text.startsWith(end, at)) {
        this.#advance(at + end.length - this.#at);
        return unescaped(this.#text.slice(from, at));
      }
    }
    throw this.#error(`expected ${end} after ${start}`);
  }

  #word(): string | undefined {
    const start = this.#at;
    if (isDigit(this.#text.charCodeAt(start))) return undefined;
    let end = start;
    while (isOfWord(this.#text.charCodeAt(end))) end += 1;
    if (end === start) return undefined;
    this.#advance(end - start);
    return this.#text.slice(start, end);
  }

  /** NaN if there is none. */
  #number(): number {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text)?.[0];
    if (found === undefined) return Number.NaN;
    this.#advance(found.length);
    return Number(found);
  }

  /** Goes on by this many characters, and over the spaces after them. */
  #advance(length: number): void {
    this.#at += length;
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at += 1;
  }

  #skip(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#advance(1);
    return true;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw this.#error(`expected '${sign}'`);
  }

  #error(problem: string): CompactTypeError {
    const rest = this.#text.slice(this.#at, this.#at + 30);
    const found = rest === '' ? 'its end' : JSON.stringify(rest);
    return new CompactTypeError(`${problem} at ${found}`);
  }
}

/** The letters of ASCII, digits, `_` and `$`; and all other characters, which no sign has. NaN, the end, is none. */
function isOfWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === 0x5f ||
    code === 0x24 ||
    code >= 0x80
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, '$1') : text;
}
