// Redis: messages between processes, by its publish and subscribe.
import type { ChannelBroker, PresenceBroker } from '../streaming/channel-broker.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions } from './redis-connection.js';
import { RedisPresence } from './redis-presence.js';
import { RedisSubscriptions } from './redis-subscriptions.js';

/**
 * Carries messages between processes. Subscriptions need a second connection, which is opened by the first of them;
 * after an interruption it restores them all.
 */
export class RedisChannelBroker implements ChannelBroker, PresenceBroker {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #subscriptions: RedisSubscriptions;
  readonly #presence: RedisPresence;

  /**
   * @param client a connected client of the package `redis`, or the URL of a server.
   * @throws ConfigError if the client or an option is malformed.
   */
  constructor(client: RedisClient | string, options: RedisOptions = {}) {
    this.#redis = new RedisConnection('RedisChannelBroker', client, options);
    this.#prefix = this.#redis.prefix ?? 'fw:channel:';
    this.#subscriptions = new RedisSubscriptions(this.#redis);
    this.#presence = new RedisPresence(this.#redis, this.#prefix);
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#redis.command(['PUBLISH', this.#prefix + channel, message]);
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    return this.#subscriptions.subscribe(this.#prefix + channel, listener);
  }

  setCounts(counts: ReadonlyMap<string, number>): Promise<void> {
    return this.#presence.setCounts(counts);
  }

  total(channel: string): Promise<number> {
    return this.#presence.total(channel);
  }

  /** Ends all subscriptions, and closes the connections but a client that was given. */
  async close(): Promise<void> {
    this.#subscriptions.clear();
    await this.#presence.close();
    await this.#redis.close();
    await this.#subscriptions.destroy();
  }
}
