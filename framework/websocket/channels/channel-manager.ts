// Channels: topics that connections subscribe to, and that any part of an application publishes to.

import { ConfigError } from '../../config-error.js';
import type { EventTypes, SocketEvents } from '../../extract/socket-route.js';
import { jsonOf } from '../../http/json-form.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { callback, either, flag, object, objectWith, type Rules, secret, text } from '../../options/rules.js';
import type { ChannelBroker, PresenceBroker } from '../../streaming/channel-broker.js';
import { reportError } from '../../tracing/error-channel.js';
import type { ChannelMember } from '../channel-member.js';
import { type EventInputs, events } from '../events.js';
import { flushPublished } from '../turn.js';
import { EventWriter } from '../typed-events.js';
import { BrokerExchange, isReplayBroker } from './broker-exchange.js';
import { type HistoryBounds, type HistoryRule, historyBounds, historyRule } from './history-rules.js';
import { LocalExchange } from './local-exchange.js';
import { MemoryHistory } from './memory-history.js';
import type { Message } from './message.js';
import { DONE, type Exchange, Topic, type TopicAddress } from './topic.js';

/** Events of any name and data. */
export type AnyEvents = EventTypes<Record<string, unknown>>;

/** Data that may be undefined can be left out. */
type EventArguments<Data> = undefined extends Data ? [data?: Data] : [data: Data];

/** Options of `ChannelManager`. */
export interface ChannelManagerOptions<Sends extends SocketEvents = AnyEvents> {
  /**
   * The events that may be emitted: a Standard Schema for each, which the data is parsed by before it is sent, or
   * `events<T>()`. Without it any event can be emitted.
   */
  sends?: Sends;
  /** Carries messages between processes, such as `RedisChannelBroker`. Without it topics belong to this process. */
  broker?: ChannelBroker;
  /** How much of a topic is kept for clients that come back; nothing by default. */
  history?: HistoryRule;
  /** Counts the subscribers of topics over all processes, for `presence`; needed only with a broker. */
  presence?: boolean;
  /** The most that all histories in the memory of this process may take. */
  historyBounds?: HistoryBounds;
}

/**
 * Topics, and the connections that are subscribed to them. What is published to a topic reaches all its subscribers,
 * as one frame that is built once.
 *
 * ```ts
 * const channels = new ChannelManager({ sends: { said: z.object({ from: z.string(), text: z.string() }) } });
 * channels.subscribe(socket, 'room:1');
 * channels.emit('room:1', 'said', { from: 'Ada', text: 'Hello' });
 * ```
 *
 * @typeParam Sends the declaration of the events that `emit` takes.
 */
export class ChannelManager<Sends extends SocketEvents = AnyEvents> {
  readonly #sends: EventWriter;
  readonly #historyOf: ReturnType<typeof historyRule>;
  readonly #exchange: Exchange;
  readonly #topics = new Map<string, Topic>();
  /** The topics of each connection. */
  readonly #members = new Map<ChannelMember, Topic[]>();
  readonly #everyone = new Topic({ name: '', channel: 'broadcast', history: undefined });
  readonly #presence: PresenceReport | undefined;
  #isClosed = false;

  /** @throws ConfigError if an option is malformed. */
  constructor(options: ChannelManagerOptions<Sends> = {}) {
    const given = checkManager(options as ChannelManagerOptions);
    this.#sends = new EventWriter(given.sends ?? events(), 'ChannelManager');
    this.#historyOf = historyRule(given.history);
    const { broker, history } = given;
    const bounds = historyBounds(given.historyBounds);
    if (broker === undefined) {
      this.#exchange = new LocalExchange(new MemoryHistory(bounds, (topic) => this.count(topic) > 0));
      return;
    }
    checkBroker(broker, history);
    if (given.presence === true) {
      this.#presence = new PresenceReport(presenceBroker(broker), (topic) => this.count(topic));
    }
    this.#exchange = new BrokerExchange(broker, (topic) => this.#forget(topic));
  }

  /**
   * Subscribes a connection to a topic until it unsubscribes or is closed. Subscribing twice is the same as once. A
   * client that resumes first gets what it missed.
   *
   * @param topic any text of up to 512 UTF-16 units.
   * @returns A promise that resolves when everything that is published from then on will arrive. With a broker that
   * is away that is when it comes back. It never rejects.
   * @throws Error if the topic is too long or no well-formed text.
   */
  subscribe(socket: ChannelMember, topic: string): Promise<void> {
    checkTopic(topic);
    if (this.#isClosed || !socket.isOpen) return DONE;
    flushPublished();
    const topics = this.#topicsOf(socket);
    const known = this.#topics.get(topic) ?? this.#begin(topic);
    if (known.has(socket)) return known.link?.want() ?? DONE;
    topics.push(known);
    this.#presence?.changed(known.name);
    return this.#exchange.join(known, socket);
  }

  /** Ends a subscription. Without one it has no effect. */
  unsubscribe(socket: ChannelMember, topic: string): void {
    checkTopic(topic);
    const known = this.#topics.get(topic);
    const topics = this.#members.get(socket);
    const at = known === undefined ? -1 : (topics?.indexOf(known) ?? -1);
    if (known === undefined || topics === undefined || at < 0) return;
    flushPublished();
    topics.splice(at, 1);
    this.#leave(socket, known);
  }

  /**
   * Lets a connection get what is sent to all, before it subscribes to anything. A connection that has subscribed to
   * a topic once gets that too.
   */
  add(socket: ChannelMember): void {
    if (!this.#isClosed && socket.isOpen) this.#topicsOf(socket);
  }

  /**
   * Sends a text or binary message to all subscribers of a topic. It is written at the end of this turn of the event
   * loop, together with what else is published in it.
   *
   * @returns A promise that resolves when the message is handed over: without a broker at once, otherwise when the
   * broker has it. It rejects if the broker is away; then nobody gets the message. A rejection that nothing handles
   * does not end the process: the first of an outage is reported on the error channel.
   * @throws ConfigError if the topic or the message is of another type; Error if the topic is too long or no
   * well-formed text.
   */
  publish(topic: string, message: string | Uint8Array): Promise<void> {
    return this.#publish(topic, { payload: checkMessage('publish', message), isEvent: false });
  }

  /** Sends a value as JSON; like `publish`. */
  publishJson(topic: string, value: unknown): Promise<void> {
    return this.publish(topic, publishedText(value));
  }

  /**
   * Sends an event to all subscribers of a topic; like `publish`. With schemas the parsed data is sent, so that
   * fields that are not declared do not leave the server.
   *
   * @throws Error if the event is not declared or its data does not match.
   */
  emit<Name extends keyof EventInputs<Sends> & string>(
    topic: string,
    event: Name,
    ...[data]: EventArguments<EventInputs<Sends>[Name]>
  ): Promise<void> {
    return this.#publish(topic, { payload: this.#sends.text(event, data), isEvent: true });
  }

  /** Sends a message to all connections that were added or have subscribed to a topic; like `publish`. */
  broadcastAll(message: string | Uint8Array): Promise<void> {
    const payload = checkMessage('broadcastAll', message);
    return this.#publishTo(this.#everyone, this.#everyone, { payload, isEvent: false });
  }

  /**
   * Sends an event to all connections that were added or have subscribed to a topic; like `emit`. It is part of no
   * history.
   *
   * @throws Error if the event is not declared or its data does not match.
   */
  emitAll<Name extends keyof EventInputs<Sends> & string>(
    event: Name,
    ...[data]: EventArguments<EventInputs<Sends>[Name]>
  ): Promise<void> {
    return this.broadcastAll(this.#sends.text(event, data));
  }

  /** The number of subscribers of a topic in this process; without a topic, that of all connections. */
  count(topic?: string): number {
    if (topic === undefined) return this.#members.size;
    checkTopic(topic);
    return this.#topics.get(topic)?.count ?? 0;
  }

  /**
   * The number of subscribers of a topic in all processes. Those of a process that was killed are counted for half a
   * minute at most. Without a broker it is `count(topic)`.
   *
   * @throws Error if the broker cannot be reached, or the option `presence` is not set.
   */
  async presence(topic: string): Promise<number> {
    checkTopic(topic);
    if (this.#presence !== undefined) return this.#presence.total(topic);
    if (this.#exchange instanceof LocalExchange) return this.count(topic);
    throw new Error('presence() needs the option of the ChannelManager: presence: true');
  }

  /** The topics that have subscribers in this process. */
  topics(): string[] {
    return [...this.#topics.values()].filter(({ count }) => count > 0).map(({ name }) => name);
  }

  /**
   * Ends all subscriptions; the connections and the broker stay open. Afterwards subscribing and publishing have no
   * effect. To be called before the broker is closed.
   *
   * @returns A promise that resolves when the other processes know of it.
   */
  async close(): Promise<void> {
    flushPublished();
    this.#isClosed = true;
    for (const socket of [...this.#members.keys()]) this.#remove(socket);
    await this.#presence?.close();
  }

  #publish(name: string, message: Message): Promise<void> {
    const topic = this.#topics.get(name);
    if (topic === undefined) checkTopic(name);
    return this.#publishTo(topic ?? this.#addressOf(name), topic, message);
  }

  #publishTo(address: TopicAddress, topic: Topic | undefined, message: Message): Promise<void> {
    return this.#isClosed ? DONE : this.#exchange.publish(address, topic, message);
  }

  #addressOf(name: string): TopicAddress {
    return { name, channel: `topic:${name}`, history: this.#historyOf(name) };
  }

  #begin(name: string): Topic {
    const topic = new Topic(this.#addressOf(name));
    this.#topics.set(name, topic);
    return topic;
  }

  #topicsOf(socket: ChannelMember): Topic[] {
    const known = this.#members.get(socket);
    if (known !== undefined) return known;
    const topics: Topic[] = [];
    this.#members.set(socket, topics);
    void this.#exchange.admit(this.#everyone, socket);
    const remove = (): void => this.#remove(socket);
    if (socket.whenClosing === undefined) socket.whenClosed(remove);
    else socket.whenClosing(remove);
    return topics;
  }

  #remove(socket: ChannelMember): void {
    const topics = this.#members.get(socket);
    if (topics === undefined) return;
    this.#members.delete(socket);
    for (const topic of topics) this.#leave(socket, topic);
    this.#everyone.remove(socket);
    this.#exchange.left(this.#everyone);
  }

  #leave(socket: ChannelMember, topic: Topic): void {
    topic.remove(socket);
    this.#presence?.changed(topic.name);
    this.#exchange.left(topic);
    this.#forget(topic);
  }

  #forget(topic: Topic): void {
    if (topic.count > 0 || topic.link !== undefined) return;
    if (this.#topics.get(topic.name) === topic) this.#topics.delete(topic.name);
  }
}

const LONGEST_TOPIC = 512;

const RULES: Rules<ChannelManagerOptions> = {
  sends: object('an object of schemas by the name of the event, or events<Types>()'),
  broker: objectWith(['publish', 'subscribe'], 'a ChannelBroker, such as a RedisChannelBroker'),
  history: either(object('an object such as { messages: 100 }'), callback('a function (topic) => options')),
  presence: flag,
  historyBounds: object('an object such as { maxTopics: 1000 }'),
};

/** @throws ConfigError if an option is unknown or not of its kind. */
function checkManager(options: ChannelManagerOptions): ChannelManagerOptions {
  return checkOptions('ChannelManager', options, RULES);
}

function checkBroker(broker: ChannelBroker, history: HistoryRule | undefined): void {
  if (history === undefined || isReplayBroker(broker)) return;
  throw new ConfigError(
    'FW_CHANNEL_HISTORY',
    'ChannelManager: this broker keeps no messages; for a history give one that does, such as a RedisStreamBroker',
  );
}

function checkTopic(topic: string): void {
  checkValue('ChannelManager', 'the topic', topic, text);
  if (topic.length > LONGEST_TOPIC) {
    throw new Error(
      `a topic has at most ${LONGEST_TOPIC} characters, got ${topic.length}: '${topic.slice(0, 40)}…'`,
    );
  }
  // Brokers carry UTF-8, which has no lone surrogates: two topics could become the same.
  if (/\p{Surrogate}/u.test(topic))
    throw new Error('a topic is a well-formed text, got one with a lone surrogate');
}

/** What may be published comes from requests: it is not shown. */
function checkMessage(method: string, message: string | Uint8Array): string | Uint8Array {
  if (typeof message === 'string' || message instanceof Uint8Array) return message;
  return checkValue(`ChannelManager.${method}`, 'the message', message, MESSAGE);
}

const MESSAGE = secret({ ...text, takes: 'a text or bytes; publishJson() takes any value' });

function publishedText(value: unknown): string {
  const json = jsonOf(value);
  if (json === undefined) throw new Error(`publishJson() takes a value that JSON has, got ${typeof value}`);
  return json;
}

/** Changes within this time are told together, in milliseconds. */
const DELAY_MS = 50;

/** Collects changes. If the broker is away, it knows them and tells them later. */
export class PresenceReport {
  readonly #broker: PresenceBroker;
  readonly #countOf: (topic: string) => number;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(broker: PresenceBroker, countOf: (topic: string) => number) {
    this.#broker = broker;
    this.#countOf = countOf;
  }

  changed(topic: string): void {
    this.#changed.add(topic);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#tellOrReport(), DELAY_MS);
    // Other runtimes have numbers.
    this.#timer.unref?.();
  }

  /** @throws Error if the broker cannot be reached. */
  async total(topic: string): Promise<number> {
    await this.#tell();
    return this.#broker.total(topic);
  }

  async close(): Promise<void> {
    await this.#tellOrReport();
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    const counts = new Map([...this.#changed].map((topic) => [topic, this.#countOf(topic)]));
    this.#changed.clear();
    await this.#broker.setCounts(counts);
  }

  async #tellOrReport(): Promise<void> {
    try {
      await this.#tell();
    } catch (error) {
      reportError({ error, status: 503, method: 'websocket', path: '' });
    }
  }
}

/** @throws ConfigError if the broker does not count. */
function presenceBroker(broker: ChannelBroker): PresenceBroker {
  const counting = broker as ChannelBroker & Partial<PresenceBroker>;
  if (typeof counting.setCounts === 'function' && typeof counting.total === 'function')
    return counting as never;
  throw new ConfigError(
    'FW_CHANNEL_PRESENCE',
    'ChannelManager: this broker has no presence; give one that implements PresenceBroker, or leave the option out',
  );
}
