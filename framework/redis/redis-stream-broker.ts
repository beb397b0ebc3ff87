// Redis: channels that keep their last messages, in a stream behind each.

import type {
  HistoryBroker,
  HistoryLimits,
  HistoryListener,
  HistoryMessage,
  HistorySubscription,
  PresenceBroker,
} from '../streaming/channel-broker.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions, RedisScript } from './redis-connection.js';
import { RedisPresence } from './redis-presence.js';
import { RedisSubscriptions } from './redis-subscriptions.js';

/** How long the place in a channel is remembered, at least. */
const PLACE_MS = 86_400_000;
/** The same of a channel without a message, beyond the time that somebody follows it. */
const EMPTY_PLACE_MS = 600_000;
/** After how many checks that is told to the server again. */
const CHECKS_UNTIL_KEPT = 60;
/** How often it is checked that no message was lost, which a connection that is half open does not show. */
const CHECK_MS = 2_000;
/** The most channels in one command. */
const MOST_AT_ONCE = 1_000;

/**
 * Carries messages between processes and keeps the last ones of each channel, so that neither an interruption of the
 * connection to Redis nor one of a client's loses any. Messages without a history travel by publish and subscribe.
 */
export class RedisStreamBroker implements HistoryBroker, PresenceBroker {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #subscriptions: RedisSubscriptions;
  readonly #presence: RedisPresence;
  readonly #followed = new Map<FollowedStream, string>();
  #checks = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param client a connected client of the package `redis`, or the URL of a server.
   * @throws ConfigError if the client or an option is malformed.
   */
  constructor(client: RedisClient | string, options: RedisOptions = {}) {
    this.#redis = new RedisConnection('RedisStreamBroker', client, options);
    this.#prefix = this.#redis.prefix ?? 'fw:stream:';
    this.#subscriptions = new RedisSubscriptions(this.#redis, () => void this.#check());
    this.#presence = new RedisPresence(this.#redis, this.#prefix);
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#redis.command(['PUBLISH', `${this.#prefix}plain:${channel}`, message]);
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    return this.#subscriptions.subscribe(`${this.#prefix}plain:${channel}`, listener);
  }

  async append(channel: string, message: string, { messages, maxAgeMs }: HistoryLimits): Promise<void> {
    const placeMs = Math.max(PLACE_MS, maxAgeMs);
    await this.#redis.run(
      APPEND,
      [...this.#keys(channel), this.#live(channel)],
      [String(messages), String(maxAgeMs), String(placeMs), message],
    );
  }

  async since(channel: string, id: string): Promise<readonly HistoryMessage[] | undefined> {
    if (!isStreamId(id)) return undefined;
    const entries = (await this.#redis.run(SINCE, this.#keys(channel), [id])) as
      | [string, [string, string]][]
      | null;
    return entries?.map(([id, [, message]]) => ({ id, message }));
  }

  async follow(channel: string, follower: HistoryListener): Promise<HistorySubscription> {
    const times = [String(PLACE_MS), String(EMPTY_PLACE_MS)];
    const last = async () => (await this.#redis.run(LAST, this.#keys(channel), times)) as string;
    const stream = new FollowedStream({ since: (id) => this.since(channel, id), last }, follower);
    const leave = await this.#subscriptions.subscribe(this.#live(channel), (text) => stream.push(text));
    try {
      stream.start(await last());
      // Its checks would go on for ever.
      if (this.#isClosed) throw new Error('the connection to Redis was closed');
    } catch (error) {
      await leave();
      throw error;
    }
    this.#followed.set(stream, channel);
    this.#timer ??= setInterval(() => void this.#tick(), CHECK_MS).unref();
    const stop = (): Promise<void> => {
      this.#unfollow(stream);
      return leave();
    };
    return {
      get id() {
        return stream.id;
      },
      stop,
    };
  }

  setCounts(counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#presence.setCounts(counts);
  }

  total(channel: string): Promise<number> {
    return this.#presence.total(channel);
  }

  /** Ends all subscriptions, and closes the connections but a client that was given. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stream of [...this.#followed.keys()]) this.#unfollow(stream);
    this.#subscriptions.clear();
    await this.#presence.close();
    await this.#redis.close();
    await this.#subscriptions.destroy();
  }

  #keys(channel: string): [place: string, stream: string] {
    return [`${this.#prefix}place:${channel}`, `${this.#prefix}messages:${channel}`];
  }

  #live(channel: string): string {
    return `${this.#prefix}live:${channel}`;
  }

  #unfollow(stream: FollowedStream): void {
    this.#followed.delete(stream);
    if (this.#followed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #tick(): Promise<void> {
    await this.#check();
    this.#checks += 1;
    if (this.#checks % CHECKS_UNTIL_KEPT === 0) await this.#keepEmpty();
  }

  /** The places of channels without a message are needed as long as they are followed. */
  async #keepEmpty(): Promise<void> {
    const empty = [...this.#followed].filter(([{ id }]) => id.endsWith('-0'));
    const keys = empty.map(([, channel]) => this.#keys(channel)[0]);
    try {
      for (let at = 0; at < keys.length; at += MOST_AT_ONCE) {
        await this.#redis.run(KEEP, keys.slice(at, at + MOST_AT_ONCE), [String(EMPTY_PLACE_MS)]);
      }
    } catch {
      // The connection has reported that the server is away; there are several attempts before they expire.
    }
  }

  /** Fetches for all that have fallen behind. */
  async #check(): Promise<void> {
    const all = [...this.#followed];
    for (let at = 0; at < all.length; at += MOST_AT_ONCE) {
      const some = all.slice(at, at + MOST_AT_ONCE);
      try {
        const places = await this.#redis.command([
          'MGET',
          ...some.map(([, channel]) => this.#keys(channel)[0]),
        ]);
        for (const [index, [stream]] of some.entries()) {
          if ((places as (string | null)[])[index] !== stream.id) await stream.fetch();
        }
      } catch {
        // The connection has reported that the server is away; the next check is soon.
        return;
      }
    }
  }
}

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
const APPEND: RedisScript = new RedisScript(`${PLACE}
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
const LAST: RedisScript = new RedisScript(`${PLACE}
local epoch, number = place()
local id = epoch .. '-' .. number
local wanted = number == '0' and ARGV[2] or ARGV[1]
local left = redis.call('PTTL', KEYS[1])
if left == -2 then redis.call('SET', KEYS[1], id, 'PX', wanted)
elseif left >= 0 and left < tonumber(wanted) then redis.call('PEXPIRE', KEYS[1], wanted) end
return id
`);

/** Remembers places without a message for longer. */
const KEEP: RedisScript = new RedisScript(`
for i = 1, #KEYS do
  local id = redis.call('GET', KEYS[i])
  if id and string.match(id, '-0$') then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
end
return #KEYS
`);

/** The entries after an id, or nil if not all of them are there. */
const SINCE: RedisScript = new RedisScript(`
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

/** Ids come from clients too. */
const ID = /^\d{1,17}-\d{1,15}$/;

/** Whether it has the form of an id. */
const isStreamId = (id: string): boolean => ID.test(id);

/** What it needs of the broker. */
interface StreamSource {
  since(id: string): Promise<readonly HistoryMessage[] | undefined>;
  last(): Promise<string>;
}

/** The most messages that wait while others are fetched; those beyond are fetched too. */
const MOST_WAITING = 1_024;

/**
 * Messages are pushed by publish and subscribe, which may lose some. Their numbers show it, and then the missing ones
 * are fetched from the stream.
 */
class FollowedStream {
  readonly #source: StreamSource;
  readonly #follower: HistoryListener;
  #id = '';
  #isFetching = true;
  #waiting: HistoryMessage[] = [];

  constructor(source: StreamSource, follower: HistoryListener) {
    this.#source = source;
    this.#follower = follower;
  }

  /** The id of the last message that the follower has got. */
  get id(): string {
    return this.#id;
  }

  /** Begins after the id. What was pushed before waits. */
  start(id: string): void {
    this.#id = id;
    this.#isFetching = false;
    this.#drain();
  }

  /** Takes a message as the script publishes it. Other programs may publish anything. */
  push(text: string): void {
    const space = text.indexOf(' ');
    const kept = { id: text.slice(0, space), message: text.slice(space + 1) };
    if (isStreamId(kept.id)) this.#push(kept);
  }

  #push(kept: HistoryMessage): void {
    if (this.#isFetching) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(kept);
    } else if (!this.#take(kept)) {
      void this.fetch();
    }
  }

  /**
   * Gets what is missing. A message that does not fit was appended before it was pushed, so it is among what is
   * fetched, or the stream does not have it: it is not kept, lest it is fetched again and again. If that fails, it is tried again with the next message, or when it is called. */
  async fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      const missing = await this.#source.since(this.#id);
      if (missing === undefined) {
        this.#id = await this.#source.last();
        this.#follower.onLost(this.#id);
      } else {
        for (const kept of missing) this.#take(kept);
      }
    } catch {
      // The connection has reported that the server is away.
      this.#waiting = [];
    } finally {
      this.#isFetching = false;
    }
    this.#drain();
  }

  #drain(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const kept of waiting) this.#push(kept);
  }

  /** False if there is a gap before the message. */
  #take(kept: HistoryMessage): boolean {
    const [epoch, number] = placeOf(kept.id);
    const [lastEpoch, lastNumber] = placeOf(this.#id);
    if (epoch === lastEpoch && number <= lastNumber) return true;
    if (epoch !== lastEpoch || number > lastNumber + 1) return false;
    this.#id = kept.id;
    this.#follower.onMessage(kept);
    return true;
  }
}

function placeOf(id: string): [epoch: string, number: number] {
  const dash = id.indexOf('-');
  return [id.slice(0, dash), Number(id.slice(dash + 1))];
}
