// Inference: the named types that were found, each once.

import type { AbsolutePath } from '../../files/absolute-path.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';

/** Where a name is declared, for messages. */
export interface DeclaredAt {
  readonly file: string;
  readonly line: number;
}

interface Definition {
  /** Undefined for a type of an earlier inference. */
  readonly identity: number | undefined;
  readonly place: () => DeclaredAt;
  type: WireType | undefined;
  /** The file that declares it; empty for a name that was made up. */
  file: AbsolutePath | '';
  /** The names in it. */
  uses: ReadonlySet<string>;
}

/** A named type that is complete. */
export interface NamedType {
  readonly type: WireType;
  /** The file that declares it; empty for a name that was made up. */
  readonly file: AbsolutePath | '';
  /** The names in it. */
  readonly uses: ReadonlySet<string>;
}

/** The names of inputs and of outputs, which allow different types: a Date can be returned, but not received. */
export class TypeNames {
  readonly input: DefinedTypes = new DefinedTypes();
  readonly output: DefinedTypes = new DefinedTypes();
  /** Set if other names would have been found if the procedures had been read in another order. */
  dependOnOrder = false;
}

/** The names that a type refers to. */
export interface Uses {
  readonly input: ReadonlySet<string>;
  readonly output: ReadonlySet<string>;
}

export class DefinedTypes {
  readonly #byName = new Map<string, Definition>();
  /** Other declarations of the same types. */
  readonly #same = new Map<string, Set<number>>();

  /** Whether `name` already stands for this type; the place of the other type if it stands for another one. */
  find(name: string, identity: number): 'this' | undefined | (() => DeclaredAt) {
    if (this.#same.get(name)?.has(identity)) return 'this';
    const found = this.#byName.get(name);
    if (found === undefined) return undefined;
    return found.identity === identity ? 'this' : found.place;
  }

  /** Undefined if the name is free, or its type is not known yet. */
  typeOf(name: string): WireType | undefined {
    return this.#byName.get(name)?.type;
  }

  /** The name stands for this type too. */
  accept(name: string, identity: number): void {
    this.#same.set(name, (this.#same.get(name) ?? new Set()).add(identity));
  }

  forget(name: string, identity: number): void {
    this.#same.get(name)?.delete(identity);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Reserves the name before the type is known, so that recursive types can refer to it. */
  reserve(name: string, identity: number, place: () => DeclaredAt): void {
    this.#byName.set(name, { identity, place, type: undefined, file: '', uses: new Set() });
  }

  /** Releases the name if nothing refers to it. */
  release(name: string): void {
    this.#byName.delete(name);
  }

  define(
    name: string,
    type: WireType,
    file: AbsolutePath | '' = '',
    uses: ReadonlySet<string> = new Set(),
  ): void {
    const found = this.#byName.get(name);
    if (found !== undefined) Object.assign(found, { type, file, uses });
  }

  /** All types that are complete. */
  all(): ReadonlyMap<string, NamedType> {
    const types = new Map<string, NamedType>();
    for (const [name, { type, file, uses }] of this.#byName) {
      if (type !== undefined) types.set(name, { type, file, uses });
    }
    return types;
  }

  /** Adds types of an earlier inference. False if a name stands for something else by now. */
  add(types: ReadonlyMap<string, NamedType>): boolean {
    for (const [name, one] of types) {
      const found = this.#byName.get(name);
      if (found === undefined) {
        const place = () => ({ file: one.file, line: 1 });
        this.#byName.set(name, { ...one, identity: undefined, place });
      } else if (found.file !== one.file || JSON.stringify(found.type) !== JSON.stringify(one.type))
        return false;
    }
    return true;
  }

  /** Whether each name of both is of a type that one file declares. */
  agreesWith(others: DefinedTypes): boolean {
    return [...this.#byName].every(([name, { file }]) => {
      const other = others.#byName.get(name);
      return other === undefined || other.file === file;
    });
  }

  /** The types of both, by name. A name in both stands for the same type. */
  with(others: DefinedTypes): NamedTypes {
    const named: Record<string, WireType> = Object.create(null);
    for (const name of [...new Set([...this.#byName.keys(), ...others.#byName.keys()])].sort()) {
      const type = this.#byName.get(name)?.type ?? others.#byName.get(name)?.type;
      if (type !== undefined) named[name] = type;
    }
    return named;
  }
}
