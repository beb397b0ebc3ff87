// Values that middleware keeps for the rest of a request, and their types.

/**
 * The types of the values of `ctx.set` and `ctx.get`, for declaration merging:
 *
 * ```ts
 * declare module 'fw' { interface ContextStore { user: User } }
 * ```
 *
 * A key that is not declared has a string value.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications declare their keys here.
export interface ContextStore {}

/** The type of a value by its key. */
export type StoreValue<Key extends string> = Key extends keyof ContextStore ? ContextStore[Key] : string;
