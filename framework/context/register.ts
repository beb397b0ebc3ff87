// Types that an application declares once, for everything that it registers.

/**
 * The type of the application's database, for declaration merging:
 *
 * ```ts
 * declare module 'fw' { interface Register { db: typeof db } }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications declare their types here.
export interface Register {}

/** What the compiler shows of `ctx.db()` if the application did not declare the type of its database. */
export interface UndeclaredDb {
  readonly 'declare its type': "declare module 'fw' { interface Register { db: typeof db } }";
}

/** The type of `ctx.db()`. */
export type RegisteredDb = Register extends { db: infer Db } ? Db : UndeclaredDb;
