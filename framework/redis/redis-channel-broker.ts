// Redis: messages between processes, by its publish and subscribe.
import type { ChannelBroker } from '../streaming/channel-broker.js';
import { reportError } from '../tracing/error-channel.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions } from './redis-connection.js';

/** All subscriptions of this process to one channel, which are one subscription at the server. */
interface Topic {
  readonly listeners: Set<(message: string) => void>;
  readonly deliver: (message: string) => void;
  ready: Promise<void>;
}

/**
 * Carries messages between processes. Subscriptions need a second connection, which is opened by the first of them;
 * after an interruption it restores them all.
 */
export class RedisChannelBroker implements ChannelBroker {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #topics = new Map<string, Topic>();
  #subscriber: Promise<RedisClient> | undefined = undefined;

  /**
   * @param client a connected client of the package `redis`, or the URL of a server.
   * @throws ConfigError when the client or an option is malformed.
   */
  constructor(client: RedisClient | string, options: RedisOptions = {}) {
    this.#redis = new RedisConnection(client, options.timeoutMs);
    this.#prefix = options.prefix ?? 'fw:channel:';
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#redis.command(['PUBLISH', this.#prefix + channel, message]);
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>> {
    const topic = this.#topics.get(channel) ?? this.#begin(channel);
    // The same function may subscribe twice.
    const own = (message: string): void => listener(message);
    topic.listeners.add(own);
    try {
      await topic.ready;
    } catch (error) {
      await this.#leave(channel, topic, own);
      throw error;
    }
    return () => this.#leave(channel, topic, own);
  }

  /** Ends all subscriptions, and closes the connections but a client that was given. */
  async close(): Promise<void> {
    for (const { listeners } of this.#topics.values()) listeners.clear();
    this.#topics.clear();
    const subscriber = this.#subscriber;
    await this.#redis.close();
    try {
      (await subscriber)?.destroy();
    } catch {
      // It was never connected.
    }
  }

  #begin(channel: string): Topic {
    const listeners = new Set<(message: string) => void>();
    const deliver = (message: string): void => {
      for (const listener of listeners) deliverTo(listener, message, channel);
    };
    const topic: Topic = { listeners, deliver, ready: this.#enter(channel, deliver) };
    this.#topics.set(channel, topic);
    return topic;
  }

  async #enter(channel: string, deliver: (message: string) => void): Promise<void> {
    this.#subscriber ??= this.#redis.duplicate();
    const subscriber = await this.#subscriber.catch((error: unknown) => {
      this.#subscriber = undefined;
      throw error;
    });
    await this.#redis.within(subscriber.subscribe(this.#prefix + channel, deliver));
  }

  /** Nothing is delivered from here on; the server is told when nobody else listens. */
  async #leave(channel: string, topic: Topic, own: (message: string) => void): Promise<void> {
    topic.listeners.delete(own);
    if (topic.listeners.size > 0 || this.#topics.get(channel) !== topic) return;
    this.#topics.delete(channel);
    try {
      const subscriber = await this.#subscriber;
      if (subscriber) await this.#redis.within(subscriber.unsubscribe(this.#prefix + channel, topic.deliver));
    } catch {
      // It is away; what it may still send reaches nobody.
    }
  }
}

function deliverTo(listener: (message: string) => void, message: string, channel: string): void {
  try {
    listener(message);
  } catch (error) {
    reportError({ error, status: 500, method: 'redis', path: channel });
  }
}
