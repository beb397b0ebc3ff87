// Objects of fw that are not values: messages name them, and nothing sends them.

const kinds = new WeakMap<object, string>();

/** Names the objects of a class in messages, such as `the context`. */
export function nameObjects(made: { readonly prototype: object }, kind: string): void {
  kinds.set(made.prototype, kind);
}

/** What an object of fw is; undefined for every other one. Nothing of the value runs but a trap of a Proxy. */
export function ownKind(value: object): string | undefined {
  try {
    return kinds.get(Object.getPrototypeOf(value) as object);
  } catch {
    // A Proxy that was revoked throws here.
    return undefined;
  }
}
