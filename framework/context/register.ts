// Types that an application declares once, for everything that it registers.

/**
 * The type of the application's database, and of what its platform passes with a request, for declaration merging:
 *
 * ```ts
 * declare module 'fw' { interface Register { db: typeof db } }
 * declare module 'fw' { interface Register { platform: { env: Env; ctx: ExecutionContext } } }
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

/** What the compiler shows of `ctx.platform` if the application did not declare what its platform passes. */
export interface UndeclaredPlatform {
  /** The Request as the platform has made it. */
  readonly request: Request;
  readonly 'declare the others': "declare module 'fw' { interface Register { platform: { env: Env; ctx: ExecutionContext } } }";
}

/** The type of `ctx.platform`. */
export type RegisteredPlatform = Register extends { platform: infer Platform }
  ? Platform & { readonly request: Request }
  : UndeclaredPlatform;
