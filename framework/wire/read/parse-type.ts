// Types: parses TypeScript type strings, such as those of `queryWithTypes`, to wire types.
import { intersectionOf } from '../intersection.js';
import { knownType, refusal } from '../known-names.js';
import { type Lookup, lookupIn } from '../resolve.js';
import { allowsVoid, isNever, unionOf, voidAsNull, withoutVoid } from '../union-of.js';
import type { NamedTypes, Scalar, WireField, WireType } from '../wire-type.js';
import { readGeneric } from './parse-generic.js';
import { type Token, TokenReader } from './tokens.js';

/** The state that the parsers of the parts share. */
export interface TypeReader {
  readonly tokens: TokenReader;
  readonly lookup: Lookup;
  /** Parses a whole type. */
  readonly type: () => WireType;
}

const A_TYPE = 'write a type such as string, Array<User> or { id: string }';

/**
 * The wire type of a TypeScript type string. Names that TypeScript does not define become references.
 *
 * @param named the types of references, for `Partial`, `Pick` and `&`
 * @throws TypeSyntaxError with the place, what was expected and the remedy
 */
export function parseType(text: string, named: NamedTypes = {}): WireType {
  if (typeof text !== 'string') {
    throw new Error(`a TypeScript type is a string such as '{ id: string }'; got ${typeof text}`);
  }
  const tokens = new TokenReader(text);
  const reader: TypeReader = { tokens, lookup: lookupIn(named), type: () => readType(reader) };
  const type = readType(reader);
  if (tokens.peek().kind !== 'end') throw unexpectedRest(tokens);
  return type;
}

function unexpectedRest(tokens: TokenReader): Error {
  if (tokens.is('=>')) return tokens.error('a function cannot be sent as JSON; leave it out');
  if (tokens.is('extends')) return tokens.error('conditional types are not supported; write their result');
  if (tokens.is('is')) return tokens.error('a function cannot be sent as JSON; leave it out');
  return tokens.expected('the end of the type', 'remove the rest, or join two types with |');
}

function readType(reader: TypeReader): WireType {
  const { tokens } = reader;
  return tokens.nested(() => {
    tokens.skip('|');
    const members = [readIntersection(reader)];
    while (tokens.skip('|')) members.push(readIntersection(reader));
    return members.length === 1 && members[0] !== undefined ? members[0] : unionOf(members);
  });
}

function readIntersection(reader: TypeReader): WireType {
  const { tokens } = reader;
  tokens.skip('&');
  let type = readSuffixed(reader);
  while (tokens.is('&')) {
    const sign = tokens.take();
    const both = intersectionOf(type, readSuffixed(reader), reader.lookup);
    if (both === undefined) {
      throw tokens.error('these types cannot be joined by &; join objects whose types are known here', sign);
    }
    type = both;
  }
  return type;
}

function readSuffixed(reader: TypeReader): WireType {
  const { tokens } = reader;
  // `readonly` has no meaning in JSON.
  const isReadonly = tokens.is('readonly') ? tokens.take() : undefined;
  let type = readPrimary(reader);
  let levels = 0;
  // In an object, a bracket on a new line begins the next member.
  while (tokens.is('[') && !tokens.peek().isOnNewLine) {
    const bracket = tokens.take();
    if (!tokens.skip(']')) {
      throw tokens.error('indexed access is not supported; write the type itself', bracket);
    }
    levels++;
    const items = voidAsNull(type);
    type = tokens.nested(() => ({ kind: 'array', items }), levels);
  }
  if (isReadonly && type.kind !== 'array' && type.kind !== 'tuple') {
    throw tokens.error('readonly stands before arrays and tuples only; remove it', isReadonly);
  }
  return type;
}

function readPrimary(reader: TypeReader): WireType {
  const { tokens } = reader;
  const token = tokens.peek();
  if (token.kind === 'string') return { kind: 'literal', value: tokens.take().text };
  if (token.kind === 'number') return literalNumber(tokens, 1);
  if (token.kind === 'name') return readName(reader);
  if (tokens.is('-')) {
    tokens.take();
    if (tokens.peek().kind !== 'number') throw tokens.expected('a number', 'write one behind the minus');
    return literalNumber(tokens, -1);
  }
  if (tokens.is('(')) return readParentheses(reader);
  if (tokens.is('{')) return readObject(reader);
  if (tokens.is('[')) return readTuple(reader);
  throw tokens.expected('a type', A_TYPE);
}

function literalNumber(tokens: TokenReader, sign: 1 | -1): WireType {
  const token = tokens.take();
  const number = Number(token.text.replaceAll('_', ''));
  if (!Number.isFinite(number)) throw tokens.error('JSON has no such number; use number', token);
  if (tokens.is('n') && tokens.peek().at === token.at + token.text.length) {
    throw tokens.error('JSON has no bigint; use a string', token);
  }
  // JSON does not tell -0 from 0.
  const value: Scalar = number === 0 ? 0 : sign * number;
  return { kind: 'literal', value };
}

function readParentheses(reader: TypeReader): WireType {
  const { tokens } = reader;
  const isFunction =
    tokens.is(')', 1) ||
    tokens.is('...', 1) ||
    (tokens.peek(1).kind === 'name' && [':', '?', ',', '='].some((sign) => tokens.is(sign, 2)));
  if (isFunction) throw tokens.error('a function cannot be sent as JSON; leave it out');
  const start = tokens.take();
  const type = reader.type();
  tokens.expect(')', 'close the parenthesis');
  if (tokens.is('=>')) throw tokens.error('a function cannot be sent as JSON; leave it out', start);
  return type;
}

function readName(reader: TypeReader): WireType {
  const { tokens } = reader;
  const name = tokens.take();
  if (tokens.is('.')) {
    throw tokens.error('names with a dot are not supported; use only the name of the type', name);
  }
  const problem = refusal(name.text);
  if (problem !== undefined) throw tokens.error(`${name.text}: ${problem}`, name);
  const known = knownType(name.text);
  if (known !== undefined) return known;
  if (tokens.is('<')) return readGeneric(reader, name);
  return { kind: 'ref', name: name.text };
}

/** Types: `[a: string, b?: number, ...rest: boolean[]]` in a type string. */
function readTuple(reader: TypeReader): WireType {
  const { tokens } = reader;
  tokens.take();
  const items: WireType[] = [];
  let required = 0;
  let rest: WireType | undefined;
  while (!tokens.skip(']')) {
    if (rest !== undefined) throw tokens.error("items after '...' are not supported; put it last");
    if (tokens.skip('...')) rest = readRest(reader);
    else {
      const start = tokens.peek();
      const { type, isOptional } = readItem(reader);
      if (!isOptional && required < items.length) {
        throw tokens.error('a required item follows an optional one; give it a ? too', start);
      }
      items.push(isOptional ? withoutVoid(type) : voidAsNull(type));
      if (!isOptional) required++;
    }
    if (!tokens.skip(',') && !tokens.is(']')) {
      throw tokens.expected("',' or ']'", 'separate items with , and close the tuple with ]');
    }
  }
  return {
    kind: 'tuple',
    items,
    ...(required < items.length && { required }),
    ...(rest && { rest }),
  };
}

/** Skips the label, if there is one; JSON does not have it. */
function skipLabel({ tokens }: TypeReader): boolean {
  if (tokens.peek().kind !== 'name') return false;
  const isOptional = tokens.is('?', 1) && tokens.is(':', 2);
  if (!isOptional && !tokens.is(':', 1)) return false;
  tokens.take();
  tokens.skip('?');
  tokens.take();
  return isOptional;
}

function readItem(reader: TypeReader): { type: WireType; isOptional: boolean } {
  const isOptional = skipLabel(reader);
  const type = reader.type();
  return { type, isOptional: reader.tokens.skip('?') || isOptional };
}

function readRest(reader: TypeReader): WireType {
  skipLabel(reader);
  const start = reader.tokens.peek();
  const type = reader.type();
  if (type.kind !== 'array') {
    throw reader.tokens.error("what follows '...' must be an array; write ...Array<T>", start);
  }
  return type.items;
}

/** Types: `{ … }` in a type string. */
function readObject(reader: TypeReader): WireType {
  const { tokens } = reader;
  tokens.take();
  const fields = new Map<string, WireField>();
  const values: WireType[] = [];
  while (!tokens.skip('}')) {
    if (tokens.is('readonly') && !endsName(reader, 1)) tokens.take();
    if (isIndex(reader)) values.push(readIndex(reader));
    else readField(reader, fields);
    const isSeparated = tokens.skip(';') || tokens.skip(',') || tokens.peek().isOnNewLine;
    if (!isSeparated && !tokens.is('}')) {
      throw tokens.expected("';' or '}'", 'separate fields with ; and close the object with }');
    }
  }
  return {
    kind: 'object',
    fields: [...fields.values()].filter(({ type }) => !isNever(type)),
    ...(values.length > 0 && { values: withoutVoid(unionOf(values)) }),
  };
}

/** Whether the token after a word shows that the word is the name of a field. */
function endsName({ tokens }: TypeReader, ahead: number): boolean {
  return [':', '?', '(', '<', ';', ',', '}'].some((sign) => tokens.is(sign, ahead));
}

/** `[key: string]`, but not `['name']`. */
function isIndex({ tokens }: TypeReader): boolean {
  return tokens.is('[') && tokens.peek(1).kind !== 'string' && tokens.peek(1).kind !== 'number';
}

function readIndex(reader: TypeReader): WireType {
  const { tokens } = reader;
  tokens.take();
  const name = tokens.take();
  if (name.kind !== 'name') throw tokens.error("expected a name, such as in '[key: string]: T'", name);
  if (tokens.is('in')) throw tokens.error('mapped types are not supported; write Record<K, T>', name);
  tokens.expect(':', "write '[key: string]: T'");
  const key = tokens.take();
  if (key.kind !== 'name' || (key.text !== 'string' && key.text !== 'number')) {
    throw tokens.error("the keys of JSON are strings; write '[key: string]: T'", key);
  }
  tokens.expect(']', "write '[key: string]: T'");
  tokens.expect(':', "write '[key: string]: T'");
  return reader.type();
}

function readField(reader: TypeReader, fields: Map<string, WireField>): void {
  const { tokens } = reader;
  const token = readFieldName(reader);
  const name = token.kind === 'number' ? String(Number(token.text.replaceAll('_', ''))) : token.text;
  if (fields.has(name)) throw tokens.error(`the field '${name}' is declared twice; remove one`, token);
  const hasMark = tokens.skip('?');
  if (tokens.is('(') || tokens.is('<')) {
    throw tokens.error(`'${name}' is a method: a function cannot be sent as JSON; leave it out`, token);
  }
  tokens.expect(':', `write the type of '${name}' after a colon`);
  const type = reader.type();
  // In JSON, a field that is undefined is an absent key.
  const isOptional = hasMark || allowsVoid(type);
  fields.set(name, { name, type: withoutVoid(type), isOptional });
}

function readFieldName({ tokens }: TypeReader): Token {
  if (tokens.is('(') || tokens.is('<') || (tokens.is('new') && tokens.is('(', 1))) {
    throw tokens.error('a function cannot be sent as JSON; leave it out');
  }
  const isBracketed = tokens.skip('[');
  const token = tokens.peek();
  if (token.kind !== 'name' && token.kind !== 'string' && token.kind !== 'number') {
    throw tokens.expected('the name of a field', "write 'name: type', or close the object with }");
  }
  tokens.take();
  if (isBracketed) tokens.expect(']', 'close the bracket');
  return token;
}
