// Streaming: carries the messages of a `PubSub` between processes, also over interruptions of the broker.
import { reportError } from '../tracing/error-channel.js';
import type { HistoryBroker, HistorySubscription } from './channel-broker.js';

/** What a process can catch up on after it was cut off. */
const KEPT = { messages: 1000, maxAgeMs: 60 * 60 * 1000 };

/** How many messages wait for a broker that is away at most. */
const LONGEST_QUEUE = 1000;

/** Takes the place of too many messages: everybody has missed some. */
const MISSED = '{}';

/** How often what the broker did not do is tried again. */
const RETRY_MS = 1000;

/** What a relay tells its `PubSub`. */
export interface RelayEvents {
  onMessage(topic: string, message: unknown): void;
  /** Messages may have been missed. */
  onMissed(why: string): void;
}

export class PubSubRelay {
  readonly #broker: HistoryBroker;
  readonly #channel: string;
  readonly #events: RelayEvents;
  /** In messages that this process has delivered to itself already. */
  readonly #own = crypto.randomUUID();
  /** Messages that the broker has not taken. */
  #untaken: string[] = [];
  #following: HistorySubscription | undefined;
  #catchingUp: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isClosed = false;
  /** Whether the broker has failed, which is reported once. */
  #isFailing = false;

  constructor(broker: HistoryBroker, channel: string, events: RelayEvents) {
    this.#broker = broker;
    this.#channel = channel;
    this.#events = events;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Never rejects: while the broker is away, it is tried again. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#catchUp();
    if (this.#following === undefined) this.#tryLater();
  }

  /** @param json undefined for a message without a value */
  send(topic: string, json: string | undefined): void {
    if (this.#isClosed) return;
    const isHeard = this.#following !== undefined;
    if (!isHeard) this.#deliver(topic, json);
    // What was sent before goes first.
    if (this.#untaken.length > 0) {
      this.#keep(topic, json, isHeard);
      return;
    }
    this.#append(textOf(topic, json)).catch((error: unknown) => {
      this.#report(error);
      this.#keep(topic, json, isHeard);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const following = this.#following;
    this.#following = undefined;
    await following?.stop();
  }

  #deliver(topic: string, json: string | undefined): void {
    this.#events.onMessage(topic, json === undefined ? undefined : JSON.parse(json));
  }

  /** The broker takes it later. This process does not wait for that. */
  #keep(topic: string, json: string | undefined, isUndelivered: boolean): void {
    if (this.#isClosed) return;
    if (isUndelivered) this.#deliver(topic, json);
    if (this.#untaken.length >= LONGEST_QUEUE) this.#untaken = [MISSED];
    this.#untaken.push(textOf(topic, json, this.#own));
    this.#tryLater();
  }

  /** Asynchronous, so that a broker that throws at once does not throw where messages are published. */
  async #append(text: string): Promise<void> {
    await this.#broker.append(this.#channel, text, KEPT);
    this.#isFailing = false;
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#followAndSend()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#catchingUp = undefined;
      });
    return this.#catchingUp;
  }

  async #followAndSend(): Promise<void> {
    if (this.#isStarted && this.#following === undefined) await this.#follow();
    for (let queue = this.#untaken; queue[0] !== undefined && !this.#isClosed; queue = this.#untaken) {
      await this.#append(queue[0]);
      // Too many may have come meanwhile, for which there is another queue then.
      queue.shift();
    }
  }

  async #follow(): Promise<void> {
    const following = await this.#broker.follow(this.#channel, {
      onMessage: ({ message }) => this.#heard(message),
      onLost: () => this.#events.onMissed('the broker had kept too few'),
    });
    if (this.#isClosed) return following.stop();
    this.#following = following;
    this.#isFailing = false;
    this.#events.onMissed('the broker was away');
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(async () => {
      await this.#catchUp();
      this.#retry = undefined;
      if (this.#untaken.length > 0 || (this.#isStarted && this.#following === undefined)) this.#tryLater();
    }, RETRY_MS).unref();
  }

  /** A text that cannot be read does not keep the next ones back. */
  #heard(text: string): void {
    try {
      const { topic, message, own } = JSON.parse(text) as Readonly<Record<string, unknown>>;
      if (typeof topic !== 'string') this.#events.onMissed('the broker was away for too long');
      else if (own !== this.#own) this.#events.onMessage(topic, message);
    } catch (error) {
      this.#publishError(error);
    }
  }

  #report(error: unknown): void {
    if (!this.#isFailing && !this.#isClosed) this.#publishError(error);
    this.#isFailing = true;
  }

  #publishError(error: unknown): void {
    reportError({ error, status: 503, method: 'pubsub', path: this.#channel });
  }
}

function textOf(topic: string, json: string | undefined, own?: string): string {
  const message = json === undefined ? '' : `,"message":${json}`;
  const mark = own === undefined ? '' : `,"own":"${own}"`;
  return `{"topic":${JSON.stringify(topic)}${message}${mark}}`;
}
