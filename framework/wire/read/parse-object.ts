// Types: `{ … }` in a type string.

import { allowsVoid, isNever, unionOf, withoutVoid } from '../union-of.js';
import type { WireField, WireType } from '../wire-type.js';
import type { TypeReader } from './parse-type.js';
import type { Token } from './tokens.js';

export function readObject(reader: TypeReader): WireType {
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
