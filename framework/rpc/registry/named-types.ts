// RPC: the named types of a registry: each name stands for one type.

import { canonicalText } from '../../wire/canonical.js';
import { isTypeName } from '../../wire/known-names.js';
import { visitRefs } from '../../wire/resolve.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';
import { TypeFaultError } from '../contract/type-faults.js';

/** The named types, and where each is used first. */
export class Names {
  readonly #types = new Map<string, { readonly type: WireType; readonly user: string }>();
  /** Names that a client declares itself. */
  readonly #taken = new Set<string>();

  add(name: string, type: WireType, user: string): void {
    const present = this.#types.get(name);
    if (present === undefined) {
      if (!isTypeName(name)) {
        throw new TypeFaultError(
          `the type '${name}' of ${user} cannot be declared in a generated client: take a name such as 'User', of ` +
            `the letters A to Z, digits and _, that neither TypeScript nor the client reserves`,
        );
      }
      this.#types.set(name, { type, user });
      return;
    }
    if (present.type === type || canonicalText(present.type) === canonicalText(type)) return;
    throw new TypeFaultError(
      `two types are named '${name}': that of ${present.user}, and that of ${user}; give one of them another id`,
    );
  }

  get(name: string): WireType | undefined {
    return this.#taken.has(name) ? undefined : this.#types.get(name)?.type;
  }

  /** Adds the types that the type refers to, directly and indirectly. */
  addReached(type: WireType, named: NamedTypes, user: string): void {
    const seen = new Set<string>();
    const open = [type];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      visitRefs(next, (name) => {
        const target = Object.hasOwn(named, name) ? named[name] : undefined;
        if (target === undefined || seen.has(name)) return;
        seen.add(name);
        this.add(name, target, user);
        open.push(target);
      });
    }
  }

  /** A name that a client declares itself: no other type may have it. */
  take(name: string, user: string): void {
    // Equal to no other type.
    this.add(name, { kind: 'literal', value: user }, user);
    this.#taken.add(name);
  }

  /** Objects without a name get this one. */
  give(name: string, type: WireType, user: string): WireType {
    if (type.kind !== 'object' || type.fields.length === 0) return type;
    this.add(name, type, user);
    return { kind: 'ref', name };
  }

  sorted(): NamedTypes {
    const named: Record<string, WireType> = Object.create(null);
    for (const name of [...this.#types.keys()].sort()) {
      const type = this.get(name);
      if (type !== undefined) named[name] = type;
    }
    return named;
  }
}
