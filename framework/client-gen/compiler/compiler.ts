// Inference: the interface to a TypeScript compiler, independent of its version.
import type { AbsolutePath } from '../../files/absolute-path.js';
import type { ProcedureKind, ProcedureNotes } from '../../wire/wire-type.js';
import type { DocComment } from '../walk/doc-comment.js';
import type { Syntax, SyntaxFile, SyntaxNode } from './syntax.js';

/** A position in a source file; line and column start at 1. */
export interface Place {
  readonly file: AbsolutePath;
  readonly line: number;
  readonly column: number;
}

/** A procedure, as it is registered in the source. */
export interface Registration<Type> {
  readonly name: string;
  readonly kind: ProcedureKind;
  readonly place: Place;
  /** Whether input and output have schemas; parts with a schema are not inferred. */
  readonly hasSchema: { readonly input: boolean; readonly output: boolean };
  /** The type of the handler's first parameter; absent if it has none. */
  readonly input: { readonly type: Type; readonly isOptional: boolean } | undefined;
  /** The return type of the handler, including promises. */
  readonly output: Type;
}

/** The procedures that the project's files register on an RpcRegistry. */
export interface Registrations<Type> {
  /** Every `query`, `mutation` and `subscription`. */
  readonly found: readonly Registration<Type>[];
  /** The places of all procedures whose names are literals, including those with type strings. */
  readonly places: readonly (readonly [name: string, place: Place])[];
  /** What the comments of procedures say, of those with schemas and type strings too. */
  readonly notes: readonly PlacedNotes[];
  /** The routes that are registered on an App; none unless the app makes a document of them. */
  readonly routes: readonly RouteRegistration<Type>[];
  /** The sockets that are registered on an App, with events of plain types or with a comment. */
  readonly sockets: readonly SocketRegistration<Type>[];
  readonly findings: readonly Finding[];
}

/** A route, as it is registered in the source. */
export interface RouteRegistration<Type> {
  /** `GET /users/:id`, with the path as the App knows it. */
  readonly name: string;
  /** The beginning of the path that the type of the App declares; usually empty. */
  readonly prefix: string;
  readonly place: Place;
  readonly notes: ProcedureNotes;
  /** Whether the handler calls `ctx.status()`, whose status the types do not show. */
  readonly setsStatus: boolean;
  /** The return type of the handler, including promises; undefined if the route declares its answers. */
  readonly output: Type | undefined;
}

/** A socket, as it is registered in the source. */
export interface SocketRegistration<Type> {
  /** The path, as the App knows it. */
  readonly path: string;
  /** The beginning of the path that the type of the App declares; usually empty. */
  readonly prefix: string;
  readonly place: Place;
  readonly notes: ProcedureNotes;
  /** The events that are received, with the types of their data; undefined if they have schemas, or there are none. */
  readonly receives: readonly Property<Type>[] | undefined;
  readonly sends: readonly Property<Type>[] | undefined;
}

/** The queries to a compiler about a call that registers something. */
export interface Asked<Type> {
  typeAt(node: SyntaxNode): Type | undefined;
  shape(type: Type): Shape<Type>;
  /** The declaration that a name leads to, unless it is of another package. */
  declaredAt(node: SyntaxNode): Declared | undefined;
}

/** A declaration in the app's sources. */
export interface Declared {
  readonly comment: DocComment | undefined;
  readonly code: string;
}

/** What the comment of a procedure says, without what its options say. */
export interface PlacedNotes {
  readonly name: string;
  readonly place: Place;
  readonly notes: ProcedureNotes;
}

/** The same while it is being collected. */
export type Gathered<Type> = {
  readonly [Part in keyof Registrations<Type>]: Registrations<Type>[Part][number][];
};

/** An error or a warning of the inference. */
export interface Finding {
  readonly place: Place;
  readonly message: string;
}

/** One level of a type; the types that it consists of are queried when they are needed. */
export type Shape<Type> =
  | {
      readonly kind:
        | 'any'
        | 'unknown'
        | 'nonprimitive'
        | 'never'
        | 'null'
        | 'undefined'
        | 'bigint'
        | 'symbol'
        | 'error';
    }
  | { readonly kind: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'union'; readonly members: readonly Type[] }
  | { readonly kind: 'intersection'; readonly members: readonly Type[] }
  | { readonly kind: 'array'; readonly items: Type }
  | { readonly kind: 'tuple'; readonly items: readonly TupleItem<Type>[] }
  | { readonly kind: 'parameter'; readonly constraint: Type | undefined }
  | ObjectShape<Type>;

interface TupleItem<Type> {
  readonly type: Type;
  readonly is: 'required' | 'optional' | 'rest';
}

export interface ObjectShape<Type> {
  readonly kind: 'object';
  isCallable(): boolean;
  /**
   * The name of a built-in type of JavaScript or Node, such as `Map`; also of classes and interfaces that extend
   * it.
   */
  readonly builtIn: string | undefined;
  properties(): readonly Property<Type>[];
  /** The types of its index signatures, without those for symbols. */
  readonly values: readonly Type[];
}

export interface Property<Type> {
  readonly name: string;
  readonly type: Type;
  readonly isOptional: boolean;
  /** True for a getter or a setter of a class, which is not an own property of instances. */
  readonly isGetter: boolean;
  readonly description: string | undefined;
  /** Its documentation comment, for the tags. */
  comment(): DocComment | undefined;
  /** The place of the declaration in the project's own files. */
  place(): Place | undefined;
}

/** The name under which a type is exported or declared. */
export interface TypeName {
  readonly name: string;
  readonly isExported: boolean;
  /** The file that declares it. */
  readonly file: AbsolutePath;
  /** Whether it is declared at the top level of its file, and not inside of a function or a namespace. */
  isTopLevel(): boolean;
  description(): string | undefined;
  comment(): DocComment | undefined;
  place(): Place;
}

/** What is known from an earlier inference, and need not be asked for again. */
export interface Known {
  /** Whether everything that a file registers is known. */
  hasFile(file: AbsolutePath): boolean;
  /** The parts of a file that may register something which is not known; called for every other file. */
  unknownIn(file: AbsolutePath, source: SyntaxFile, syntax: Syntax): readonly SyntaxNode[];
}

/** The files of a program; a compiler's own names for them stay inside of it. */
export interface Sources {
  /** All files of the program. */
  readonly all: readonly AbsolutePath[];
  /** The project's own files, without declaration files. */
  readonly own: readonly AbsolutePath[];
  /** The files whose text may register a procedure. */
  readonly registering: readonly AbsolutePath[];
  /** Whether routes are inferred, because the app makes a document of them. */
  readonly withRoutes: boolean;
}

export interface Compiler<Type> {
  /** Waits until the program is read; only of a compiler that has a process of its own. */
  open?(): void;
  /** Without those that are known. */
  registrations(known: Known): Registrations<Type>;
  /** The files of the last call of `registrations`. */
  readonly sources: Sources;
  /** The files that a file imports or references, type-only imports included; without those that cannot be found. */
  imports(file: AbsolutePath): readonly AbsolutePath[];
  /** Whether a file is a module by its format or the settings, even without an import or an export. */
  isAlwaysModule(file: AbsolutePath): boolean;
  /** An identifier of the type. */
  identity(type: Type): number;
  shape(type: Type): Shape<Type>;
  /** Undefined for anonymous types and for types of other packages. */
  name(type: Type): TypeName | undefined;
  /** An intersection of objects as one object. */
  objectShape(type: Type): ObjectShape<Type>;
  /** The return type of a function; undefined for other types. */
  returned(type: Type): Type | undefined;
  /** The type arguments of fw's `JsonResponse`; `opaque` for other responses, undefined for other types. */
  response(type: Type): { readonly body: Type; readonly status: Type } | 'opaque' | undefined;
  /** The types that a promise or thenable resolves to, for each member of a union; the type itself for other types. */
  awaited(type: Type): readonly Type[];
  /**
   * The types of the events that an async iterable yields, without their ids; undefined for a type that is not an async
   * iterable.
   */
  events(type: Type): readonly Type[] | undefined;
  /** Errors in the settings. */
  readonly settingsErrors: readonly Finding[];
  /** Type errors in the files that register procedures. */
  errors(): readonly Finding[];
  /** Reads files that changed on disk. */
  update(changed: readonly AbsolutePath[]): void;
  close(): void;
}
