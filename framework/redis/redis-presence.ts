// Redis: how many members channels have, over all processes.
import { randomUUID } from 'node:crypto';
import { type RedisConnection, RedisScript } from './redis-connection.js';

const BEAT_MS = 10_000;
/** After this time without a beat a process counts as gone. */
const ALIVE_MS = 30_000;
/** How long counts are kept at most; all are sent again well before. */
const KEPT_MS = 3_600_000;
const BEATS_UNTIL_ALL = 120;

/** Tells the counts of a process. Replies whether the process was known. */
const TELL = new RedisScript(`
local known = redis.call('SET', KEYS[1], '1', 'PX', ARGV[2], 'XX')
if not known then redis.call('SET', KEYS[1], '1', 'PX', ARGV[2]) end
for i = 2, #KEYS do
  local count = ARGV[i + 2]
  if count == '0' then
    redis.call('HDEL', KEYS[i], ARGV[1])
  else
    redis.call('HSET', KEYS[i], ARGV[1], count)
    redis.call('PEXPIRE', KEYS[i], ARGV[3])
  end
end
return known and 1 or 0
`);

/** The sum of the processes that live; the others are removed. */
const TOTAL = new RedisScript(`
local counts = redis.call('HGETALL', KEYS[1])
local total = 0
for i = 1, #counts, 2 do
  if redis.call('EXISTS', ARGV[1] .. counts[i]) == 1 then
    total = total + tonumber(counts[i + 1])
  else
    redis.call('HDEL', KEYS[1], counts[i])
  end
end
return total
`);

/** The most channels in one command. */
const MOST_AT_ONCE = 1_000;

/** A hash for each channel, with a field for each process, and a key for each process that expires without its beat. */
export class RedisPresence {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #process: string = randomUUID();
  readonly #counts = new Map<string, number>();
  /** What the server does not know yet. */
  readonly #untold = new Map<string, number>();
  /** What is being told. */
  readonly #telling = new Set<Promise<void>>();
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async setCounts(counts: ReadonlyMap<string, number>): Promise<void> {
    for (const [channel, count] of counts) {
      if (count > 0) this.#counts.set(channel, count);
      else this.#counts.delete(channel);
      this.#untold.set(channel, count);
    }
    if (!this.#isClosed) this.#timer ??= setInterval(() => void this.#beat(), BEAT_MS).unref();
    await this.#tell();
  }

  async total(channel: string): Promise<number> {
    const alive = `${this.#prefix}process:`;
    return Number(await this.#redis.run(TOTAL, [`${this.#prefix}members:${channel}`], [alive]));
  }

  /** Takes back all counts, if the server is there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    // Counts that arrive later would be those of a process that seems to live.
    await Promise.allSettled(this.#telling);
    try {
      await this.#redis.command(['DEL', `${this.#prefix}process:${this.#process}`]);
    } catch {
      // They expire.
    }
  }

  async #beat(): Promise<void> {
    this.#beats += 1;
    if (this.#beats % BEATS_UNTIL_ALL === 0) this.#mustTellAll();
    try {
      await this.#tell();
    } catch {
      // The connection has reported that the server is away; the next beat tells it.
    }
  }

  #mustTellAll(): void {
    for (const [channel, count] of this.#counts) this.#untold.set(channel, count);
  }

  async #tell(): Promise<void> {
    const telling = this.#tellAll();
    this.#telling.add(telling);
    try {
      await telling;
    } finally {
      this.#telling.delete(telling);
    }
  }

  async #tellAll(): Promise<void> {
    do {
      const some = [...this.#untold].slice(0, MOST_AT_ONCE);
      for (const [channel] of some) this.#untold.delete(channel);
      try {
        // Otherwise the server has lost its data, or has taken this process for gone.
        if (!(await this.#tellSome(some))) this.#mustTellAll();
      } catch (error) {
        // The last counts: those that were told here may be older than others that could not be told either.
        for (const [channel] of some) this.#untold.set(channel, this.#counts.get(channel) ?? 0);
        throw error;
      }
    } while (this.#untold.size > 0 && !this.#isClosed);
  }

  async #tellSome(counts: readonly (readonly [string, number])[]): Promise<boolean> {
    const keys = counts.map(([channel]) => `${this.#prefix}members:${channel}`);
    const args = [
      this.#process,
      String(ALIVE_MS),
      String(KEPT_MS),
      ...counts.map(([, count]) => String(count)),
    ];
    return (await this.#redis.run(TELL, [`${this.#prefix}process:${this.#process}`, ...keys], args)) === 1;
  }
}
