// Inference: walks a TypeScript type and says what of it travels as JSON.

import { isNever, unionOf } from '../rpc/types/union-of.js';
import type { WireField, WireType } from '../rpc/types/wire-type.js';
import type { Compiler, Finding, ObjectShape, Place, Property, Registration } from './compiler.js';
import type { DefinedTypes } from './defined-types.js';

interface Findings {
  readonly errors: Finding[];
  readonly warnings: Finding[];
}

/** Lines and columns cost time, and only errors need them. */
type At = () => Place;

type Direction = 'input' | 'output';

/** Types of the language that JSON has no form for, and what to take instead. */
const NO_JSON: Readonly<Record<string, string>> = {
  Map: 'take an object, or an array of pairs',
  ReadonlyMap: 'take an object, or an array of pairs',
  Set: 'take an array',
  ReadonlySet: 'take an array',
  WeakMap: 'take an object',
  WeakSet: 'take an array',
  RegExp: 'take its source as a string',
  Error: 'take its message as a string',
  ArrayBuffer: 'take base64 as a string',
  SharedArrayBuffer: 'take base64 as a string',
  DataView: 'take base64 as a string',
  Buffer: 'take base64 as a string',
  Blob: 'take base64 as a string',
  File: 'take base64 as a string',
  ReadableStream: 'stream it from a route of its own',
  AsyncGenerator: 'stream it from a route of its own',
  Generator: 'take an array',
  FormData: 'take an object',
};

export class TypeWalk<Type> {
  readonly #compiler: Compiler<Type>;
  readonly #names: { readonly input: DefinedTypes; readonly output: DefinedTypes };
  readonly #registration: Registration<Type>;
  readonly #findings: Findings;
  /** Types between the root and where the walk is, for recursion without a name. */
  #open = new Set<number>();
  #direction: Direction = 'input';

  constructor(
    compiler: Compiler<Type>,
    names: { readonly input: DefinedTypes; readonly output: DefinedTypes },
    registration: Registration<Type>,
    findings: Findings,
  ) {
    this.#compiler = compiler;
    this.#names = names;
    this.#registration = registration;
    this.#findings = findings;
  }

  input(): WireType {
    const { input, hasSchema } = this.#registration;
    if (hasSchema.input) return { kind: 'unknown' };
    if (input === undefined) return { kind: 'void' };
    this.#direction = 'input';
    const type = this.#walk(input.type, 'input', () => this.#registration.place);
    if (input.isOptional && type.kind !== 'unknown') return unionOf([type, { kind: 'void' }]);
    return type;
  }

  output(): WireType {
    if (this.#registration.hasSchema.output) return { kind: 'unknown' };
    this.#direction = 'output';
    const type = this.#compiler.awaited(this.#registration.output);
    const output = this.#walk(type, 'output', () => this.#registration.place);
    // A result that is undefined is written as null.
    return output.kind === 'union' ? withNull(output.members) : output;
  }

  #walk(type: Type, path: string, place: At): WireType {
    const name = this.#compiler.name(type);
    if (name === undefined) return this.#anonymous(type, path, place);
    const identity = this.#compiler.identity(type);
    const defined = this.#names[this.#direction];
    const known = defined.find(name.name, identity);
    if (known === 'this') return { kind: 'ref', name: name.name };
    if (known !== undefined) {
      if (!name.isExported) return this.#anonymous(type, path, place);
      const { file, line } = known();
      const other = `${file}:${line}`;
      return this.#refuse(
        name.place,
        `the name ${name.name} means another type at ${other}; rename one of them`,
      );
    }
    defined.reserve(name.name, identity, name.place);
    const open = this.#open;
    this.#open = new Set();
    const shape = this.#shape(type, path, place);
    this.#open = open;
    if (isNameable(shape)) {
      defined.define(name.name, shape);
      return { kind: 'ref', name: name.name };
    }
    defined.release(name.name);
    return shape;
  }

  /** Recursion ends at names; a type that holds itself without one has no end. */
  #anonymous(type: Type, path: string, place: At): WireType {
    const { kind } = this.#compiler.shape(type);
    if (kind !== 'object' && kind !== 'array' && kind !== 'tuple') return this.#shape(type, path, place);
    const identity = this.#compiler.identity(type);
    if (this.#open.has(identity)) {
      return this.#refuse(
        place,
        `${this.#at(path)} holds itself and has no name; declare it as an interface`,
      );
    }
    this.#open.add(identity);
    const shape = this.#shape(type, path, place);
    this.#open.delete(identity);
    return shape;
  }

  #shape(type: Type, path: string, place: At): WireType {
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
      case 'any':
      case 'error':
        this.#findings.warnings.push({
          place: place(),
          message: `${this.#at(path)} is any: it travels unchecked; give it a type`,
        });
        return { kind: 'unknown' };
      case 'literal':
        return { kind: 'literal', value: shape.value };
      case 'never':
        return unionOf([]);
      case 'bigint':
        return this.#refuse(place, `${this.#at(path)} is a bigint, which JSON does not have; take a string`);
      case 'symbol':
        return this.#refuse(place, `${this.#at(path)} is a symbol, which JSON does not have; take a string`);
      case 'parameter':
        if (shape.constraint !== undefined) return this.#walk(shape.constraint, path, place);
        return this.#refuse(
          place,
          `${this.#at(path)} is a type parameter; give the handler a type of its own`,
        );
      case 'array':
        return { kind: 'array', items: this.#element(shape.items, `${path}[]`, place) };
      case 'tuple': {
        const items = shape.items.filter(({ is }) => is !== 'rest');
        const rest = shape.items.find(({ is }) => is === 'rest');
        const required = items.filter(({ is }) => is === 'required').length;
        return {
          kind: 'tuple',
          items: items.map(({ type: item, is }, index) => {
            const at = `${path}[${index}]`;
            return is === 'optional' ? this.#value(item, at, place) : this.#element(item, at, place);
          }),
          ...(required < items.length && { required }),
          ...(rest && { rest: this.#element(rest.type, `${path}[]`, place) }),
        };
      }
      case 'union':
        return unionOf(shape.members.map((member) => this.#walk(member, path, place)));
      case 'intersection':
        return this.#intersection(shape.members, type, path, place);
      case 'object':
        return this.#object(shape, path, place);
    }
  }

  /** `undefined` in an array is written as null. */
  #element(type: Type, path: string, place: At): WireType {
    const element = this.#walk(type, path, place);
    if (element.kind === 'void') return { kind: 'null' };
    return element.kind === 'union' ? withNull(element.members) : element;
  }

  /** A branded scalar is the scalar; objects are one object, which the compiler has put together already. */
  #intersection(members: readonly Type[], type: Type, path: string, place: At): WireType {
    for (const member of members) {
      const { kind } = this.#compiler.shape(member);
      if (kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'literal') {
        return this.#shape(member, path, place);
      }
      if (kind === 'array' || kind === 'tuple') return this.#shape(member, path, place);
    }
    return this.#object(this.#compiler.objectShape(type), path, place);
  }

  #object(shape: ObjectShape<Type>, path: string, place: At): WireType {
    const { builtIn } = shape;
    if (builtIn === 'Date') return this.#date(path, place);
    const remedy = builtIn === undefined ? undefined : (NO_JSON[builtIn] ?? arrayRemedy(builtIn));
    if (remedy !== undefined) {
      return this.#refuse(place, `${this.#at(path)} is a ${builtIn}, which JSON does not have; ${remedy}`);
    }
    const properties = shape.properties();
    const toJson = properties.find(({ name }) => name === 'toJSON');
    const written = toJson && this.#compiler.returned(toJson.type);
    if (written !== undefined) {
      if (this.#direction === 'output') return this.#walk(written, path, place);
      return this.#refuse(
        place,
        `${this.#at(path)} has toJSON: it arrives as what that gives; take that type`,
      );
    }
    if (shape.isCallable()) {
      return this.#refuse(place, `${this.#at(path)} is a function, which cannot travel; leave it out`);
    }
    const fields = properties.flatMap((property) => this.#field(property, path, place));
    return {
      kind: 'object',
      fields,
      ...(shape.values !== undefined && { values: this.#value(shape.values, `${path}[key]`, place) }),
    };
  }

  #date(path: string, place: At): WireType {
    if (this.#direction === 'output') return { kind: 'string', rules: { format: 'date-time' } };
    return this.#refuse(
      place,
      `${this.#at(path)} is a Date, but a string arrives; take a string, or a schema that makes a Date of it`,
    );
  }

  #field(property: Property<Type>, path: string, around: At): WireField[] {
    const { name, description } = property;
    const type = this.#walk(property.type, `${path}.${name}`, () => property.place() ?? around());
    if (type.kind === 'void' || isNever(type)) return [];
    const members = type.kind === 'union' ? type.members : [type];
    const isOptional = property.isOptional || members.some(({ kind }) => kind === 'void');
    const value = unionOf(members.filter(({ kind }) => kind !== 'void'));
    return [{ name, type: value, isOptional, ...(description && { description }) }];
  }

  #value(type: Type, path: string, place: At): WireType {
    const value = this.#walk(type, path, place);
    return value.kind === 'union' ? unionOf(value.members.filter(({ kind }) => kind !== 'void')) : value;
  }

  #at(path: string): string {
    return `${this.#registration.kind} '${this.#registration.name}': ${path}`;
  }

  #refuse(place: At, message: string): WireType {
    this.#findings.errors.push({ place: place(), message });
    return { kind: 'unknown' };
  }
}

/** Names of scalars say nothing on the wire, except those of a choice. */
function isNameable(type: WireType): boolean {
  return type.kind === 'object' || type.kind === 'union' || type.kind === 'tuple' || type.kind === 'array';
}

function withNull(members: readonly WireType[]): WireType {
  return unionOf(members.map((one) => (one.kind === 'void' ? { kind: 'null' } : one)));
}

function arrayRemedy(builtIn: string): string | undefined {
  return /^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(builtIn)
    ? 'take base64 as a string'
    : undefined;
}
