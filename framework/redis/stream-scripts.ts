// Redis: the scripts of streams behind channels.
import { RedisScript } from './redis-connection.js';

/**
 * Each channel has its messages in a stream, and the id of the last one beside it, which is kept longer. Ids are
 * `<epoch>-<number>`: the numbers of an epoch have no gaps, so that whoever knows one id knows the next, and whether
 * something is missing. An epoch begins when the server knows nothing of the channel; it is the server's time in
 * microseconds.
 */
const PLACE = `
local function place()
  local id = redis.call('GET', KEYS[1])
  local epoch, number
  if id then epoch, number = string.match(id, '^(%d+)-(%d+)$') end
  if epoch then return epoch, number end
  local time = redis.call('TIME')
  redis.call('DEL', KEYS[2])
  return time[1] .. string.format('%06d', time[2]), '0'
end
`;

/** Appends a message, and publishes it with its id. */
export const APPEND: RedisScript = new RedisScript(`${PLACE}
local epoch, number = place()
local id = epoch .. '-' .. string.format('%.0f', number + 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], id, 'm', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('SET', KEYS[1], id, 'PX', ARGV[3])
redis.call('PUBLISH', KEYS[3], id .. ' ' .. ARGV[4])
return id
`);

/**
 * The id of the last message, which is remembered also if there was none yet, but for a shorter time. What is
 * remembered for longer stays so.
 */
export const LAST: RedisScript = new RedisScript(`${PLACE}
local epoch, number = place()
local id = epoch .. '-' .. number
local wanted = number == '0' and ARGV[2] or ARGV[1]
local left = redis.call('PTTL', KEYS[1])
if left == -2 then redis.call('SET', KEYS[1], id, 'PX', wanted)
elseif left >= 0 and left < tonumber(wanted) then redis.call('PEXPIRE', KEYS[1], wanted) end
return id
`);

/** Remembers places without a message for longer. */
export const KEEP: RedisScript = new RedisScript(`
for i = 1, #KEYS do
  local id = redis.call('GET', KEYS[i])
  if id and string.match(id, '-0$') then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
end
return #KEYS
`);

/** The entries after an id, or nil if not all of them are there. */
export const SINCE: RedisScript = new RedisScript(`
local last = redis.call('GET', KEYS[1])
if not last then return false end
local epoch, number = string.match(last, '^(%d+)-(%d+)$')
local wanted, from = string.match(ARGV[1], '^(%d+)-(%d+)$')
if epoch ~= wanted or tonumber(from) > tonumber(number) then return false end
if tonumber(from) == tonumber(number) then return {} end
local first = epoch .. '-' .. string.format('%.0f', from + 1)
local entries = redis.call('XRANGE', KEYS[2], first, '+')
if #entries == 0 or entries[1][1] ~= first then return false end
return entries
`);
