// Inference: the named types that were found, each once.

import type { NamedTypes, WireType } from '../rpc/types/wire-type.js';
import type { Place } from './compiler.js';

interface Definition {
  readonly identity: number;
  readonly place: () => Place;
  type: WireType | undefined;
}

export class DefinedTypes {
  readonly #byName = new Map<string, Definition>();

  /** Whether `name` already stands for this type; the place of the other type if it stands for another one. */
  find(name: string, identity: number): 'this' | undefined | (() => Place) {
    const found = this.#byName.get(name);
    if (found === undefined) return undefined;
    return found.identity === identity ? 'this' : found.place;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Reserves the name before the type is known, so that recursive types can refer to it. */
  reserve(name: string, identity: number, place: () => Place): void {
    this.#byName.set(name, { identity, place, type: undefined });
  }

  /** Releases the name if nothing refers to it. */
  release(name: string): void {
    this.#byName.delete(name);
  }

  define(name: string, type: WireType): void {
    const found = this.#byName.get(name);
    if (found !== undefined) found.type = type;
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
