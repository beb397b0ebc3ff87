// Built-in middleware: gives each client a session, found by the secret in its cookie.

import type { Context } from '../context/context.js';
import type { Middleware, Next } from '../context/handlers.js';
import type { Session, SessionData, SessionInfo } from '../context/session.js';
import { respondToError } from '../dispatch/error-response.js';
import type { ExtractorDescription } from '../extract/description.js';
import { onlyCookie } from '../http/cookie.js';
import type { FwResponse } from '../http/response.js';
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import { chained, isPromise } from '../promises.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { reportError } from '../tracing/error-channel.js';
import { CurrentSession } from './current-session.js';
import {
  resolveSession,
  type SessionConfig,
  type SessionOptions,
  type SessionSettings,
} from './session-config.js';
import { isSecret, keyOf } from './session-id.js';
import {
  ask,
  type SessionChanges,
  type SessionStore,
  type StoredSession,
  storedSession,
} from './session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from './session-watchers.js';

/** The middleware `session`, which is also an extractor of the session, typed by its schema. */
export interface SessionMiddleware<Data extends object = SessionData, Input extends object = Data>
  extends Middleware {
  readonly describes: ExtractorDescription;
  /** The session of a request. @throws Error if the middleware does not run there. */
  extract(ctx: Context): Session<Data, Input>;
}

/**
 * Gives every client a session, as `ctx.session()`. A client without one costs nothing: the store is asked only for
 * requests with a session cookie, and the first `set` or `signIn` starts a session. Changes are written when the
 * response is made, also if that is an error; of concurrent requests of one session each writes only the values that
 * it has set. While the store fails, requests with a session are answered 503.
 *
 * ```ts
 * app.use(session(new MemoryStore()));
 * app.post('/visits', (ctx) => ctx.session().set('visits', 1));
 * ```
 *
 * @throws ConfigError if the store is not one, or an option is unknown or malformed.
 */
export function session<Schema extends StandardSchemaV1<unknown, object>>(
  store: SessionStore,
  config: (SessionOptions<Schema> & { schema: Schema }) | SessionConfig<Schema>,
): SessionMiddleware<
  StandardSchemaV1.InferOutput<Schema> & object,
  StandardSchemaV1.InferInput<Schema> & object
>;
export function session(store: SessionStore, config?: SessionOptions | SessionConfig): SessionMiddleware;
export function session(store: SessionStore, config: SessionOptions | SessionConfig = {}): SessionMiddleware {
  checkValue('session', 'the store', store, STORE);
  const settings = resolveSession(config);
  const { cookieName } = settings;
  const telling = tellingStore(store);
  function session(ctx: Context, next: Next): Promise<FwResponse> {
    const secret = onlyCookie(ctx.req.header('cookie'), cookieName);
    if (secret === undefined || !isSecret(secret)) return run(ctx, next, telling, settings);
    const key = keyOf(secret);
    const loaded = ask(() => chained<unknown, StoredSession | undefined>(store.load(key), storedSession));
    if (!isPromise(loaded)) return run(ctx, next, telling, settings, key, loaded);
    return (loaded as Promise<StoredSession | undefined>).then((stored) =>
      run(ctx, next, telling, settings, key, stored),
    );
  }
  return Object.assign(session, {
    describes: {
      security: { session: { type: 'apiKey', in: 'cookie', name: cookieName } },
      authenticates: 'optional',
    } as const,
    extract: (ctx: Context) => ctx.session(),
  });
}

const STORE = objectWith(
  ['load', 'create', 'update', 'delete', 'list', 'end', 'endAll'],
  'a SessionStore, such as new MemoryStore()',
);

/** An id that the store does not know is not adopted: the client gets a new one if it gets a session. */
function run(
  ctx: Context,
  next: Next,
  store: SessionStore,
  settings: SessionSettings,
  key?: string,
  found?: StoredSession,
): Promise<FwResponse> {
  const now = Date.now();
  const isOver =
    found === undefined || found.expiresAtMs <= now || found.createdAtMs + settings.absoluteMs <= now;
  const current = isOver
    ? new CurrentSession(ctx, store, settings, undefined, undefined)
    : new CurrentSession(ctx, store, settings, key, found);
  ctx.ownSession = current;
  return next().then(
    (response) => current.finish(response),
    (error: unknown) => finishError(ctx, current, error),
  );
}

/** What was set before the error is kept, so that failed attempts can be counted. */
async function finishError(ctx: Context, current: CurrentSession, error: unknown): Promise<FwResponse> {
  const response = current.hasNews ? await respondToError(error, ctx) : undefined;
  try {
    if (response !== undefined) return await current.finish(response);
    await current.touch();
  } catch (storeError) {
    reportError({ error: storeError, status: 503, method: ctx.req.method, path: ctx.req.path });
  }
  if (response === undefined) throw error;
  return response;
}

const known = new WeakMap<SessionStore, TellingStore>();

/**
 * The store, or one around it that tells what the middleware ends. What the application ends by calls of such a store is
 * noticed with the next check.
 */
function tellingStore(store: SessionStore): SessionStore {
  if (typeof store.watch === 'function') return store;
  const found = known.get(store) ?? new TellingStore(store);
  known.set(store, found);
  return found;
}

class TellingStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #watchers = new SessionWatchers();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  load(key: string): StoredSession | undefined | Promise<StoredSession | undefined> {
    return this.#store.load(key);
  }

  create(key: string, session: StoredSession): void | Promise<void> {
    return this.#store.create(key, session);
  }

  update(key: string, changes: SessionChanges): boolean | Promise<boolean> {
    return chained(this.#store.update(key, changes), (isThere) => {
      const { newKey, signedIn } = changes;
      if (isThere && newKey !== undefined) this.#watchers.moved(key, newKey, signedIn?.user.id);
      return isThere;
    });
  }

  delete(key: string): void | Promise<void> {
    return chained(this.#store.delete(key), () => this.#watchers.ended(key));
  }

  list(userId: string): readonly SessionInfo[] | Promise<readonly SessionInfo[]> {
    return this.#store.list(userId);
  }

  end(userId: string, id: string): boolean | Promise<boolean> {
    return chained(this.#store.end(userId, id), (isEnded) => {
      if (isEnded) this.#watchers.ended(id);
      return isEnded;
    });
  }

  endAll(userId: string, options: { readonly except?: string } = {}): number | Promise<number> {
    return chained(this.#store.endAll(userId, options), (count) => {
      this.#watchers.endedAll(userId, options.except);
      return count;
    });
  }
}
