// Types: `[a: string, b?: number, ...rest: boolean[]]` in a type string.

import { voidAsNull, withoutVoid } from '../union-of.js';
import type { WireType } from '../wire-type.js';
import type { TypeReader } from './parse-type.js';

export function readTuple(reader: TypeReader): WireType {
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
