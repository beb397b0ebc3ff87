// Types: wire types, the intermediate form between schemas, type strings and inferred signatures on one side, and the
// client, the OpenAPI document and the validation of inputs on the other. They describe JSON, not JavaScript values.

/** The value of a literal type. */
export type Scalar = string | number | boolean;

/** A value of JSON. */
export type Json = null | Scalar | readonly Json[] | { readonly [key: string]: Json };

/** One field of an object. */
export interface WireField {
  readonly name: string;
  readonly type: WireType;
  /** True if the key may be absent. */
  readonly isOptional: boolean;
  readonly description?: string;
}

/**
 * Keywords of JSON Schema (draft 2020-12) that restrict a type more than TypeScript can express: `minLength`,
 * `pattern`, `format`, `minimum`, `multipleOf`, `minItems` and the like. OpenAPI shows them. An input that is an
 * object has `additionalProperties: false` if its schema refuses unknown keys.
 */
export type WireRules = Readonly<Record<string, Json>>;

/** Annotations of JSON Schema (draft 2020-12, validation, section 9): they tell, and restrict nothing. */
export interface WireNotes {
  readonly title?: string;
  /** The value of an absent field. */
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly deprecated?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

interface Described {
  readonly description?: string;
  readonly notes?: WireNotes;
  readonly rules?: WireRules;
}

/** Any value of JSON. */
interface UnknownType extends Described {
  readonly kind: 'unknown';
}
/** A file of an upload: a `File` in handlers, sent as a part of a form. Only inputs of mutations have files. */
interface FileType extends Described {
  readonly kind: 'file';
}
/** No value: an absent input, or an undefined result. */
interface VoidType extends Described {
  readonly kind: 'void';
}
interface ScalarType extends Described {
  readonly kind: 'null' | 'boolean' | 'number' | 'integer' | 'string';
  /** True for a string that is converted to a Date for the schema. */
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
  /** How many of the items are required; all if undefined. */
  readonly required?: number;
  /** The type of further items after the listed ones. */
  readonly rest?: WireType;
}
export interface ObjectType extends Described {
  readonly kind: 'object';
  readonly fields: readonly WireField[];
  /** The type of the values of all other keys, as in a record. If undefined, other keys are dropped. */
  readonly values?: WireType;
}
export interface UnionType extends Described {
  readonly kind: 'union';
  readonly members: readonly WireType[];
}
/** A reference to a named type of `WireTypes.named`. */
interface RefType extends Described {
  readonly kind: 'ref';
  readonly name: string;
}

export type WireType =
  | UnknownType
  | VoidType
  | FileType
  | ScalarType
  | LiteralType
  | ArrayType
  | TupleType
  | ObjectType
  | UnionType
  | RefType;

/** Named types by name, to which `ref` types refer. */
export type NamedTypes = Readonly<Record<string, WireType>>;

/** What a procedure says about itself, for people. */
export interface ProcedureNotes {
  readonly description?: string;
  /** True, or what to use instead. */
  readonly deprecated?: boolean | string;
  /** Groups of procedures in documents. */
  readonly tags?: readonly string[];
}

/** A query only reads, a mutation changes something, and a subscription sends events for as long as it runs. */
export type ProcedureKind = 'query' | 'mutation' | 'subscription';

/** The wire types of one procedure. If the input is `void`, the procedure does not read it. */
export interface ProcedureTypes extends ProcedureNotes {
  readonly kind: ProcedureKind;
  readonly input: WireType;
  /** Of a subscription: the type of one event. */
  readonly output: WireType;
  /** The declared errors by their names; undefined if there are none. */
  readonly errors?: Readonly<Record<string, ErrorTypes>>;
}

/** A declared error. Only its data is a type of clients; the other parts are for documents. */
export interface ErrorTypes {
  /** `void` if it has no data. */
  readonly data: WireType;
  readonly code?: number;
  readonly status?: number;
  readonly message?: string;
  readonly description?: string;
}

/** The body of a request or a response. */
export interface RouteBody {
  readonly type: WireType;
  /** The media type; a body that is not JSON is text. */
  readonly contentType: string;
}

/** The wire types of one route. */
export interface ClientRoute extends ProcedureNotes {
  readonly method: string;
  /** As it is registered, such as `/users/:id`. */
  readonly path: string;
  readonly params: readonly WireField[];
  readonly query: readonly WireField[];
  /** Undefined if it reads none. */
  readonly body: RouteBody | undefined;
  /** The answers from 200 to 399 by their statuses, `void` without a body; undefined if they are not known. */
  readonly answers: Readonly<Record<number, WireType>> | undefined;
  /** The statuses of answers whose bodies are text, and not JSON. */
  readonly text: readonly number[];
  /** The bodies of the errors that it declares, by their statuses. */
  readonly errors: Readonly<Record<number, WireType>>;
}

/** The routes of a client by their names. */
export type ClientRoutes = Readonly<Record<string, ClientRoute>>;

/** The wire types of one socket route with events. */
export interface ClientSocket extends ProcedureNotes {
  /** As it is registered, such as `/rooms/:room`. */
  readonly path: string;
  readonly params: readonly WireField[];
  readonly query: readonly WireField[];
  /** The data of the events that the client sends, by their names. */
  readonly sends: ObjectType;
  /** The data of the events that the client gets. */
  readonly receives: ObjectType;
  /** Whether the socket carries subscriptions. */
  readonly hasRpc: boolean;
}

/** The sockets of a client by their names. */
export type ClientSockets = Readonly<Record<string, ClientSocket>>;

/** All types of a registry: what a contract file has the text of, and the input of the printers. */
export interface WireTypes {
  readonly procedures: Readonly<Record<string, ProcedureTypes>>;
  readonly named: NamedTypes;
}

/** What a client is printed from. */
export interface ClientTypes extends WireTypes {
  /** The routes of an App; undefined for a client of procedures alone. */
  readonly routes?: ClientRoutes;
  /** The sockets of an App that have events; undefined without any. */
  readonly sockets?: ClientSockets;
}

/** Both have no text for a deprecation: it is the last paragraph of the description. */
export function documentedNotes({ description, deprecated = false }: ProcedureNotes): {
  readonly description?: string;
  readonly deprecated?: true;
} {
  const instead = typeof deprecated === 'string' ? `Deprecated: ${deprecated}` : undefined;
  const text = [description, instead].filter((part) => part !== undefined).join('\n\n');
  return { ...(text !== '' && { description: text }), ...(deprecated !== false && { deprecated: true }) };
}

export const KINDS: readonly ProcedureKind[] = ['query', 'mutation', 'subscription'];

export function isKind(value: unknown): value is ProcedureKind {
  return KINDS.includes(value as ProcedureKind);
}
