// The part of the context that gives access to what the application attached: its database.
import type { RegisteredDb } from './register.js';
import type { Scope } from './scope.js';

/** Base of `Context`: what the application attached to the App. */
export abstract class AttachedContext {
  /** Middleware, error handlers and settings around the handler of this request. @internal */
  abstract readonly scope: Scope;

  /**
   * The database that `app.withKysely(db)` or `app.withDrizzle(db)` attached. Declare its type once, see `Register`.
   *
   * @throws Error when none was attached.
   */
  db(): RegisteredDb {
    const { database } = this.scope.settings;
    if (database !== undefined) return database as RegisteredDb;
    throw new Error('ctx.db() needs a database: call app.withKysely(db) or app.withDrizzle(db) before');
  }
}
