// Types: prints a wire type as the compact text of contract files: TypeScript on one line, with all that is inferred.
import type { WireField, WireNotes, WireType } from '../wire-type.js';

const WORD = /^[A-Za-z_$][\w$]*$/;
const IS_DATE = '{"format":"date-time"}';

/**
 * TypeScript in one line, such as `{ id: string, tags?: string[] }`, in which `Date` is the text of a date. The order
 * of fields and members is kept. Annotations are JSON in a comment of their own.
 *
 * @throws Error for a type with rules, which inferred types do not have
 */
export function printCompact(type: WireType): string {
  return comment(type.description) + annotations(type.notes) + bare(type);
}

function bare(type: WireType): string {
  const { rules } = type;
  if (type.kind === 'string' && JSON.stringify(rules) === IS_DATE) return 'Date';
  if (rules !== undefined) {
    throw new Error(`a contract cannot keep the rules ${JSON.stringify(rules)} of a ${type.kind}`);
  }
  switch (type.kind) {
    case 'literal':
      return typeof type.value === 'string' ? quoted(type.value) : String(type.value);
    case 'ref':
      return type.name;
    case 'array':
      return `${part(type.items)}[]`;
    case 'tuple': {
      const { items, required = items.length, rest } = type;
      const texts = items.map((item, index) => (index < required ? printCompact(item) : `${part(item)}?`));
      return `[${[...texts, ...(rest ? [`...${part(rest)}[]`] : [])].join(', ')}]`;
    }
    case 'object': {
      const values = type.values ? [`[key: string]: ${printCompact(type.values)}`] : [];
      const texts = [...type.fields.map(field), ...values];
      return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
    }
    case 'union':
      return printUnion(type.members);
    case 'file':
      return 'File';
    case 'integer':
      throw new Error('a contract cannot keep an integer');
    default:
      return type.kind;
  }
}

/** A union of one member would be read as that member. */
function printUnion(members: readonly WireType[]): string {
  return members.length === 0 ? 'never' : members.map(part).join(' | ');
}

/** With parentheses, if what precedes or follows it would be read as a part of it. */
function part(type: WireType): string {
  const isBare = type.description === undefined && type.notes === undefined;
  const isWhole = isBare && !(type.kind === 'union' && type.members.length > 1);
  return isWhole ? bare(type) : `(${printCompact(type)})`;
}

function field({ name, type, isOptional, description }: WireField): string {
  const key = WORD.test(name) ? name : quoted(name);
  return `${comment(description)}${key}${isOptional ? '?' : ''}: ${printCompact(type)}`;
}

function comment(description: string | undefined): string {
  if (description === undefined) return '';
  return `/** ${escaped(description)} */ `;
}

function annotations(notes: WireNotes | undefined): string {
  return notes === undefined ? '' : `/* ${escaped(JSON.stringify(notes))} */ `;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('*/', '*\\/');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
