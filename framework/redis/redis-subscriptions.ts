// Redis: the subscriptions of a process to channels, on a connection of their own.
import { reportError } from '../tracing/error-channel.js';
import type { RedisClient } from './redis-client.js';
import type { RedisConnection } from './redis-connection.js';

type Listener = (message: string) => void;

/** All subscriptions of this process to one channel, which are one subscription at the server. */
interface Topic {
  readonly listeners: Set<Listener>;
  readonly deliver: Listener;
  ready: Promise<void>;
}

/** The connection is opened by the first subscription; after an interruption it restores them all. */
export class RedisSubscriptions {
  readonly #redis: RedisConnection;
  readonly #onReady: (() => void) | undefined;
  readonly #topics = new Map<string, Topic>();
  #subscriber: Promise<RedisClient> | undefined = undefined;

  /** @param onReady called when the subscriptions are restored after an interruption. */
  constructor(redis: RedisConnection, onReady?: () => void) {
    this.#redis = redis;
    this.#onReady = onReady;
  }

  /** @returns What ends the subscription. @throws Error if the server is away. */
  async subscribe(channel: string, listener: Listener): Promise<() => Promise<void>> {
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

  /** Nothing is delivered from here on. */
  clear(): void {
    for (const { listeners } of this.#topics.values()) listeners.clear();
    this.#topics.clear();
  }

  /** Closes the connection. */
  async destroy(): Promise<void> {
    try {
      (await this.#subscriber)?.destroy();
    } catch {
      // It was never connected.
    }
  }

  #begin(channel: string): Topic {
    const listeners = new Set<Listener>();
    const deliver = (message: string): void => {
      for (const listener of listeners) deliverTo(listener, message, channel);
    };
    const topic: Topic = { listeners, deliver, ready: this.#enter(channel, deliver) };
    this.#topics.set(channel, topic);
    return topic;
  }

  async #enter(channel: string, deliver: Listener): Promise<void> {
    this.#subscriber ??= this.#connect();
    const subscriber = await this.#subscriber.catch((error: unknown) => {
      this.#subscriber = undefined;
      throw error;
    });
    await this.#redis.within(subscriber.subscribe(channel, deliver));
  }

  async #connect(): Promise<RedisClient> {
    const subscriber = await this.#redis.duplicate();
    if (this.#onReady !== undefined) subscriber.on('ready', this.#onReady);
    return subscriber;
  }

  /** The server is told when nobody else listens. */
  async #leave(channel: string, topic: Topic, own: Listener): Promise<void> {
    topic.listeners.delete(own);
    if (topic.listeners.size > 0 || this.#topics.get(channel) !== topic) return;
    this.#topics.delete(channel);
    try {
      const subscriber = await this.#subscriber;
      if (subscriber) await this.#redis.within(subscriber.unsubscribe(channel, topic.deliver));
    } catch {
      // It is away; what it may still send reaches nobody.
    }
  }
}

function deliverTo(listener: Listener, message: string, channel: string): void {
  try {
    listener(message);
  } catch (error) {
    reportError({ error, status: 500, method: 'redis', path: channel });
  }
}
