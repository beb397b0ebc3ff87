// Types that an application declares once, for everything that it registers.

/**
 * The type of the application's database, of what its platform passes with a request, and the names of its scopes, for
 * declaration merging:
 *
 * ```ts
 * declare module 'fw' { interface Register { db: typeof db } }
 * declare module 'fw' { interface Register { platform: { env: Env; ctx: ExecutionContext } } }
 * declare module 'fw' { interface Register { scopes: 'orders:read' | 'orders:write' } }
 * ```
 *
 * Add `| undefined` to `platform` if `app.listen` serves the App too.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications declare their types here.
export interface Register {}

/**
 * The type of `ctx.db()` if the application did not declare that of its database: a text, because the compiler shows it
 * whole in its messages.
 */
export type UndeclaredDb = "declare module 'fw' { interface Register { db: typeof db } }";

/** The type of `ctx.db()`. */
export type RegisteredDb = Register extends { db: infer Db } ? Db : UndeclaredDb;

/** What the compiler shows of `ctx.platform` if the application did not declare what its platform passes. */
export interface UndeclaredPlatform {
  /** The Request as the platform has made it. */
  readonly request: Request;
  readonly 'declare the others': "declare module 'fw' { interface Register { platform: { env: Env; ctx: ExecutionContext } } }";
}

/**
 * The type of `ctx.platform`: as declared, with the Request; `| undefined` stays. Undeclared, it may be undefined,
 * because it is under `app.listen`.
 */
export type PlatformOf<Declared> = Declared extends { platform: infer Platform }
  ? WithRequest<Platform>
  : UndeclaredPlatform | undefined;

/** For each member of a union. */
type WithRequest<Platform> = Platform extends object ? Platform & { readonly request: Request } : Platform;

export type RegisteredPlatform = PlatformOf<Register>;

/** The scopes that guards ask for, such as `ctx.requireScope`: as declared, and any text if they are not. */
export type ScopeOf<Declared> = Declared extends { scopes: infer Scopes extends string } ? Scopes : string;

export type RegisteredScope = ScopeOf<Register>;
