// RPC: reads the contract file that `fw generate` writes: the types of procedures without a schema.
import { ConfigError } from '../config-error.js';
import { assertKnown } from './known-types.js';
import type { ProcedureTypes, WireType, WireTypes } from './types/wire-type.js';

/** The version of the file's format; fw refuses other versions. */
const VERSION = 1;

/** The maximum nesting; types written by hand are not as deep. */
const DEEPEST = 200;

type Fields = Readonly<Record<string, unknown>>;

/** @throws Error if it is not a contract, with the place of the fault */
export function readContract(contract: unknown): WireTypes {
  const { version, procedures, named } = fields(contract, 'it');
  if (version !== VERSION) {
    const shown = JSON.stringify(version) ?? 'missing';
    throw malformed('version', `is ${shown}, this fw reads ${VERSION}; run fw generate`);
  }
  const read: Record<string, ProcedureTypes> = Object.create(null);
  for (const [name, value] of Object.entries(fields(procedures, 'procedures'))) {
    const at = `procedures[${JSON.stringify(name)}]`;
    const { kind, input, output } = fields(value, at);
    if (kind !== 'query' && kind !== 'mutation')
      throw malformed(`${at}.kind`, `is not 'query' or 'mutation'`);
    assertType(input, `${at}.input`, 0);
    assertType(output, `${at}.output`, 0);
    read[name] = value as ProcedureTypes;
  }
  const names: Record<string, WireType> = Object.create(null);
  for (const [name, type] of Object.entries(fields(named, 'named'))) {
    assertType(type, `named[${JSON.stringify(name)}]`, 0);
    names[name] = type;
  }
  for (const [name, types] of Object.entries(read)) {
    for (const io of ['input', 'output'] as const) assertKnown(types[io], names, `${io} of '${name}'`);
  }
  for (const [name, type] of Object.entries(names)) assertKnown(type, names, `named type '${name}'`);
  return { procedures: read, named: names };
}

function assertType(value: unknown, at: string, depth: number): asserts value is WireType {
  if (depth > DEEPEST) throw malformed(at, `is nested more than ${DEEPEST} deep`);
  const type = fields(value, at);
  switch (type.kind) {
    case 'unknown':
    case 'void':
    case 'null':
    case 'boolean':
    case 'number':
    case 'integer':
    case 'string':
      return;
    case 'literal':
      if (!['string', 'number', 'boolean'].includes(typeof type.value))
        throw malformed(`${at}.value`, 'is not a literal');
      return;
    case 'ref':
      if (typeof type.name !== 'string') throw malformed(`${at}.name`, 'is not a string');
      return;
    case 'array':
      return assertType(type.items, `${at}.items`, depth + 1);
    case 'union':
      return assertTypes(type.members, `${at}.members`, depth);
    case 'tuple':
      assertTypes(type.items, `${at}.items`, depth);
      if (type.required !== undefined && !Number.isInteger(type.required))
        throw malformed(`${at}.required`, 'is not a number');
      if (type.rest !== undefined) assertType(type.rest, `${at}.rest`, depth + 1);
      return;
    case 'object':
      for (const [index, field] of list(type.fields, `${at}.fields`).entries()) {
        const { name, type: fieldType, isOptional } = fields(field, `${at}.fields[${index}]`);
        if (typeof name !== 'string') throw malformed(`${at}.fields[${index}].name`, 'is not a string');
        if (typeof isOptional !== 'boolean') throw malformed(`${at}.${name}.isOptional`, 'is not a boolean');
        assertType(fieldType, `${at}.${name}`, depth + 1);
      }
      if (type.values !== undefined) assertType(type.values, `${at}.values`, depth + 1);
      return;
    default:
      throw malformed(`${at}.kind`, `is ${JSON.stringify(type.kind)}, which is not a kind of type`);
  }
}

function assertTypes(value: unknown, at: string, depth: number): void {
  for (const [index, type] of list(value, at).entries()) assertType(type, `${at}[${index}]`, depth + 1);
}

function list(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(at, 'is not an array');
}

function fields(value: unknown, at: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw malformed(at, 'is not an object');
}

function malformed(at: string, why: string): Error {
  return new ConfigError(
    'FW_RPC_CONTRACT',
    `useContract: this is not a contract of fw generate: ${at} ${why}`,
  );
}
