// Keeps sessions in the database, so that nobody is signed out when the app restarts, as in every cycle of `fw dev`.
import {
  type SessionChanges,
  type SessionInfo,
  type SessionListener,
  type SessionStore,
  SessionWatchers,
  type StoredSession,
  type WatchedKey,
} from 'fw/session';
import type { Insertable, Selectable } from 'kysely';
import type { Database, Db } from '../database/database.ts';

type Row = Selectable<Database['sessions']>;

export class DatabaseSessionStore implements SessionStore {
  readonly #db: Db;
  readonly #watchers = new SessionWatchers();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Tells streams when their session ends, by whatever call of this store. */
  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  async load(key: string): Promise<StoredSession | undefined> {
    const row = await this.#db
      .selectFrom('sessions')
      .selectAll()
      .where('key', '=', key)
      .where('expiresAtMs', '>', Date.now())
      .executeTakeFirst();
    return row && sessionOf(row);
  }

  async create(key: string, session: StoredSession): Promise<void> {
    await this.#db.deleteFrom('sessions').where('expiresAtMs', '<=', Date.now()).execute();
    await this.#db.insertInto('sessions').values(rowOf(key, session)).execute();
  }

  /** In a transaction whose first statement locks the row: of two changes at once, the second sees the first. */
  async update(key: string, changes: SessionChanges): Promise<boolean> {
    const { newKey = key, signedIn } = changes;
    const isThere = await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('sessions')
        .set((eb) => ({ usedAtMs: eb.ref('usedAtMs') }))
        .where('key', '=', key)
        .where('expiresAtMs', '>', Date.now())
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return false;
      const next = rowOf(newKey, changed(sessionOf(row), changes));
      await trx.updateTable('sessions').set(next).where('key', '=', key).execute();
      return true;
    });
    if (isThere && newKey !== key) this.#watchers.moved(key, newKey, signedIn?.user.id);
    return isThere;
  }

  async delete(key: string): Promise<void> {
    await this.#db.deleteFrom('sessions').where('key', '=', key).execute();
    this.#watchers.ended(key);
  }

  async list(userId: string): Promise<SessionInfo[]> {
    const rows = await this.#db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', userId)
      .where('expiresAtMs', '>', Date.now())
      .execute();
    return rows.map(({ key, label, createdAtMs, usedAtMs }) => ({
      id: key,
      label: label ?? undefined,
      createdAtMs,
      usedAtMs,
    }));
  }

  async end(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('key', '=', id)
      .executeTakeFirst();
    if (numDeletedRows > 0n) this.#watchers.ended(id);
    return numDeletedRows > 0n;
  }

  async endAll(userId: string, { except = '' }: { readonly except?: string } = {}): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('key', '!=', except)
      .executeTakeFirst();
    this.#watchers.endedAll(userId, except);
    return Number(numDeletedRows);
  }
}

function changed(session: StoredSession, changes: SessionChanges): StoredSession {
  const { signedIn, set, deleted } = changes;
  const values = new Map([...(signedIn?.dropsValues ? [] : session.values), ...set]);
  for (const key of deleted) values.delete(key);
  const { user, createdAtMs } = signedIn ?? session;
  if (signedIn || changes.newKey !== undefined) {
    return { values, user, createdAtMs, usedAtMs: changes.usedAtMs, expiresAtMs: changes.expiresAtMs };
  }
  // A request that began earlier may end later, and must not shorten the session.
  const usedAtMs = Math.max(session.usedAtMs, changes.usedAtMs);
  const expiresAtMs = Math.max(session.expiresAtMs, changes.expiresAtMs);
  return { values, user, createdAtMs, usedAtMs, expiresAtMs };
}

function sessionOf({ userId, scopes, label, data, createdAtMs, usedAtMs, expiresAtMs }: Row): StoredSession {
  const user = userId === null ? undefined : { id: userId, scopes: words(scopes), label: label ?? undefined };
  const values = new Map<string, string>(Object.entries(JSON.parse(data)));
  return { values, user, createdAtMs, usedAtMs, expiresAtMs };
}

function rowOf(key: string, { values, user, ...times }: StoredSession): Insertable<Database['sessions']> {
  return {
    key,
    userId: user?.id ?? null,
    scopes: user?.scopes.join(' ') ?? '',
    label: user?.label ?? null,
    data: JSON.stringify(Object.fromEntries(values)),
    createdAtMs: times.createdAtMs,
    usedAtMs: times.usedAtMs,
    expiresAtMs: times.expiresAtMs,
  };
}

function words(scopes: string): string[] {
  return scopes === '' ? [] : scopes.split(' ');
}
