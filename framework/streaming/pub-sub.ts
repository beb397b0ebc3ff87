// Streaming: topics that any part of an application publishes to, and that handlers follow as async iterables.
import { jsonOf } from '../http/json-form.js';
import { checkOptions, checkValue } from '../options/check.js';
import { filled, objectWith, type Rule, type Rules, text, whole } from '../options/rules.js';
import type { HistoryBroker } from './channel-broker.js';
import { PubSubRelay } from './pub-sub-relay.js';
import { TopicSubscription } from './pub-sub-subscription.js';

/** Options of `PubSub`. */
export interface PubSubOptions {
  /**
   * Carries messages between processes: `new RedisStreamBroker(url)` of `fw/redis`. Messages are JSON then. Without a
   * broker they stay in this process.
   */
  broker?: HistoryBroker | undefined;
  /** The channel of the broker: each `PubSub` that shares a broker has its own. `'pubsub'` by default. */
  channel?: string;
  /** How many messages wait for a subscriber that is slow, at most; 1,024 by default. */
  capacity?: number;
}

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /** Ends the subscription: that of the handler, such as `ctx.signal`. */
  signal?: AbortSignal;
}

/**
 * Topics with messages of one type: what is published to a topic reaches all who are subscribed to it, in every process
 * that has the same broker.
 *
 * ```ts
 * const changes = new PubSub<Change>();
 * changes.publish(user.id, { listId });
 * rpc.subscription('changes', (_: undefined, { user, signal }) => changes.subscribe(user.id, { signal }));
 * ```
 *
 * @typeParam Message the type of the messages; `void` for topics that only say that something has happened.
 */
export class PubSub<Message = void> {
  readonly #capacity: number;
  readonly #relay: PubSubRelay | undefined;
  readonly #topics = new Map<string, Set<TopicSubscription<Message>>>();
  #isClosed = false;

  /** @throws ConfigError if an option is unknown or malformed. */
  constructor(options: PubSubOptions = {}) {
    const { broker, channel = 'pubsub', capacity = 1024 } = checkOptions('PubSub', options, RULES);
    this.#capacity = capacity;
    if (broker === undefined) return;
    this.#relay = new PubSubRelay(broker, channel, {
      onMessage: (topic, message) => this.#deliver(topic, message as Message),
      onMissed: (why) => this.#miss(why),
    });
  }

  /**
   * Follows the messages of other processes from now on: `app.onStart(() => changes.start())`. While the broker is away,
   * it resolves nevertheless, and tries again each second. Without a broker it has no effect.
   */
  async start(): Promise<void> {
    await this.#relay?.start();
  }

  /**
   * Sends a message to all who are subscribed to the topic. While the broker is away, it reaches those of this process at
   * once, and the others when the broker is back.
   *
   * @param topic any text.
   * @throws Error if the topic is not a text, or if there is a broker and the message has no JSON form.
   */
  publish(topic: string, message: Message): void {
    checkValue('PubSub.publish', 'the topic', topic, text);
    if (this.#relay === undefined) this.#deliver(topic, message);
    else this.#relay.send(topic, message === undefined ? undefined : checkedJson(message));
  }

  /**
   * The messages of a topic from this call on, in order. The iteration ends when the signal aborts, and at `return`,
   * `break` and `close`.
   *
   * Who has missed messages, because it read too slowly or the broker was away, gets a `MissedMessagesError` in their place. A response
   * of the iteration is cut off then: clients connect again, and load what they show.
   *
   * @param topic any text; one that a client has chosen lets it read what is published there.
   * @throws Error if the topic is not a text, or `start` was not called and there is a broker.
   */
  subscribe(topic: string, options: SubscribeOptions = {}): AsyncIterableIterator<Message, undefined> {
    checkValue('PubSub.subscribe', 'the topic', topic, text);
    const { signal } = checkOptions('PubSub.subscribe', options, SUBSCRIBE_RULES);
    if (this.#relay?.isStarted === false) {
      throw new Error(
        'a PubSub with a broker hears nothing before start(): app.onStart(() => changes.start())',
      );
    }
    const subscription = new TopicSubscription<Message>(this.#capacity, signal, (left) =>
      this.#forget(topic, left),
    );
    if (this.#isClosed) subscription.end();
    if (subscription.isOver) return subscription;
    const subscribers = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscribers.add(subscription));
    return subscription;
  }

  /** How many subscriptions this process has, to a topic or to all of them. */
  count(topic?: string): number {
    if (topic !== undefined) return this.#topics.get(topic)?.size ?? 0;
    let count = 0;
    for (const { size } of this.#topics.values()) count += size;
    return count;
  }

  /**
   * Ends all subscriptions, and the work for the broker, which it does not close. It waits until the broker has taken what
   * was published, for ten seconds at most; what it does not take is reported.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const subscription of this.#all()) subscription.end();
    await this.#relay?.close();
  }

  #deliver(topic: string, message: Message): void {
    for (const subscription of this.#topics.get(topic) ?? []) subscription.push(message);
  }

  #miss(why: string): void {
    for (const subscription of this.#all()) subscription.miss(why);
  }

  #all(): TopicSubscription<Message>[] {
    return [...this.#topics.values()].flatMap((subscribers) => [...subscribers]);
  }

  #forget(topic: string, subscription: TopicSubscription<Message>): void {
    const subscribers = this.#topics.get(topic);
    subscribers?.delete(subscription);
    if (subscribers?.size === 0) this.#topics.delete(topic);
  }
}

const RULES: Rules<PubSubOptions> = {
  broker: objectWith(['append', 'follow'], 'a HistoryBroker, such as a RedisStreamBroker'),
  channel: filled,
  capacity: whole(1),
};

const SIGNAL: Rule = objectWith(['addEventListener'], 'an AbortSignal');

const SUBSCRIBE_RULES: Rules<SubscribeOptions> = { signal: SIGNAL };

function checkedJson(message: unknown): string {
  const json = jsonOf(message);
  if (json === undefined) throw new Error(`publish() takes a value that JSON has, got ${typeof message}`);
  return json;
}
