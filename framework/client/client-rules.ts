// The client: rules of values that TypeScript types cannot express, as a comment that `fw generate --diff` parses.
import { canonicalText, sortedJson } from '../wire/canonical.js';
import { printType } from '../wire/print/print-typescript.js';
import { membersOf } from '../wire/union-of.js';
import type { Json, NamedTypes, ProcedureTypes, WireRules, WireType, WireTypes } from '../wire/wire-type.js';

// `withRules` looks for this text in clients of every version: never change it.
const HEAD = `/*
 * What the server checks beyond the types above: fw generate --diff compares it.
 *
`;

/** A comment with a line of JSON for each place that has rules; empty if there are none. */
export function printRules(types: WireTypes): string {
  const lines: string[] = [];
  for (const [path, type] of rootsOf(types)) {
    visit(type, path, (at, one) => {
      const rules = allRules(one);
      if (rules !== undefined) lines.push(` * ${escaped(`[${JSON.stringify(at)},${sortedJson(rules)}]`)}\n`);
    });
  }
  return lines.length === 0 ? '' : `${HEAD}${lines.join('')} */\n`;
}

/** The rules of a client by their places. */
class PlacedRules {
  readonly #rules = new Map<string, WireRules>();
  /** Every place with a rule, and all places that contain one. */
  readonly #places = new Set<string>();

  add(path: string, rules: WireRules): void {
    this.#rules.set(path, rules);
    for (let end = 0; end <= path.length; end++) {
      if (end === path.length || '.[|#'.includes(path.charAt(end))) this.#places.add(path.slice(0, end));
    }
  }

  at(path: string): WireRules | undefined {
    return this.#rules.get(path);
  }

  /** Whether there is a rule at the place, at another place with the same text, or inside of one of them. */
  has(path: string): boolean {
    return this.#places.has(path);
  }
}

/** The types of a client with the rules of its comment. @throws SyntaxError if a line of it is not JSON */
export function withRules(types: WireTypes, client: string): WireTypes {
  const start = client.lastIndexOf(HEAD);
  if (start === -1) return types;
  const rules = new PlacedRules();
  for (const line of client.slice(start + HEAD.length).split('\n')) {
    if (!line.startsWith(' * [')) break;
    const [path, found] = JSON.parse(line.slice(3)) as [string, WireRules];
    rules.add(path, found);
  }
  const named: Record<string, WireType> = Object.create(null);
  for (const [name, type] of Object.entries(types.named)) named[name] = ruled(type, name, rules);
  const procedures = Object.fromEntries(
    Object.entries(types.procedures).map(([name, { kind, input, output, errors }]) => {
      const [inputPath, outputPath] = pathsOf(name);
      const bare = { kind, input: ruled(input, inputPath, rules), output: ruled(output, outputPath, rules) };
      return [name, errors === undefined ? bare : { ...bare, errors: ruledErrors(name, errors, rules) }];
    }),
  );
  return { procedures: Object.assign(Object.create(null), procedures), named: named as NamedTypes };
}

function ruledErrors(
  procedure: string,
  errors: NonNullable<ProcedureTypes['errors']>,
  rules: PlacedRules,
): ProcedureTypes['errors'] {
  return Object.fromEntries(
    Object.entries(errors).map(([name, { data }]) => {
      return [name, { data: ruled(data, errorPath(procedure, name), rules) }];
    }),
  );
}

function rootsOf({ procedures, named }: WireTypes): [path: string, type: WireType][] {
  const roots = Object.entries(named);
  for (const [name, { input, output, errors = {} }] of Object.entries(procedures)) {
    const [inputPath, outputPath] = pathsOf(name);
    roots.push([inputPath, input], [outputPath, output]);
    for (const [error, { data }] of Object.entries(errors)) roots.push([errorPath(name, error), data]);
  }
  return roots.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** No named type has a space in its name. */
function pathsOf(procedure: string): readonly [input: string, output: string] {
  return [`input of ${procedure}`, `output of ${procedure}`];
}

function errorPath(procedure: string, name: string): string {
  return `error ${name} of ${procedure}`;
}

/** An integer is a rule too, because TypeScript has no type for it. */
function allRules(type: WireType): WireRules | undefined {
  if (type.kind === 'integer') return { ...type.rules, type: 'integer' };
  return type.rules;
}

/** Names each part of a type by its place. Members of a union are distinguished by their printed text. */
function visit(type: WireType, path: string, found: (path: string, type: WireType) => void): void {
  if (type.kind !== 'union') found(path, type);
  switch (type.kind) {
    case 'array':
      visit(type.items, `${path}[]`, found);
      break;
    case 'tuple':
      for (const [index, item] of type.items.entries()) visit(item, `${path}[${index}]`, found);
      if (type.rest) visit(type.rest, `${path}[...]`, found);
      break;
    case 'object':
      for (const field of sortedFields(type.fields)) visit(field.type, `${path}.${field.name}`, found);
      if (type.values) visit(type.values, `${path}[key]`, found);
      break;
    case 'union':
      for (const [at, member] of placedMembers(membersOf(type))) visit(member, path + at, found);
  }
}

function sortedFields<Field extends { readonly name: string }>(fields: readonly Field[]): Field[] {
  return fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Members with the same printed text differ only in their rules: the second of them is `#2`. */
function placedMembers(members: readonly WireType[]): [path: string, member: WireType][] {
  const counts = new Map<string, number>();
  return members
    .map((member): [string, WireType] => [canonicalText(member), member])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, member]) => {
      const text = memberText(member);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return [count === 1 ? text : `${text}#${count}`, member];
    });
}

function memberText(member: WireType): string {
  return `|${printType(member).replace(/[ \n]+/g, ' ')}`;
}

function ruled(type: WireType, path: string, rules: PlacedRules): WireType {
  if (type.kind === 'union' || rules.has(path + memberText(type))) {
    const members = membersOf(type).flatMap((member) => ruledMember(member, path, rules));
    return type.kind === 'union' ? { ...type, members } : { kind: 'union', members };
  }
  const own = rules.at(path);
  const inside = ruledInside(type, path, rules);
  if (own === undefined) return inside;
  const { type: kind, ...others } = own as Readonly<Record<string, Json>>;
  const made: WireType =
    kind === 'integer' && inside.kind === 'number' ? { ...inside, kind: 'integer' } : inside;
  return Object.keys(others).length === 0 ? made : { ...made, rules: others };
}

function ruledInside(type: WireType, path: string, rules: PlacedRules): WireType {
  switch (type.kind) {
    case 'array':
      return { ...type, items: ruled(type.items, `${path}[]`, rules) };
    case 'tuple':
      return {
        ...type,
        items: type.items.map((item, index) => ruled(item, `${path}[${index}]`, rules)),
        ...(type.rest && { rest: ruled(type.rest, `${path}[...]`, rules) }),
      };
    case 'object':
      return {
        ...type,
        fields: type.fields.map((field) => ({
          ...field,
          type: ruled(field.type, `${path}.${field.name}`, rules),
        })),
        ...(type.values && { values: ruled(type.values, `${path}[key]`, rules) }),
      };
    default:
      return type;
  }
}

/** One printed member may stand for several that differ only in their rules. */
function ruledMember(member: WireType, path: string, rules: PlacedRules): WireType[] {
  const at = path + memberText(member);
  const made = [ruled(member, at, rules)];
  for (let count = 2; rules.has(`${at}#${count}`); count++) {
    made.push(ruled(member, `${at}#${count}`, rules));
  }
  return made;
}

/** Escapes the text so that it neither ends the line nor closes the comment. */
function escaped(json: string): string {
  return json.replaceAll('*/', '*\\/').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
