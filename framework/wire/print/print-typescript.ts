// Types: prints wire types as TypeScript, with the same text for the same type.
import { order } from '../canonical.js';
import { type Lookup, lookupIn, visitRefs } from '../resolve.js';
import { isNever, membersOf } from '../union-of.js';
import type {
  NamedTypes,
  ObjectType,
  Scalar,
  TupleType,
  WireField,
  WireNotes,
  WireType,
} from '../wire-type.js';

interface Printer {
  /** Names that lead back to the declaration that is being printed: TypeScript does not allow all circular aliases. */
  readonly circular: ReadonlySet<string>;
}

const plain: Printer = { circular: new Set() };

/**
 * The type in TypeScript. Fields and members of unions are sorted, so that a diff shows only what changed.
 *
 * @param indent the indentation of the line that the type starts in
 */
export function printType(type: WireType, indent = ''): string {
  return print(type, indent, plain);
}

/** `export type Name = …;` for every named type, sorted by name. */
export function printDeclarations(named: NamedTypes): string {
  const lookup = lookupIn(named);
  return Object.entries(named)
    .sort(([a], [b]) => order(a, b))
    .map(([name, type]) => {
      const printer = { circular: circularNames(name, lookup) };
      return `${printComment(withTags(type.description, type.notes), '')}export type ${name} = ${print(type, '', printer)};\n`;
    })
    .join('\n');
}

/** The description with the annotations that editors show: `@deprecated` and `@default`. */
function withTags(description: string | undefined, notes: WireNotes | undefined): string | undefined {
  const lines = [
    ...(description === undefined ? [] : [description]),
    ...(notes?.deprecated === true ? ['@deprecated'] : []),
    ...(notes?.default === undefined ? [] : [`@default ${JSON.stringify(notes.default)}`]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The description as a documentation comment with its line end; empty without a description. */
export function printComment(description: string | undefined, indent: string): string {
  if (description === undefined) return '';
  const lines = description
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd().replace(INVISIBLE, escapedCharacter));
  if (lines.every((line) => line === '')) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const body = lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('');
  return `${indent}/**\n${body}${indent} */\n`;
}

/** Control characters, and those that make an editor show other text than the compiler reads. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The name, and all names on a path of references from it back to it. */
function circularNames(name: string, lookup: Lookup): ReadonlySet<string> {
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const type = lookup(next);
      if (!type) continue;
      visitRefs(type, (one) => {
        if (!seen.has(one)) open.push(one);
        seen.add(one);
      });
    }
    return seen;
  };
  const mine = reached(name);
  return mine.has(name) ? new Set([...mine].filter((one) => reached(one).has(name))) : new Set();
}

function print(type: WireType, indent: string, printer: Printer): string {
  switch (type.kind) {
    case 'integer':
      return 'number';
    case 'file':
      return 'FwRpcFile';
    case 'literal':
      return printLiteral(type.value);
    case 'ref':
      return type.name;
    case 'array':
      return `Array<${print(type.items, indent, printer)}>`;
    case 'tuple':
      return printTuple(type, indent, printer);
    case 'object':
      return printObject(type, indent, printer);
    case 'union':
      return printUnion(type, indent, printer);
    default:
      return type.kind;
  }
}

/** Sorted, with null last, as people write it. In a union, `void` is `undefined`, as linters require. */
function printUnion(type: WireType, indent: string, printer: Printer): string {
  const texts = new Set(
    membersOf(type).map((one) => (one.kind === 'void' ? 'undefined' : print(one, indent, printer))),
  );
  const rank = (text: string): number => (text === 'null' ? 1 : text === 'undefined' ? 2 : 0);
  return [...texts].sort((a, b) => rank(a) - rank(b) || order(a, b)).join(' | ') || 'never';
}

function printTuple({ items, required = items.length, rest }: TupleType, indent: string, printer: Printer) {
  const parts = items.map((item, index) => {
    const text = print(item, indent, printer);
    if (index < required) return text;
    return membersOf(item).length > 1 ? `(${text})?` : `${text}?`;
  });
  if (rest) parts.push(`...Array<${print(rest, indent, printer)}>`);
  return `[${parts.join(', ')}]`;
}

function printObject(type: ObjectType, indent: string, printer: Printer): string {
  const { fields } = type;
  const values = type.values && printValues(type, type.values, indent, printer);
  if (fields.length === 0 && type.values === undefined) return 'Record<string, never>';
  if (fields.length === 0 && type.values && !mentions(type.values, printer.circular)) {
    return `Record<string, ${print(type.values, indent, printer)}>`;
  }
  const inner = `${indent}  `;
  const lines = [...fields]
    .sort((a, b) => order(a.name, b.name))
    .map((field) => printField(field, inner, printer));
  if (values !== undefined) lines.push(`${inner}[key: string]: ${values};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function printField({ name, type, isOptional, description }: WireField, indent: string, printer: Printer) {
  const own = description ?? (type.kind === 'ref' ? undefined : type.description);
  const comment = printComment(withTags(own, type.notes), indent);
  // `void` is only for return types, as linters require.
  const text = type.kind === 'void' ? 'undefined' : print(type, indent, printer);
  return `${comment}${indent}${printKey(name)}${isOptional ? '?' : ''}: ${text};\n`;
}

/** TypeScript requires that the fields have the type of the values too, so the type of the values includes theirs. */
function printValues(type: ObjectType, values: WireType, indent: string, printer: Printer): string {
  const inner = `${indent}  `;
  const members = [values, ...type.fields.map((field) => field.type)];
  if (members.some((one) => one.kind === 'unknown')) return 'unknown';
  const undefinedToo: WireType[] = type.fields.some(({ isOptional }) => isOptional) ? [{ kind: 'void' }] : [];
  return printUnion({ kind: 'union', members: [...members, ...undefinedToo] }, inner, printer);
}

function mentions(type: WireType, names: ReadonlySet<string>): boolean {
  let isMentioned = false;
  visitRefs(type, (name) => {
    isMentioned ||= names.has(name);
  });
  return isMentioned && !isNever(type);
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printString(name);
}

function printLiteral(value: Scalar): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

/** In single quotes, with the escapes of JSON, which are those of TypeScript. */
function printString(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\(.)|'/g, (found, escaped) => (escaped === '"' ? '"' : found === "'" ? "\\'" : found));
  return `'${inner}'`;
}
