// SQL: sessions in a table, of either toolkit.
import type { SessionInfo } from '../../context/session.js';
import type {
  SessionChanges,
  SessionStore,
  SessionUser,
  StoredSession,
} from '../../session/session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from '../../session/session-watchers.js';
import {
  isOfUser,
  quoted,
  Sql,
  type SqlDatabase,
  type SqlValue,
  type Statement,
  statement,
  sweep,
} from './statement.js';

/** How many expired sessions a new one removes at most: more than one, so that their number falls. */
const SWEPT = 10;
/** The most sessions of a user that are listed, the last used ones first. */
const MOST_LISTED = new Sql('1000');

const columns = new Sql('user_id, scopes, label, data, created_at_ms, used_at_ms, expires_at_ms');

interface Row {
  readonly session_key: string;
  readonly user_id: string | null;
  /** A list, as JSON. Without brackets, words between spaces, as the templates have written it. */
  readonly scopes: string;
  readonly label: string | null;
  /** The values, as JSON. */
  readonly data: string;
  readonly created_at_ms: number;
  readonly used_at_ms: number;
  readonly expires_at_ms: number;
}

export class SqlSessions implements SessionStore {
  readonly #db: SqlDatabase;
  readonly #table: Sql;
  readonly #key: Sql;
  readonly #watchers = new SessionWatchers();

  constructor(db: SqlDatabase, table: string) {
    this.#db = db;
    this.#table = quoted(db.engine, table);
    this.#key = quoted(db.engine, 'key');
  }

  /** The session of a key; undefined if there is none or it has expired. */
  async load(key: string): Promise<StoredSession | undefined> {
    const { rows } = await this.#db.run(
      statement`select ${columns} from ${this.#table} where ${this.#key} = ${key} and ${living()}`,
    );
    return rows[0] && sessionOf(rows[0] as unknown as Row);
  }

  /** Stores a new session, and removes up to ten that have expired. */
  async create(key: string, session: StoredSession): Promise<void> {
    const values = Object.values(rowOf(session)).reduce<Statement>(
      (list, value) => statement`${list}, ${value}`,
      statement`${key}`,
    );
    await this.#db.run(statement`insert into ${this.#table} (${this.#key}, ${columns}) values (${values})`);
    const names = { table: this.#table, key: this.#key, time: new Sql('expires_at_ms') };
    await sweep(this.#db, names, statement`expires_at_ms <= ${Date.now()}`, SWEPT);
  }

  /** Changes a session that exists, in one atomic step: of two changes at once, the second sees the first. */
  async update(key: string, changes: SessionChanges): Promise<boolean> {
    const { newKey = key, signedIn } = changes;
    const isThere =
      this.#db.engine === 'sqlite'
        ? await this.#updateAtOnce(key, newKey, changes)
        : await this.#updateLocked(key, newKey, changes);
    if (isThere && newKey !== key) this.#watchers.moved(key, newKey, signedIn?.user.id);
    return isThere;
  }

  /** Removes a session. */
  async delete(key: string): Promise<void> {
    await this.#db.run(statement`delete from ${this.#table} where ${this.#key} = ${key}`);
    this.#watchers.ended(key);
  }

  /** The sessions of a user, up to 1,000 of them, the last used ones first. */
  async list(userId: string): Promise<SessionInfo[]> {
    const { rows } = await this.#db.run(
      statement`select ${this.#key} as session_key, ${columns} from ${this.#table} where ${isOfUser(this.#db.engine, userId)} and ${living()} order by used_at_ms desc limit ${MOST_LISTED}`,
    );
    return (rows as unknown as Row[]).map(({ session_key, label, created_at_ms, used_at_ms }) => ({
      id: session_key,
      label: label ?? undefined,
      createdAtMs: created_at_ms,
      usedAtMs: used_at_ms,
    }));
  }

  /** Ends the session of a user; false if it is none of theirs. */
  async end(userId: string, id: string): Promise<boolean> {
    const { changed: count } = await this.#db.run(
      statement`delete from ${this.#table} where ${this.#key} = ${id} and ${isOfUser(this.#db.engine, userId)} and ${living()}`,
    );
    if (count > 0) this.#watchers.ended(id);
    return count > 0;
  }

  /** Ends all sessions of a user, but not that of the id `except`, and returns how many there were. */
  async endAll(userId: string, { except = '' }: { readonly except?: string } = {}): Promise<number> {
    const { changed: count } = await this.#db.run(
      statement`delete from ${this.#table} where ${isOfUser(this.#db.engine, userId)} and ${this.#key} <> ${except} and ${living()}`,
    );
    this.#watchers.endedAll(userId, except);
    return count;
  }

  /** Tells a listener when a call of this store ends the session. What other processes end is noticed with the next ping. */
  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  /** In a transaction that locks the row. */
  #updateLocked(key: string, newKey: string, changes: SessionChanges): Promise<boolean> {
    return this.#db.transaction(async (trx) => {
      const { rows } = await trx.run(
        statement`select ${columns} from ${this.#table} where ${this.#key} = ${key} and ${living()} for update`,
      );
      const row = rows[0] as unknown as Row | undefined;
      if (row === undefined) return false;
      const next = assignments(rowOf(changed(sessionOf(row), changes)));
      await trx.run(
        statement`update ${this.#table} set ${this.#key} = ${newKey}, ${next} where ${this.#key} = ${key}`,
      );
      return true;
    });
  }

  /**
   * SQLite waits for the lock of a transaction without giving way to the process that has it: one statement then, in
   * which a merge patch (RFC 7396) sets and deletes values.
   */
  async #updateAtOnce(key: string, newKey: string, changes: SessionChanges): Promise<boolean> {
    const { set, deleted, signedIn, usedAtMs, expiresAtMs } = changes;
    const patch = JSON.stringify(Object.fromEntries([...set, ...deleted.map((name) => [name, null])]));
    const before = signedIn?.dropsValues === true ? statement`'{}'` : statement`data`;
    const isRenewed = signedIn !== undefined || newKey !== key;
    const times = isRenewed
      ? statement`used_at_ms = ${usedAtMs}, expires_at_ms = ${expiresAtMs}`
      : statement`used_at_ms = max(used_at_ms, ${usedAtMs}), expires_at_ms = max(expires_at_ms, ${expiresAtMs})`;
    const user = signedIn
      ? statement`, ${assignments(userColumns(signedIn.user))}, created_at_ms = ${signedIn.createdAtMs}`
      : statement``;
    const { rows } = await this.#db.run(
      statement`update ${this.#table} set ${this.#key} = ${newKey}, data = json_patch(${before}, ${patch}), ${times}${user} where ${this.#key} = ${key} and ${living()} returning created_at_ms`,
    );
    return rows.length > 0;
  }
}

/** `name = value, …` */
function assignments(values: Readonly<Record<string, SqlValue>>): Statement {
  const [first, ...others] = Object.entries(values).map(
    ([name, value]) => statement`${new Sql(name)} = ${value}`,
  );
  return others.reduce<Statement>((list, one) => statement`${list}, ${one}`, first ?? statement``);
}

function living(): Statement {
  return statement`expires_at_ms > ${Date.now()}`;
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

function sessionOf({ user_id, scopes, label, data, ...times }: Row): StoredSession {
  const user =
    user_id === null ? undefined : { id: user_id, scopes: listOf(scopes), label: label ?? undefined };
  return {
    values: new Map(Object.entries(JSON.parse(data) as Record<string, string>)),
    user,
    createdAtMs: times.created_at_ms,
    usedAtMs: times.used_at_ms,
    expiresAtMs: times.expires_at_ms,
  };
}

/** In the order of `columns`. */
function rowOf({
  values,
  user,
  createdAtMs,
  usedAtMs,
  expiresAtMs,
}: StoredSession): Record<string, SqlValue> {
  return {
    ...userColumns(user),
    data: JSON.stringify(Object.fromEntries(values)),
    created_at_ms: createdAtMs,
    used_at_ms: usedAtMs,
    expires_at_ms: expiresAtMs,
  };
}

function userColumns(user: SessionUser | undefined): Record<'user_id' | 'scopes' | 'label', string | null> {
  if (user === undefined) return { user_id: null, scopes: '', label: null };
  return { user_id: user.id, scopes: JSON.stringify(user.scopes), label: user.label ?? null };
}

function listOf(scopes: string): string[] {
  if (scopes.startsWith('[')) return JSON.parse(scopes) as string[];
  return scopes === '' ? [] : scopes.split(' ');
}
