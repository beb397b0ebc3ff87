// Types: the middle form that schemas, TypeScript strings and inferred signatures become, and that the client,
// the OpenAPI document and the check of inputs are made from. It describes JSON, not JavaScript values.

/** A scalar that a literal type is. */
export type Scalar = string | number | boolean;

/** A value of JSON. */
export type Json = null | Scalar | readonly Json[] | { readonly [key: string]: Json };

/** One field of an object. */
export interface WireField {
  readonly name: string;
  readonly type: WireType;
  /** True where the key may be absent. */
  readonly isOptional: boolean;
  readonly description?: string;
}

/**
 * Keywords of JSON Schema (draft 2020-12) that narrow a type further than TypeScript can say: `minLength`,
 * `pattern`, `format`, `minimum`, `multipleOf`, `minItems` and the like. OpenAPI shows them. An input that is an
 * object has `additionalProperties: false` where its schema refuses keys that are not its fields.
 */
export type WireRules = Readonly<Record<string, Json>>;

interface Described {
  readonly description?: string;
  readonly rules?: WireRules;
}

/** Any value of JSON. */
interface UnknownType extends Described {
  readonly kind: 'unknown';
}
/** No value: an input that is not there, a result that is nothing. */
interface VoidType extends Described {
  readonly kind: 'void';
}
interface ScalarType extends Described {
  readonly kind: 'null' | 'boolean' | 'number' | 'integer' | 'string';
  /** Of a text that the schema behind it takes as a Date. */
  readonly isDate?: true;
}
export interface LiteralType extends Described {
  readonly kind: 'literal';
  readonly value: Scalar;
}
export interface ArrayType extends Described {
  readonly kind: 'array';
  readonly items: WireType;
}
export interface TupleType extends Described {
  readonly kind: 'tuple';
  readonly items: readonly WireType[];
  /** How many of the items must be there; all of them unless said otherwise. */
  readonly required?: number;
  /** What may follow the items. */
  readonly rest?: WireType;
}
export interface ObjectType extends Described {
  readonly kind: 'object';
  readonly fields: readonly WireField[];
  /** The type of every key that is no field: a record. Without it other keys are dropped. */
  readonly values?: WireType;
}
export interface UnionType extends Described {
  readonly kind: 'union';
  readonly members: readonly WireType[];
}
/** A named type, of `WireTypes.named`. */
interface RefType extends Described {
  readonly kind: 'ref';
  readonly name: string;
}

export type WireType =
  | UnknownType
  | VoidType
  | ScalarType
  | LiteralType
  | ArrayType
  | TupleType
  | ObjectType
  | UnionType
  | RefType;

/** Named types by name: what a `ref` means. */
export type NamedTypes = Readonly<Record<string, WireType>>;

/** The types of one procedure on the wire. An input of `void` is one that the procedure does not read. */
export interface ProcedureTypes {
  readonly kind: 'query' | 'mutation';
  readonly input: WireType;
  readonly output: WireType;
  readonly description?: string;
}

/** All types of a registry: what a contract file holds, and what the printers print. */
export interface WireTypes {
  readonly procedures: Readonly<Record<string, ProcedureTypes>>;
  readonly named: NamedTypes;
}
