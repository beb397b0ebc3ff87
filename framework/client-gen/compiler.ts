// Inference: what is asked of a TypeScript compiler, whichever version the project has.

/** A position in a source file; line and column start at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A procedure as its registration is written. */
export interface Registration<Type> {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly place: Place;
  /** Parts of it that have a schema are not inferred. */
  readonly hasSchema: { readonly input: boolean; readonly output: boolean };
  /** The handler's first parameter; absent where it takes none. */
  readonly input: { readonly type: Type; readonly isOptional: boolean } | undefined;
  /** What the handler returns, promises included. */
  readonly output: Type;
}

/** What the project's files register on an RpcRegistry. */
export interface Registrations<Type> {
  /** Every `query` and `mutation`. */
  readonly found: readonly Registration<Type>[];
  /** Where every procedure is registered whose name is written out, those with types as text too. */
  readonly places: readonly (readonly [name: string, place: Place])[];
  readonly findings: readonly Finding[];
}

/** The same while it is being found. */
export type Gathered<Type> = {
  readonly [Part in keyof Registrations<Type>]: Registrations<Type>[Part][number][];
};

/** Something that cannot be inferred, or not well. */
export interface Finding {
  readonly place: Place;
  readonly message: string;
}

/** One level of a type; what it is made of is asked for when it is needed. */
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
  /** The name of a type of the language or of Node, such as `Map`, also where a class or an interface extends it. */
  readonly builtIn: string | undefined;
  properties(): readonly Property<Type>[];
  /** The values of its index signatures; those of symbols do not travel. */
  readonly values: readonly Type[];
}

export interface Property<Type> {
  readonly name: string;
  readonly type: Type;
  readonly isOptional: boolean;
  /** Written as a getter or a setter of a class: instances do not own it. */
  readonly isGetter: boolean;
  readonly description: string | undefined;
  /** Where it is declared, in the project's own files. */
  place(): Place | undefined;
}

/** The name under which a type is exported or declared. */
export interface TypeName {
  readonly name: string;
  readonly isExported: boolean;
  description(): string | undefined;
  place(): Place;
}

/** Absolute paths. */
export interface Sources {
  /** The project's own files, without declaration files. */
  readonly own: readonly string[];
  /** Those whose text may register a procedure. */
  readonly registering: readonly string[];
}

export interface Compiler<Type> {
  registrations(): Registrations<Type>;
  /** What the last `registrations` went by. */
  readonly sources: Sources;
  /** Equal for one type, and only for it. */
  identity(type: Type): number;
  shape(type: Type): Shape<Type>;
  /** Undefined for anonymous types and for types of other packages. */
  name(type: Type): TypeName | undefined;
  /** An intersection of objects as one object. */
  objectShape(type: Type): ObjectShape<Type>;
  /** What a function returns; undefined for what is no function. */
  returned(type: Type): Type | undefined;
  /** What `Promise` and its like resolve to, of each member of a union; the type itself where it is none. */
  awaited(type: Type): readonly Type[];
  /** What is wrong with the settings. */
  readonly settingsErrors: readonly Finding[];
  /** What the checker finds wrong in the files that register procedures. */
  errors(): readonly Finding[];
  /** Takes over what changed on disk. */
  update(changed: readonly string[]): void;
  close(): void;
}
