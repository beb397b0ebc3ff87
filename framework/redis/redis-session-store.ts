// Redis: sessions, shared by several processes.
import type { SessionInfo } from '../context/session.js';
import type { SessionChanges, SessionStore, SessionUser, StoredSession } from '../session/session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from '../session/session-watchers.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions, RedisScript } from './redis-connection.js';

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

/*
 * A session is a hash: `v:<key>` for each value, `i`, `s` and `l` for the id, the scopes and the label of the user,
 * `c`, `u` and `e` for the times of creation, last use and expiry. The sessions of a user are in a sorted set, by the
 * time at which they expire on the server's clock.
 */

/** Enters a session into the list of its user. Needs `users`, `id`, `ttl` and `key`. */
const ENTER = `
local function enter(user)
  local time = redis.call('TIME')
  local list = users .. user
  redis.call('ZADD', list, time[1] * 1000 + math.floor(time[2] / 1000) + ttl, id)
  if redis.call('PTTL', list) < ttl then redis.call('PEXPIRE', list, ttl) end
end
`;

const LOAD: RedisScript = new RedisScript("return redis.call('HGETALL', KEYS[1])");

/** ARGV: users, id, ttl, user or '', then fields and values. */
const CREATE: RedisScript = new RedisScript(`
local users, id, ttl, user = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
${ENTER}
for at = 5, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('PEXPIRE', KEYS[1], ttl)
if user ~= '' then enter(user) end
return 1
`);

/**
 * ARGV: users, id, ttl, old id, used, expires, whether someone signed in, whether values are dropped, the number of
 * fields to set, these and their values, then the fields to delete. Returns 0 if the session has ended.
 */
const UPDATE: RedisScript = new RedisScript(`
local key = KEYS[1]
if redis.call('EXISTS', key) == 0 then return 0 end
local users, id, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
${ENTER}
local signedIn = ARGV[7] == '1'
local before = redis.call('HGET', key, 'i')
if before and (signedIn or key ~= KEYS[2]) then redis.call('ZREM', users .. before, ARGV[4]) end
if ARGV[8] == '1' then
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if string.sub(field, 1, 2) == 'v:' then redis.call('HDEL', key, field) end
  end
end
if signedIn then redis.call('HDEL', key, 'l') end
if key ~= KEYS[2] then
  redis.call('RENAME', key, KEYS[2])
  key = KEYS[2]
end
local last = 9 + 2 * ARGV[9]
for at = 10, last, 2 do redis.call('HSET', key, ARGV[at], ARGV[at + 1]) end
for at = last + 1, #ARGV do redis.call('HDEL', key, ARGV[at]) end
for field, value in pairs({ u = ARGV[5], e = ARGV[6] }) do
  if signedIn or tonumber(redis.call('HGET', key, field)) < tonumber(value) then
    redis.call('HSET', key, field, value)
  end
end
if signedIn or redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
ttl = redis.call('PTTL', key)
local user = redis.call('HGET', key, 'i')
if user then enter(user) end
return 1
`);

/** ARGV: users, id, the user it must have or ''. Returns whether it was there. */
const END: RedisScript = new RedisScript(`
local user = redis.call('HGET', KEYS[1], 'i')
if ARGV[3] ~= '' and user ~= ARGV[3] then return 0 end
if user then redis.call('ZREM', ARGV[1] .. user, ARGV[2]) end
return redis.call('DEL', KEYS[1])
`);

const FIND = `
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time[1] * 1000 + math.floor(time[2] / 1000))
local ids = redis.call('ZRANGE', KEYS[1], 0, -1)
`;

/** ARGV: the prefix of sessions. Returns id, creation, last use and label of each. */
const LIST: RedisScript = new RedisScript(`
${FIND}
local found = {}
for _, id in ipairs(ids) do
  local fields = redis.call('HMGET', ARGV[1] .. id, 'c', 'u', 'l')
  if fields[1] then table.insert(found, { id, fields[1], fields[2], fields[3] }) end
end
return found
`);

/** ARGV: the prefix of sessions, the id to keep or ''. */
const END_ALL: RedisScript = new RedisScript(`
${FIND}
local count = 0
for _, id in ipairs(ids) do
  if id ~= ARGV[2] then
    count = count + redis.call('DEL', ARGV[1] .. id)
    redis.call('ZREM', KEYS[1], id)
  end
end
return count
`);
