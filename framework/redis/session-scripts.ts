// Redis: the atomic steps of the session store, in Lua.
import { RedisScript } from './redis-connection.js';

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

export const LOAD: RedisScript = new RedisScript("return redis.call('HGETALL', KEYS[1])");

/** ARGV: users, id, ttl, user or '', then fields and values. */
export const CREATE: RedisScript = new RedisScript(`
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
export const UPDATE: RedisScript = new RedisScript(`
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
local user = redis.call('HGET', key, 'i')
if user then enter(user) end
return 1
`);

/** ARGV: users, id, the user it must have or ''. Returns whether it was there. */
export const END: RedisScript = new RedisScript(`
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
export const LIST: RedisScript = new RedisScript(`
${FIND}
local found = {}
for _, id in ipairs(ids) do
  local fields = redis.call('HMGET', ARGV[1] .. id, 'c', 'u', 'l')
  if fields[1] then table.insert(found, { id, fields[1], fields[2], fields[3] }) end
end
return found
`);

/** ARGV: the prefix of sessions, the id to keep or ''. */
export const END_ALL: RedisScript = new RedisScript(`
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
