// A model of an API: a type as readable TypeScript, in pieces, so that names can be links.
import { membersOf } from '../wire/union-of.js';
import type { ObjectType, Scalar, TupleType, WireField, WireType } from '../wire/wire-type.js';
import { constraintsOf } from './constraints.js';

export interface TypePiece {
  readonly text: string;
  readonly mark?: 'comment' | 'string' | 'constant' | 'keyword' | 'key' | 'link';
}

const STEP = '  ';
/** More members of a union, or longer ones, stand on lines of their own. */
const LONGEST_LINE = 72;

/** The pieces of the text; a piece with the mark `link` is the name of a type. */
export function typePieces(type: WireType): readonly TypePiece[] {
  const writer = new Writer();
  writer.type(type, '');
  const notes = constraintsOf(type);
  if (notes.length > 0) writer.put(` // ${notes.join(', ')}`, 'comment');
  return writer.pieces;
}

/** The text alone, for copying. */
export function typeText(type: WireType): string {
  return typePieces(type)
    .map(({ text }) => text)
    .join('');
}

/** The type without its rules, on the line of a parameter. */
export function bareTypeText(type: WireType): string {
  const writer = new Writer();
  return writer
    .type(type, '')
    .pieces.map(({ text }) => text)
    .join('');
}

class Writer {
  readonly pieces: TypePiece[] = [];

  put(text: string, mark?: TypePiece['mark']): this {
    this.pieces.push(mark === undefined ? { text } : { text, mark });
    return this;
  }

  type(type: WireType, indent: string): this {
    switch (type.kind) {
      case 'integer':
        return this.put('number', 'keyword');
      case 'file':
        return this.put('File', 'keyword');
      case 'literal':
        return this.literal(type.value);
      case 'ref':
        return this.put(type.name, 'link');
      case 'array':
        return this.#array(type.items, indent);
      case 'tuple':
        return this.#tuple(type, indent);
      case 'object':
        return this.#object(type, indent);
      case 'union':
        return this.#union(type, indent);
      default:
        return this.put(type.kind, 'keyword');
    }
  }

  literal(value: Scalar): this {
    if (typeof value === 'string') this.put(quoted(value), 'string');
    else this.put(String(value), 'constant');
    return this;
  }

  #array(items: WireType, indent: string): this {
    const isUnion = membersOf(items).length > 1;
    if (isUnion) this.put('(');
    this.type(items, indent);
    this.put(isUnion ? ')[]' : '[]');
    return this;
  }

  #tuple({ items, required = items.length, rest }: TupleType, indent: string): this {
    this.put('[');
    for (const [index, item] of items.entries()) {
      if (index > 0) this.put(', ');
      this.type(item, indent);
      if (index >= required) this.put('?');
    }
    if (rest !== undefined) {
      this.put(items.length > 0 ? ', ...' : '...');
      this.#array(rest, indent);
    }
    this.put(']');
    return this;
  }

  #object({ fields, values }: ObjectType, indent: string): this {
    if (fields.length === 0) {
      if (values === undefined) return this.put('{}');
      this.put('Record<');
      this.put('string', 'keyword');
      this.put(', ');
      this.type(values, indent);
      return this.put('>');
    }
    this.put('{\n');
    for (const field of fields) this.#field(field, indent + STEP);
    if (values !== undefined) {
      this.put(`${indent}${STEP}[key: string]: `);
      this.type(values, indent + STEP);
      this.put(';\n');
    }
    this.put(`${indent}}`);
    return this;
  }

  #field({ name, type, isOptional, description }: WireField, indent: string): this {
    const told = description ?? (type.kind === 'ref' ? undefined : type.description);
    if (told !== undefined) this.#comment(told, indent);
    this.put(indent);
    this.put(/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name), 'key');
    this.put(isOptional ? '?: ' : ': ');
    this.type(type, indent);
    this.put(';');
    const notes = constraintsOf(type);
    if (notes.length > 0) this.put(` // ${notes.join(', ')}`, 'comment');
    this.put('\n');
    return this;
  }

  #comment(text: string, indent: string): this {
    const lines = text.trim().split('\n');
    for (const line of lines) this.put(`${indent}// ${line.trim()}\n`, 'comment');
    return this;
  }

  #union(type: WireType, indent: string): this {
    const members = membersOf(type);
    if (members.length === 0) return this.put('never', 'keyword');
    const isLong = members.length > 1 && lengthOf(members) > LONGEST_LINE;
    for (const [index, member] of members.entries()) {
      if (isLong) this.put(`\n${indent}${STEP}| `);
      else if (index > 0) this.put(' | ');
      if (member.kind === 'void') this.put('undefined', 'keyword');
      else this.type(member, isLong ? indent + STEP : indent);
    }
    return this;
  }
}

function lengthOf(members: readonly WireType[]): number {
  return members.reduce((length, member) => {
    if (member.kind === 'ref') return length + member.name.length + 3;
    if (member.kind === 'literal') return length + String(member.value).length + 5;
    return length + (member.kind === 'object' ? 30 : 10);
  }, 0);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
