// Types: names of TypeScript that stand for a type here, and names of types that JSON cannot represent.
import { NEVER } from './union-of.js';
import type { WireType } from './wire-type.js';

const KNOWN: Readonly<Record<string, WireType>> = {
  string: { kind: 'string' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  null: { kind: 'null' },
  undefined: { kind: 'void' },
  void: { kind: 'void' },
  unknown: { kind: 'unknown' },
  any: { kind: 'unknown' },
  never: NEVER,
  object: { kind: 'object', fields: [], values: { kind: 'unknown' } },
  true: { kind: 'literal', value: true },
  false: { kind: 'literal', value: false },
  File: { kind: 'file' },
  Blob: { kind: 'file' },
  // As clients name it.
  FwRpcFile: { kind: 'file' },
  // As `JSON.stringify` writes it.
  Date: { kind: 'string', rules: { format: 'date-time' } },
};

const BYTES = 'use a base64 string';

/** Why the type of a name cannot be sent as JSON, with the remedy. */
const REFUSED: Readonly<Record<string, string>> = {
  bigint: 'JSON has no bigint; use a string',
  symbol: 'JSON has no symbol; use a string',
  Function: 'a function cannot be sent as JSON; leave it out',
  Map: 'JSON has no Map; use Record<string, T> or an array of pairs',
  ReadonlyMap: 'JSON has no Map; use Record<string, T> or an array of pairs',
  WeakMap: 'JSON has no WeakMap; use Record<string, T>',
  Set: 'JSON has no Set; use Array<T>',
  ReadonlySet: 'JSON has no Set; use Array<T>',
  WeakSet: 'JSON has no WeakSet; use Array<T>',
  RegExp: 'JSON has no RegExp; use its source, a string',
  Error: 'JSON has no Error; use its message, a string',
  Uint8Array: `JSON has no bytes; ${BYTES}`,
  ArrayBuffer: `JSON has no bytes; ${BYTES}`,
  Buffer: `JSON has no bytes; ${BYTES}`,
  String: 'use string',
  Number: 'use number',
  Boolean: 'use boolean',
  Object: 'use Record<string, unknown>',
  Symbol: 'JSON has no symbol; use a string',
  BigInt: 'JSON has no bigint; use a string',
  keyof: 'keyof is not supported; use literals for the keys',
  typeof: 'typeof is not supported; write out the type',
  unique: 'JSON has no symbol; use a string',
  infer: 'conditional types are not supported; write out the resulting type',
  asserts: 'a function cannot be sent as JSON; leave it out',
  abstract: 'a constructor cannot be sent as JSON; leave it out',
  new: 'a constructor cannot be sent as JSON; leave it out',
  import: 'import types are not supported; name the type, or write it out',
};

/** Words that TypeScript does not accept as the name of a type, and names that the printed types use. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'Array ReadonlyArray Record Promise Partial Required Readonly Pick Omit break case catch class const continue ' +
    'debugger default delete do else enum export extends finally for function if in instanceof return super ' +
    'switch this throw try var while with implements interface let package private protected public static ' +
    'yield type readonly is as await intrinsic let'
  ).split(' '),
);

export function knownType(name: string): WireType | undefined {
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
}

export function refusal(name: string): string | undefined {
  return Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
}

/** Names that every generated client declares itself. */
const OF_CLIENT = /^(?:FwRpc.*|FwSocket.*|JsonRpcError|JsonRpcClientError)$/;

/** Whether a type can be declared under the name. */
export function isTypeName(name: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*$/.test(name) &&
    !OF_CLIENT.test(name) &&
    knownType(name) === undefined &&
    refusal(name) === undefined &&
    !RESERVED.has(name)
  );
}
