// Redis: sessions, shared by several processes.
import type { SessionInfo } from '../context/session.js';
import type { SessionChanges, SessionStore, SessionUser, StoredSession } from '../session/session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from '../session/session-watchers.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions } from './redis-connection.js';
import { CREATE, END, END_ALL, LIST, LOAD, UPDATE } from './session-scripts.js';

/**
 * Shares sessions between processes. Each method is one atomic script, so concurrent requests lose no value that they
 * do not both write; the server removes what has expired. While Redis is away, requests with a session are answered
 * 503. It needs one server with or without replicas, not Redis Cluster.
 */
export class RedisSessionStore implements SessionStore {
  readonly #redis: RedisConnection;
  readonly #sessions: string;
  readonly #users: string;
  readonly #watchers = new SessionWatchers();

  /**
   * @param client a connected client of the package `redis`, or the URL of a server.
   * @throws ConfigError if the client or an option is malformed.
   */
  constructor(client: RedisClient | string, options: RedisOptions = {}) {
    this.#redis = new RedisConnection('RedisSessionStore', client, options);
    const prefix = this.#redis.prefix ?? 'fw:session:';
    this.#sessions = `${prefix}id:`;
    this.#users = `${prefix}user:`;
  }

  async load(key: string): Promise<StoredSession | undefined> {
    const fields = (await this.#redis.run(LOAD, [this.#sessions + key], [])) as string[];
    return fields.length === 0 ? undefined : readSession(fields);
  }

  async create(key: string, session: StoredSession): Promise<void> {
    const { values, user, createdAtMs, usedAtMs, expiresAtMs } = session;
    const times = ['c', String(createdAtMs), 'u', String(usedAtMs), 'e', String(expiresAtMs)];
    const fields = [...times, ...userFields(user), ...valueFields(values)];
    const args = [this.#users, key, ttl(expiresAtMs), user?.id ?? '', ...fields];
    await this.#redis.run(CREATE, [this.#sessions + key], args);
  }

  async update(key: string, changes: SessionChanges): Promise<boolean> {
    const { newKey = key, set, deleted, signedIn, usedAtMs, expiresAtMs } = changes;
    const user = signedIn ? ['c', String(signedIn.createdAtMs), ...userFields(signedIn.user)] : [];
    const fields = [...user, ...valueFields(set)];
    const updated = await this.#redis.run(
      UPDATE,
      [this.#sessions + key, this.#sessions + newKey],
      [
        ...[this.#users, newKey, ttl(expiresAtMs), key, String(usedAtMs), String(expiresAtMs)],
        ...[flag(signedIn !== undefined), flag(signedIn?.dropsValues === true), String(fields.length / 2)],
        ...fields,
        ...deleted.map((name) => `v:${name}`),
      ],
    );
    if (updated !== 1) return false;
    if (newKey !== key) this.#watchers.moved(key, newKey, signedIn?.user.id);
    return true;
  }

  async delete(key: string): Promise<void> {
    await this.#redis.run(END, [this.#sessions + key], [this.#users, key, '']);
    this.#watchers.ended(key);
  }

  async list(userId: string): Promise<SessionInfo[]> {
    const found = await this.#redis.run(LIST, [this.#users + userId], [this.#sessions]);
    return (found as [string, string, string, string | null][]).map(([id, createdAt, usedAt, label]) => ({
      id,
      label: label ?? undefined,
      createdAtMs: Number(createdAt),
      usedAtMs: Number(usedAt),
    }));
  }

  async end(userId: string, id: string): Promise<boolean> {
    const isEnded = (await this.#redis.run(END, [this.#sessions + id], [this.#users, id, userId])) === 1;
    if (isEnded) this.#watchers.ended(id);
    return isEnded;
  }

  async endAll(userId: string, { except = '' }: { readonly except?: string } = {}): Promise<number> {
    const count = await this.#redis.run(END_ALL, [this.#users + userId], [this.#sessions, except]);
    this.#watchers.endedAll(userId, except);
    return count as number;
  }

  /** Of calls of this store. What other processes end is noticed with the next ping. */
  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  /** Closes the connection that was made for a URL; a client that was given stays open. */
  close(): Promise<void> {
    return this.#redis.close();
  }
}

/** A duration, so that clocks of processes and of the server may differ. */
function ttl(expiresAtMs: number): string {
  return String(Math.max(1, expiresAtMs - Date.now()));
}

const flag = (on: boolean): string => (on ? '1' : '0');

function userFields(user: SessionUser | undefined): string[] {
  if (user === undefined) return [];
  const label = user.label === undefined ? [] : ['l', user.label];
  return ['i', user.id, 's', JSON.stringify(user.scopes), ...label];
}

function valueFields(values: ReadonlyMap<string, string>): string[] {
  return [...values].flatMap(([key, text]) => [`v:${key}`, text]);
}

function readSession(fields: readonly string[]): StoredSession {
  const values = new Map<string, string>();
  const own = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', text = ''] = [fields[at], fields[at + 1]];
    if (name.startsWith('v:')) values.set(name.slice(2), text);
    else own.set(name, text);
  }
  const id = own.get('i');
  const user =
    id === undefined
      ? undefined
      : { id, scopes: JSON.parse(own.get('s') ?? '[]') as string[], label: own.get('l') };
  const [createdAtMs, usedAtMs, expiresAtMs] = ['c', 'u', 'e'].map((name) => Number(own.get(name)));
  return { values, user, createdAtMs, usedAtMs, expiresAtMs } as StoredSession;
}
