// The client: the types that it was generated for, as a value, so that a server can compare them with its own.

import { printType } from '../wire/print/print-typescript.js';
import { lookupIn, visitRefs } from '../wire/resolve.js';
import type { NamedTypes, ProcedureTypes, WireType, WireTypes } from '../wire/wire-type.js';

/** The kind, the types of a procedure as strings, the names that these refer to, and the data of declared errors. */
type ContractEntry = readonly [
  kind: string,
  input: string,
  output: string,
  names: readonly string[],
  errors?: Readonly<Record<string, string>>,
];

/** An object that bundlers remove from programs that do not pass it to the client. */
export function printContract(types: WireTypes, hash: string): string {
  const procedures = Object.entries(types.procedures)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry(one, types.named))},\n`);
  const named = Object.entries(types.named)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `    ${JSON.stringify(name)}: ${JSON.stringify(oneLine(type))},\n`);
  return [
    '/** The types above as strings, for the option `checkContract`. */',
    'export const contract: FwRpcContract = {',
    `  hash: ${JSON.stringify(hash)},`,
    `  procedures: {\n${procedures.join('')}  },`,
    `  types: {\n${named.join('')}  },`,
    '  field: contractField,',
    '};\n',
  ].join('\n');
}

/** The same in the declarations of a client. */
export const DECLARED_CONTRACT: string = `/** The types above as strings, for the option \`checkContract\`. */
export declare const contract: FwRpcContract;
`;

function entry({ kind, input, output, errors }: ProcedureTypes, named: NamedTypes): ContractEntry {
  const data = Object.entries(errors ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, one.data] as const);
  const names = reached([input, output, ...data.map(([, type]) => type)], named);
  const types = [kind, oneLine(input), oneLine(output), names] as const;
  if (errors === undefined) return types;
  return [...types, Object.fromEntries(data.map(([name, type]) => [name, oneLine(type)]))];
}

function oneLine(type: WireType): string {
  return printType(withoutComments(type)).replace(/\n */g, ' ');
}

/** Without descriptions and annotations, which would be printed as comments. */
function withoutComments(type: WireType): WireType {
  const { description: _, notes: _notes, ...bare } = type;
  switch (bare.kind) {
    case 'array':
      return { ...bare, items: withoutComments(bare.items) };
    case 'tuple':
      return {
        ...bare,
        items: bare.items.map(withoutComments),
        ...(bare.rest && { rest: withoutComments(bare.rest) }),
      };
    case 'object':
      return {
        ...bare,
        fields: bare.fields.map(({ description: _, ...field }) => ({
          ...field,
          type: withoutComments(field.type),
        })),
        ...(bare.values && { values: withoutComments(bare.values) }),
      };
    case 'union':
      return { ...bare, members: bare.members.map(withoutComments) };
    default:
      return bare;
  }
}

function reached(types: readonly WireType[], named: NamedTypes): string[] {
  const lookup = lookupIn(named);
  const names = new Set<string>();
  const visit = (type: WireType): void =>
    visitRefs(type, (name) => {
      if (names.has(name)) return;
      names.add(name);
      const target = lookup(name);
      if (target !== undefined) visit(target);
    });
  for (const type of types) visit(type);
  return [...names].sort();
}
