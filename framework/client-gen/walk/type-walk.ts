// Inference: walks a TypeScript type and converts it to a wire type.

import { canonicalText } from '../../wire/canonical.js';
import { hasFiles } from '../../wire/files.js';
import { isTypeName } from '../../wire/known-names.js';
import { capitalized, procedureTypeName } from '../../wire/type-name.js';
import { isNever, unionOf, voidAsNull, withoutVoid } from '../../wire/union-of.js';
import type { WireType } from '../../wire/wire-type.js';
import type { Compiler, Place, Registration, TypeName } from '../compiler/compiler.js';
import { commentNotes } from './comment-notes.js';
import type { DeclaredAt, TypeNames } from './defined-types.js';
import { type Direction, ShapeReader } from './shape-reader.js';
import { type At, type Findings, WalkFindings } from './walk-findings.js';

/** The maximum nesting of types without a name, for readability; `loadContract` accepts at most 200 levels. */
const DEEPEST = 100;
/** The maximum nesting including named types, because each level needs several stack frames. */
const DEEPEST_NAMED = 500;
/**
 * The maximum number of objects and arrays; larger types make unreadable contracts, and take minutes with
 * TypeScript 7.
 */
const MOST_PARTS = 20_000;

/** Whose types are walked. */
interface Subject {
  /** For messages: `query 'list'`. */
  readonly who: string;
  readonly name: string;
  readonly place: Place;
}

/** A type without a name that is being walked. */
interface Open {
  readonly path: string;
  /** Set if it turned out to be recursive. */
  name: string | undefined;
}

export class TypeWalk<Type> {
  readonly #compiler: Compiler<Type>;
  readonly #names: TypeNames;
  readonly #subject: Subject;
  readonly #findings: WalkFindings;
  readonly #reader: ShapeReader<Type>;
  /** The types from the root to the current one, to detect recursion without a name. */
  #open = new Map<number, Open>();
  #depth = 0;
  #parts = 0;
  #direction: Direction = 'input';
  #base: NameBase = { name: '', path: '' };
  /** The names in what was walked, without those in named types. */
  readonly uses: { readonly input: Set<string>; readonly output: Set<string> } = {
    input: new Set(),
    output: new Set(),
  };
  /** Those of the type that is being walked. */
  #uses = this.uses.input;

  constructor(compiler: Compiler<Type>, names: TypeNames, subject: Subject, findings: Findings) {
    this.#compiler = compiler;
    this.#names = names;
    this.#subject = subject;
    this.#findings = new WalkFindings(subject.who, findings);
    this.#reader = new ShapeReader(compiler, this.#findings, (type, path, place) =>
      this.#walk(type, path, place),
    );
  }

  input({ input, hasSchema, kind }: Registration<Type>): WireType {
    if (hasSchema.input) return { kind: 'unknown' };
    if (input === undefined) return { kind: 'void' };
    this.#reader.takesFiles = kind === 'mutation';
    const type = this.#begin('input', [input.type]);
    this.#reader.takesFiles = false;
    // A handler that gives its input no type, as `(_, { user }) => …`, cannot use it.
    if (isNever(type)) return { kind: 'void' };
    if (input.isOptional) return unionOf([type, { kind: 'void' }]);
    return type;
  }

  output(registration: Registration<Type>): WireType {
    if (registration.hasSchema.output) return { kind: 'unknown' };
    const output = this.#begin('output', this.#results(registration));
    // An undefined result is written as null.
    return output.kind === 'union' ? voidAsNull(output) : output;
  }

  /** What is sent: the result, or one event of a subscription. */
  #results({ kind, output, place }: Registration<Type>): readonly Type[] {
    const results = this.#compiler.awaited(output);
    if (kind !== 'subscription') return results;
    const iterables = results.flatMap((one) => {
      if (this.#compiler.events(one) !== undefined) return [one];
      const shape = this.#compiler.shape(one);
      return shape.kind === 'union' ? shape.members : [one];
    });
    return iterables.flatMap((one) => {
      const events = this.#compiler.events(one);
      if (events !== undefined) return events;
      const fault =
        'is not an async iterable; make the handler an async generator: async function* (input) { … }';
      this.#findings.refuse(() => place, 'output', fault);
      return [];
    });
  }

  /** The body of an answer. */
  answer(types: readonly Type[]): WireType {
    return withoutVoid(this.#begin('output', types));
  }

  /** The data of one event of a socket. @param path of the event, such as `receives.say` */
  event(direction: Direction, type: Type, path: string): WireType {
    return this.#begin(direction, [type], path);
  }

  #begin(direction: Direction, types: readonly Type[], path: string = direction): WireType {
    this.#direction = direction;
    this.#reader.direction = direction;
    this.#uses = this.uses[direction];
    this.#base = { ...baseOf(this.#subject.name, direction), path };
    return unionOf(types.map((type) => this.#walk(type, path, () => this.#subject.place)));
  }

  #walk(type: Type, path: string, place: At): WireType {
    if (this.#findings.isFull) return { kind: 'unknown' };
    if (this.#depth >= DEEPEST_NAMED || this.#open.size >= DEEPEST) {
      const levels = this.#open.size >= DEEPEST ? DEEPEST : DEEPEST_NAMED;
      const fault = `is nested deeper than ${levels} levels, or without end; name the inner types`;
      return this.#findings.giveUp(place, path, fault);
    }
    this.#depth += 1;
    const name = this.#compiler.name(type);
    const isUsable = name !== undefined && isTypeName(name.name);
    const walked = isUsable ? this.#named(type, name, path, place) : this.#anonymous(type, path, place);
    this.#depth -= 1;
    return walked;
  }

  #named(type: Type, name: TypeName, path: string, place: At): WireType {
    const identity = this.#compiler.identity(type);
    const defined = this.#names[this.#direction];
    const known = defined.find(name.name, identity);
    if (known === 'this') {
      this.#uses.add(name.name);
      return this.#reference(type, name.name);
    }
    const other = this.#otherPlace(name.name, identity);
    if (other !== undefined) {
      this.#names.dependOnOrder = true;
      if (!name.isExported) return this.#anonymous(type, path, place);
      if (this.#isSame(type, identity, name.name, path, place)) {
        this.#uses.add(name.name);
        return this.#reference(type, name.name);
      }
      const { file, line } = other();
      return this.#findings.refuseName(
        name.place,
        `two types are named ${name.name}, here and at ${file}:${line}; rename one of them`,
      );
    }
    defined.reserve(name.name, identity, name.place);
    const inside = new Set<string>();
    const shape = this.#content(type, name.name, path, place, inside);
    const value = withoutVoid(shape);
    if (isNameable(value)) {
      this.#define(name, { ...value, ...commentNotes(name.description(), name.comment(), value) }, inside);
      return this.#reference(type, name.name);
    }
    for (const one of inside) this.#uses.add(one);
    defined.release(name.name);
    return shape;
  }

  /** The type that a name stands for. @param inside receives the names in it */
  #content(type: Type, name: string, path: string, place: At, inside: Set<string>): WireType {
    const [open, base, uses] = [this.#open, this.#base, this.#uses];
    this.#open = new Map();
    this.#base = { name, path };
    this.#uses = inside;
    const shape = this.#reader.read(type, path, place);
    this.#open = open;
    this.#base = base;
    this.#uses = uses;
    return shape;
  }

  /** Whether the type means what its name stands for already: two files may declare one type. */
  #isSame(type: Type, identity: number, name: string, path: string, place: At): boolean {
    const { [this.#direction]: own, input, output } = this.#names;
    const known = own.typeOf(name) ?? input.typeOf(name) ?? output.typeOf(name);
    // The other one is being walked.
    if (known === undefined) return false;
    own.accept(name, identity);
    const value = withoutVoid(this.#content(type, name, path, place, new Set()));
    if (canonicalText(value) === canonicalText(known)) return true;
    own.forget(name, identity);
    return false;
  }

  #define(name: TypeName, type: WireType, uses: ReadonlySet<string>): void {
    this.#names[this.#direction].define(name.name, type, name.file, uses);
    this.#uses.add(name.name);
    // Files are allowed in the inputs of mutations alone, and others may have read the type before.
    if (!name.isTopLevel() || hasFiles(type, () => undefined)) this.#names.dependOnOrder = true;
  }

  /** A named type does not include `undefined`: the place that uses it says whether it may be absent. */
  #reference(type: Type, name: string): WireType {
    const shape = this.#compiler.shape(type);
    const mayBeAbsent =
      shape.kind === 'union' &&
      shape.members.some((member) => this.#compiler.shape(member).kind === 'undefined');
    const reference: WireType = { kind: 'ref', name };
    return mayBeAbsent ? unionOf([reference, { kind: 'void' }]) : reference;
  }

  /** The place of another type with that name, of an input or an output: names are unique in a client. */
  #otherPlace(name: string, identity: number): (() => DeclaredAt) | undefined {
    for (const defined of [this.#names.input, this.#names.output]) {
      const found = defined.find(name, identity);
      if (typeof found === 'function') return found;
    }
    return undefined;
  }

  /** Recursion ends at names: a recursive type without a name gets one from its position. */
  #anonymous(type: Type, path: string, place: At): WireType {
    const { kind } = this.#compiler.shape(type);
    if (kind !== 'object' && kind !== 'array' && kind !== 'tuple' && kind !== 'intersection') {
      return this.#reader.read(type, path, place);
    }
    const identity = this.#compiler.identity(type);
    const defined = this.#names[this.#direction];
    const around = this.#open.get(identity);
    if (around !== undefined) {
      if (around.name === undefined) {
        around.name = recursionName(this.#base, around.path, (name) => this.#isTaken(name));
        defined.reserve(around.name, identity, place);
        this.#names.dependOnOrder = true;
      }
      return { kind: 'ref', name: around.name };
    }
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) {
      return this.#findings.giveUp(place, path, `has more than ${MOST_PARTS} parts; name the inner types`);
    }
    const open: Open = { path, name: undefined };
    this.#open.set(identity, open);
    const shape = this.#reader.read(type, path, place);
    this.#open.delete(identity);
    if (open.name === undefined) return shape;
    defined.define(open.name, shape);
    return { kind: 'ref', name: open.name };
  }

  #isTaken(name: string): boolean {
    return this.#names.input.has(name) || this.#names.output.has(name);
  }
}

/** Named scalars are written out, except unions of literals. */
function isNameable(type: WireType): boolean {
  return type.kind === 'object' || type.kind === 'union' || type.kind === 'tuple' || type.kind === 'array';
}

/** The root of a generated name: a procedure's input or output, or a named type. */
interface NameBase {
  readonly name: string;
  /** The path of the root. */
  readonly path: string;
}

/** `user.get` and `input` become `UserGetInput`. */
function baseOf(procedure: string, side: 'input' | 'output'): NameBase {
  return { name: procedureTypeName(procedure) + capitalized(side), path: side };
}

/** `UserGetInput` and `input.kids[]` become `UserGetInputKids`, with a number if that is taken. */
function recursionName(base: NameBase, path: string, isTaken: (name: string) => boolean): string {
  const plain = base.name + capitalized(path.slice(base.path.length));
  let name = plain;
  for (let count = 2; isTaken(name); count++) name = `${plain}${count}`;
  return name;
}
