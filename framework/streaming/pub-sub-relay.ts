// Streaming: carries the messages of a `PubSub` between processes, also over interruptions of the broker.
import { shown } from '../options/shown.js';
import { reportError } from '../tracing/error-channel.js';
import type { HistoryBroker, HistorySubscription } from './channel-broker.js';

/** What a process can catch up on after it was cut off. */
const KEPT = { messages: 1000, maxAgeMs: 60 * 60 * 1000 };

/** How many messages wait for a broker that is away at most. */
const LONGEST_QUEUE = 1000;

/** Takes the place of too many messages: everybody has missed some. */
const MISSED = '{"missed":true}';

/** How often what the broker did not do is tried again. */
const RETRY_MS = 1000;

/** A broker that has not answered for so long is away, too. */
const PATIENCE_MS = 10_000;

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
  /** In messages that this process has delivered to itself already. Made late: Workers have no random values at load. */
  #own: string | undefined;
  /** Messages that the broker has not taken. */
  #untaken: string[] = [];
  #following: HistorySubscription | undefined;
  #catchingUp: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStarted = false;
  #closing: Promise<void> | undefined;
  /** Messages on their way to the broker, each with the error if it does not take them. */
  readonly #appending = new Set<Promise<unknown>>();
  #sending: Promise<void> | undefined;
  /** What the broker does not do. That it is away is reported once. */
  readonly #failing = new Set<'append' | 'follow'>();

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
    if (this.#closing !== undefined) return;
    const isHeard = this.#following !== undefined;
    if (!isHeard) this.#deliver(topic, json);
    // What was sent before goes first.
    if (this.#untaken.length > 0) {
      this.#keep(topic, json, isHeard);
      return;
    }
    // A broker may tell of messages before it has answered that it follows.
    const text = isHeard ? textOf(topic, json) : this.#ownText(topic, json);
    const appending: Promise<unknown> = this.#append(text)
      .catch((error: unknown) => {
        this.#report('append', error);
        this.#keep(topic, json, isHeard);
        return error;
      })
      .finally(() => this.#appending.delete(appending));
    this.#appending.add(appending);
  }

  /** What the broker has not taken is tried once more, and reported if it is in vain. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#retry);
    const following = this.#following;
    this.#following = undefined;
    await Promise.all([this.#sendRest(), following && inTime(following.stop())]);
  }

  async #sendRest(): Promise<void> {
    try {
      await inTime(this.#sent());
    } catch (cause) {
      const what = `closed before the broker had taken all messages on the channel '${this.#channel}', which other processes miss`;
      this.#publishError(new Error(what, { cause }));
    }
  }

  /** Rejects if the broker does not take what waits for it. */
  async #sent(): Promise<void> {
    for (const error of await Promise.all(this.#appending)) if (error !== undefined) throw error;
    await this.#sendQueue();
  }

  #deliver(topic: string, json: string | undefined): void {
    this.#events.onMessage(topic, json === undefined ? undefined : JSON.parse(json));
  }

  /** The broker takes it later. This process does not wait for that. */
  #keep(topic: string, json: string | undefined, isUndelivered: boolean): void {
    if (isUndelivered) this.#deliver(topic, json);
    if (this.#untaken.length >= LONGEST_QUEUE) this.#untaken = [MISSED];
    this.#untaken.push(this.#ownText(topic, json));
    this.#tryLater();
  }

  /** Asynchronous, so that a broker that throws at once does not throw where messages are published. */
  async #append(text: string): Promise<void> {
    await inTime(this.#broker.append(this.#channel, text, KEPT));
    this.#failing.delete('append');
  }

  #ownText(topic: string, json: string | undefined): string {
    this.#own ??= crypto.randomUUID();
    return textOf(topic, json, this.#own);
  }

  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#followAndSend()
      .catch((error: unknown) => this.#report(this.#isUnheard ? 'follow' : 'append', error))
      .finally(() => {
        this.#catchingUp = undefined;
      });
    return this.#catchingUp;
  }

  async #followAndSend(): Promise<void> {
    if (this.#isUnheard) await this.#follow();
    if (this.#closing === undefined) await this.#sendQueue();
  }

  /** Two at a time would send the same messages. */
  #sendQueue(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let queue = this.#untaken; queue[0] !== undefined; queue = this.#untaken) {
      await this.#append(queue[0]);
      // Too many may have come meanwhile, for which there is another queue then.
      queue.shift();
    }
  }

  /** Whether it is to hear what others publish, and does not. */
  get #isUnheard(): boolean {
    return this.#isStarted && this.#following === undefined && this.#closing === undefined;
  }

  async #follow(): Promise<void> {
    let isGivenUp = false;
    const opening = this.#broker.follow(this.#channel, {
      onMessage: ({ message }) => {
        if (!isGivenUp) this.#heard(message);
      },
      onLost: () => {
        if (!isGivenUp) this.#events.onMissed('the broker had kept too few');
      },
    });
    try {
      const following = await inTime(opening);
      // Taken for one that has not begun, it would be asked for again and again.
      if (typeof following?.stop !== 'function') {
        throw new TypeError(`follow() of the broker gave ${shown(following)}; give { id, stop }`);
      }
      if (this.#closing !== undefined) return await inTime(following.stop());
      this.#following = following;
    } catch (error) {
      isGivenUp = true;
      // One that begins after that would be a second one.
      Promise.resolve(opening)
        .then((late) => late.stop())
        .catch(() => {});
      throw error;
    }
    this.#failing.delete('follow');
    this.#events.onMissed('the broker was away');
  }

  #tryLater(): void {
    if (this.#closing !== undefined || this.#retry !== undefined) return;
    this.#retry = setTimeout(async () => {
      await this.#catchUp();
      this.#retry = undefined;
      if (this.#untaken.length > 0 || this.#isUnheard) this.#tryLater();
    }, RETRY_MS);
    // Not every runtime has timers that are objects.
    this.#retry.unref?.();
  }

  /** A text that cannot be read does not keep the next ones back. */
  #heard(text: string): void {
    const sent = sentIn(text);
    if (sent === undefined) {
      const why = `a message on the channel '${this.#channel}' is not of a PubSub: ${shown(text)}; give each PubSub a channel that nothing else uses`;
      this.#publishError(new Error(why));
    } else if (sent.topic === undefined) this.#events.onMissed('the broker was away for too long');
    else if (sent.own === undefined || sent.own !== this.#own) {
      this.#events.onMessage(sent.topic, sent.message);
    }
  }

  #report(what: 'append' | 'follow', error: unknown): void {
    if (this.#failing.size === 0 && this.#closing === undefined) this.#publishError(error);
    this.#failing.add(what);
  }

  #publishError(error: unknown): void {
    reportError({ error, status: 503, method: 'pubsub', path: this.#channel });
  }
}

/** The answer of the broker. Rejects if it does not come in time. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const why = `the broker did not answer within ${PATIENCE_MS / 1000} seconds`;
    timer = setTimeout(() => reject(new Error(why)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Sent {
  /** Undefined if messages are missing. */
  readonly topic: string | undefined;
  readonly message: unknown;
  readonly own: unknown;
}

/** Undefined for a text of another program. */
function sentIn(text: string): Sent | undefined {
  try {
    const { topic, message, own, missed } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof topic === 'string') return { topic, message, own };
    return missed === true ? { topic: undefined, message, own } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(topic: string, json: string | undefined, own?: string): string {
  const message = json === undefined ? '' : `,"message":${json}`;
  const mark = own === undefined ? '' : `,"own":"${own}"`;
  return `{"topic":${JSON.stringify(topic)}${message}${mark}}`;
}
