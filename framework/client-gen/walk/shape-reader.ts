// Inference: converts one level of a TypeScript type to a wire type.
import { allowsVoid, isNever, unionOf, voidAsNull, withoutVoid } from '../../wire/union-of.js';
import type { WireField, WireType } from '../../wire/wire-type.js';
import type { Compiler, ObjectShape, Property, Shape } from '../compiler/compiler.js';
import { commentNotes } from './comment-notes.js';
import type { At, WalkFindings } from './walk-findings.js';

export type Direction = 'input' | 'output';

type Walk<Type> = (type: Type, path: string, place: At) => WireType;

export class ShapeReader<Type> {
  readonly #compiler: Compiler<Type>;
  readonly #findings: WalkFindings;
  readonly #walk: Walk<Type>;
  direction: Direction = 'input';
  /** Whether the type is the input of a mutation, the only place for files. */
  takesFiles = false;

  /** @param walk converts the types inside */
  constructor(compiler: Compiler<Type>, findings: WalkFindings, walk: Walk<Type>) {
    this.#compiler = compiler;
    this.#findings = findings;
    this.#walk = walk;
  }

  read(type: Type, path: string, place: At): WireType {
    const shape = this.#compiler.shape(type);
    switch (shape.kind) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: shape.kind };
      case 'undefined':
        return { kind: 'void' };
      case 'unknown':
        return { kind: 'unknown' };
      case 'nonprimitive':
        return { kind: 'object', fields: [], values: { kind: 'unknown' } };
      case 'any':
      case 'error':
        this.#findings.warn(place, path, `is any, which is not checked; give it a type`);
        return { kind: 'unknown' };
      case 'literal':
        return { kind: 'literal', value: shape.value };
      case 'never':
        return unionOf([]);
      case 'bigint':
        return this.#findings.refuse(place, path, `is a bigint, which JSON does not have; use a string`);
      case 'symbol':
        return this.#findings.refuse(place, path, `is a symbol, which JSON does not have; use a string`);
      case 'parameter':
        if (shape.constraint !== undefined) return this.#walk(shape.constraint, path, place);
        return this.#findings.refuse(
          place,
          path,
          `is a type parameter; declare a specific type in the handler`,
        );
      case 'array':
        return { kind: 'array', items: this.#element(shape.items, `${path}[]`, place) };
      case 'tuple':
        return this.#tuple(shape, path, place);
      case 'union':
        return unionOf(shape.members.map((member) => this.#walk(member, path, place)));
      case 'intersection':
        return this.#intersection(shape.members, type, path, place);
      case 'object':
        return this.#object(shape, path, place);
    }
  }

  #tuple(shape: Shape<Type> & { kind: 'tuple' }, path: string, place: At): WireType {
    const first = shape.items.findIndex(({ is }) => is === 'rest');
    const items = first === -1 ? shape.items : shape.items.slice(0, first);
    const rest = shape.items.slice(items.length);
    if (rest.length > 1) {
      const members = shape.items.map(({ type }) => this.#element(type, `${path}[]`, place));
      this.#findings.warn(
        place,
        path,
        `has items after its rest element: it becomes an array of any of them; put the rest element last`,
      );
      return { kind: 'array', items: unionOf(members) };
    }
    const required = items.filter(({ is }) => is === 'required').length;
    return {
      kind: 'tuple',
      items: items.map(({ type: item, is }, index) => {
        const at = `${path}[${index}]`;
        return is === 'optional' ? this.#optional(item, at, place) : this.#element(item, at, place);
      }),
      ...(required < items.length && { required }),
      ...(rest[0] && { rest: this.#element(this.#restItems(rest[0].type), `${path}[]`, place) }),
    };
  }

  /** The type of an optional item without `undefined`; null if `undefined` is its only type. */
  #optional(type: Type, path: string, place: At): WireType {
    const item = this.#walk(type, path, place);
    const value = withoutVoid(item);
    return isNever(value) ? voidAsNull(item) : value;
  }

  /** The items of `...T` in a tuple. */
  #restItems(type: Type): Type {
    const shape = this.#compiler.shape(type);
    const list = this.#bare(type);
    return shape.kind === 'parameter' && list.kind === 'array' ? list.items : type;
  }

  /** An item of an array, where `undefined` is written as null. */
  #element(type: Type, path: string, place: At): WireType {
    return voidAsNull(this.#walk(type, path, place));
  }

  /** A branded scalar becomes the scalar; the compiler has already joined objects to one. */
  #intersection(members: readonly Type[], type: Type, path: string, place: At): WireType {
    for (const member of members) {
      const bare = this.#compiler.shape(member);
      const { kind } = this.#bare(member);
      if (kind !== 'object' && kind !== 'parameter' && kind !== 'nonprimitive' && kind !== 'intersection') {
        return this.read(member, path, place);
      }
      if (bare.kind === 'object' && bare.builtIn !== undefined) return this.read(member, path, place);
    }
    return this.#object(this.#compiler.objectShape(type), path, place);
  }

  #object(shape: ObjectShape<Type>, path: string, place: At): WireType {
    const { builtIn } = shape;
    if (builtIn === 'Date') return this.#date(path, place);
    if (this.takesFiles && (builtIn === 'File' || builtIn === 'Blob')) return { kind: 'file' };
    if (builtIn === 'Array' || builtIn === 'ReadonlyArray') {
      return {
        kind: 'array',
        items: unionOf(shape.values.map((one) => this.#element(one, `${path}[]`, place))),
      };
    }
    const remedy = builtIn === undefined ? undefined : remedyFor(builtIn);
    if (builtIn !== undefined && remedy !== undefined) {
      return this.#findings.refuse(
        place,
        path,
        `is ${article(builtIn)} ${builtIn}, which JSON does not have; ${remedy}`,
      );
    }
    const properties = shape.properties();
    const toJson = properties.find(({ name }) => name === 'toJSON');
    const written = toJson && this.#compiler.returned(toJson.type);
    if (written !== undefined) {
      if (this.direction === 'output') return this.#written(written, path, place);
      return this.#findings.refuse(
        place,
        path,
        `has toJSON: the result of that arrives instead; use its type`,
      );
    }
    if (shape.isCallable()) {
      return this.#findings.refuse(place, path, `is a function, which cannot be sent as JSON; leave it out`);
    }
    if (builtIn !== undefined && properties.some((one) => this.#compiler.returned(one.type) !== undefined)) {
      return this.#findings.refuse(
        place,
        path,
        `is ${article(builtIn)} ${builtIn}, which has methods and cannot be sent as JSON; use only the fields that you need`,
      );
    }
    return this.#fields(shape, properties, path, place);
  }

  #fields(
    shape: ObjectShape<Type>,
    properties: readonly Property<Type>[],
    path: string,
    place: At,
  ): WireType {
    const fields = properties.flatMap((property) => this.#field(property, path, place));
    const values = shape.values.map((one) => this.#value(one, `${path}[key]`, place));
    return { kind: 'object', fields, ...(values.length > 0 && { values: unionOf(values) }) };
  }

  /** The result of `toJSON`; its own `toJSON` is not called, so that `toJSON(): this` gives the fields. */
  #written(type: Type, path: string, place: At): WireType {
    const shape = this.#bare(type);
    const properties = shape.kind === 'object' ? shape.properties() : [];
    const others = properties.filter(({ name }) => name !== 'toJSON');
    return shape.kind === 'object' && others.length < properties.length
      ? this.#fields(shape, others, path, place)
      : this.#walk(type, path, place);
  }

  #bare(type: Type): Shape<Type> {
    const shape = this.#compiler.shape(type);
    return shape.kind === 'parameter' && shape.constraint ? this.#compiler.shape(shape.constraint) : shape;
  }

  #date(path: string, place: At): WireType {
    if (this.direction === 'output') return { kind: 'string', rules: { format: 'date-time' } };
    return this.#findings.refuse(
      place,
      path,
      `is a Date, but a string arrives; use a string, or a schema that converts it to a Date`,
    );
  }

  #field(property: Property<Type>, path: string, around: At): WireField[] {
    const { name } = property;
    const place = () => property.place() ?? around();
    if (property.isGetter && this.direction === 'output') {
      this.#findings.refuse(
        place,
        `${path}.${name}`,
        `is a getter of a class, which JSON leaves out; return an object`,
      );
      return [];
    }
    const type = this.#walk(property.type, `${path}.${name}`, place);
    const value = withoutVoid(type);
    if (isNever(value)) return [];
    const isOptional = property.isOptional || allowsVoid(type);
    const { description, notes } = commentNotes(property.description, property.comment(), value);
    return [
      {
        name,
        type: notes === undefined ? value : { ...value, notes },
        isOptional,
        ...(description && { description }),
      },
    ];
  }

  #value(type: Type, path: string, place: At): WireType {
    const value = this.#walk(type, path, place);
    return value.kind === 'union' ? withoutVoid(value) : value;
  }
}

function article(noun: string): string {
  return /^[AEIO]/.test(noun) ? 'an' : 'a';
}

const BYTES = 'use a base64 string';

const FILE = 'use it in the input of a mutation, or a base64 string';

const REMEDIES: Readonly<Record<string, string>> = {
  Map: 'use an object, or an array of pairs',
  ReadonlyMap: 'use an object, or an array of pairs',
  Set: 'use an array',
  ReadonlySet: 'use an array',
  WeakMap: 'use an object',
  WeakSet: 'use an array',
  WeakRef: 'use the object that it refers to',
  RegExp: 'use its source, a string',
  Error: 'use its message, a string',
  Promise: 'await it before you return it',
  PromiseLike: 'await it before you return it',
  Iterable: 'use an array',
  Iterator: 'use an array',
  IteratorObject: 'use an array',
  IterableIterator: 'use an array',
  ArrayIterator: 'use an array',
  MapIterator: 'use an array',
  SetIterator: 'use an array',
  Generator: 'use an array',
  AsyncIterable: 'stream it from a separate route',
  AsyncIterator: 'stream it from a separate route',
  AsyncIterableIterator: 'stream it from a separate route',
  AsyncGenerator: 'stream it from a separate route',
  ReadableStream: 'stream it from a separate route',
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
  Buffer: BYTES,
  Blob: FILE,
  File: FILE,
  FormData: 'use an object',
  URLSearchParams: 'use an object',
  Headers: 'use an object',
  Function: 'leave it out',
  Object: 'use Record<string, unknown>',
  String: 'use string',
  Number: 'use number',
  Boolean: 'use boolean',
};

/** The remedy for a type that JSON cannot represent; undefined for other types. */
function remedyFor(builtIn: string): string | undefined {
  // Own keys only, because a type may be called `toString`.
  if (Object.hasOwn(REMEDIES, builtIn)) return REMEDIES[builtIn];
  return /^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(builtIn) ? BYTES : undefined;
}
