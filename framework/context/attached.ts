// The part of the context that gives access to the app: its database, and the route that matches.
import type { RegisteredDb } from './register.js';
import type { Scope } from './scope.js';

/** Base of `Context`: what belongs to the App and the route. */
export abstract class AttachedContext {
  /** Middleware, error handlers and settings around the handler of this request. @internal */
  abstract readonly scope: Scope;
  /** The pattern of the matching route, set by dispatch. @internal */
  pattern: string | undefined = undefined;

  /**
   * The path of the matching route as it was registered, with the prefixes of mounts, such as `/users/:id`; undefined
   * if no route matches. An app has only so many of them, so they can name metrics and spans, unlike `req.path`.
   */
  routePath(): string | undefined {
    return this.pattern;
  }

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
