// Channels: carries messages between processes, through a broker.
import { markHandled } from '../../promises.js';
import type {
  ChannelBroker,
  HistoryBroker,
  HistoryMessage,
  HistorySubscription,
} from '../../streaming/channel-broker.js';
import { reportError } from '../../tracing/error-channel.js';
import type { ChannelMember } from '../channel-member.js';
import { Frame, FrameBatch } from '../frame.js';
import { flushPublished, publishInTurn } from '../turn.js';
import { HeldMessages } from './held-messages.js';
import { type KeptFrame, keptFrame, type Message, missedFrame, positionFrame } from './message.js';
import { type Exchange, type Topic, type TopicAddress, writeTo } from './topic.js';
import { Backoff, TopicLink } from './topic-link.js';

/** How long a subscriber who comes back waits for a broker that fails, before it goes on without what it missed. */
const GIVE_UP_MS = 60_000;

/** Everything goes through the broker, so that all processes see the same order. */
export class BrokerExchange implements Exchange {
  readonly #broker: ChannelBroker;
  /** The same broker, if it keeps messages. */
  readonly #replay: HistoryBroker | undefined;
  readonly #forget: (topic: Topic) => void;
  readonly #following = new WeakMap<Topic, HistorySubscription>();
  /** Whether the last message was not taken. */
  #isFailing = false;

  /** @param forget called when nothing is left of the subscription of this process. */
  constructor(broker: ChannelBroker, forget: (topic: Topic) => void) {
    this.#broker = broker;
    this.#replay = isReplayBroker(broker) ? broker : undefined;
    this.#forget = forget;
  }

  async join(topic: Topic, member: ChannelMember): Promise<void> {
    const resumeAt = member.takeResumePoint(topic.name);
    if (topic.history !== undefined && (resumeAt !== undefined || member.isResumable === true)) {
      return this.#resume(topic, member, resumeAt);
    }
    if (resumeAt !== undefined) writeTo(member, missedFrame(topic.name, undefined));
    return this.admit(topic, member);
  }

  admit(topic: Topic, member: ChannelMember): Promise<void> {
    topic.members.add(member);
    return this.#linkOf(topic).want();
  }

  left(topic: Topic): void {
    if (topic.count === 0) topic.link?.unwant();
  }

  publish(address: TopicAddress, topic: Topic | undefined, message: Message): Promise<void> {
    const { channel, history } = address;
    const text = toBrokerText({
      payload: message.payload,
      isEvent: message.isEvent && history !== undefined,
    });
    const replay = history === undefined ? undefined : this.#replay;
    // Asynchronous, so that a broker that throws at once does not throw where nobody waits for it.
    const send = async () =>
      replay === undefined || history === undefined
        ? this.#broker.publish(channel, text)
        : replay.append(channel, text, history);
    // Those who have just subscribed get it too.
    return this.#taken(topic?.link === undefined ? send() : topic.link.afterAttempt(send), address.name);
  }

  /** The caller may do without the promise, and the process must not end then. */
  #taken(sent: Promise<void>, topic: string): Promise<void> {
    const taken = sent.then(
      () => {
        this.#isFailing = false;
      },
      (error: unknown) => {
        if (!this.#isFailing) report(error, topic);
        this.#isFailing = true;
        throw error;
      },
    );
    return markHandled(taken);
  }

  /** What is published meanwhile is held back until the subscriber has got what it missed. */
  async #resume(topic: Topic, member: ChannelMember, resumeAt: string | undefined): Promise<void> {
    const held = new HeldMessages();
    topic.held ??= new Map();
    topic.held.set(member, held);
    await this.#linkOf(topic).want();
    const isGone = () => topic.held?.get(member) !== held;
    if (isGone()) return;
    const place = this.#following.get(topic)?.id;
    const missed = resumeAt === undefined ? [] : await this.#since(topic, resumeAt, held);
    if (isGone()) return;
    /** The last message that the subscriber has then. What was fetched may be ahead of what was pushed. */
    const last = missed?.at(-1)?.id ?? resumeAt;
    if (missed !== undefined && last !== undefined && last !== place) await held.reached(last);
    if (isGone()) return;
    flushPublished();
    topic.held.delete(member);
    topic.members.add(member);
    this.#send(topic, member, missed, missed && held.after(last), resumeAt === undefined);
  }

  #send(
    topic: Topic,
    member: ChannelMember,
    missed: readonly KeptFrame[] | undefined,
    held: readonly Frame[] | undefined,
    isNew: boolean,
  ): void {
    const id = this.#following.get(topic)?.id ?? '';
    if (missed === undefined || held === undefined) {
      writeTo(member, missedFrame(topic.name, id));
      return;
    }
    if (missed.length + held.length > 0) writeTo(member, new FrameBatch([...missed, ...held]));
    // After those that were held back: it is the place of the last of them.
    if (isNew) writeTo(member, positionFrame(topic.name, id));
  }

  async #since(topic: Topic, id: string, held: HeldMessages): Promise<readonly KeptFrame[] | undefined> {
    const kept = await this.#fetched(topic, id, held);
    try {
      return kept?.map((one) => frameOf(one, topic));
    } catch (error) {
      report(error, topic.name);
      return undefined;
    }
  }

  /** While the broker is away, it is tried again: what it has is not lost. */
  async #fetched(
    topic: Topic,
    id: string,
    held: HeldMessages,
  ): Promise<readonly HistoryMessage[] | undefined> {
    const backoff = new Backoff();
    const giveUpAt = performance.now() + GIVE_UP_MS;
    held.whenOver(() => backoff.end());
    while (!held.isOver && performance.now() < giveUpAt) {
      try {
        return await this.#replay?.since(topic.channel, id);
      } catch (error) {
        if (backoff.isFresh) report(error, topic.name);
      }
      if (!held.isOver) await backoff.wait();
    }
    return undefined;
  }

  #linkOf(topic: Topic): TopicLink {
    topic.link ??= new TopicLink(
      () =>
        topic.history !== undefined && this.#replay
          ? this.#follow(topic, this.#replay)
          : this.#subscribe(topic),
      (error) => report(error, topic.name),
      () => {
        topic.link = undefined;
        this.#forget(topic);
      },
    );
    return topic.link;
  }

  #subscribe(topic: Topic): Promise<() => Promise<void>> {
    return this.#broker.subscribe(topic.channel, (text) => {
      deliver(topic, () => new Frame(fromBrokerText(text).payload));
    });
  }

  async #follow(topic: Topic, broker: HistoryBroker): Promise<() => Promise<void>> {
    const following = await broker.follow(topic.channel, {
      onMessage: (kept) => deliver(topic, () => frameOf(kept, topic)),
      onLost(id) {
        flushPublished();
        const frame = missedFrame(topic.name, id);
        for (const member of topic.members) if (member.isResumable === true) writeTo(member, frame);
        for (const held of topic.held?.values() ?? []) held.overfill();
      },
    });
    this.#following.set(topic, following);
    return () => following.stop();
  }
}

/** A message that cannot be read must not keep the next ones back. */
function deliver(topic: Topic, make: () => Frame): void {
  try {
    publishInTurn(topic, make());
  } catch (error) {
    report(error, topic.name);
  }
}

function frameOf({ id, message }: HistoryMessage, topic: Topic): KeptFrame {
  return keptFrame(fromBrokerText(message), topic.name, id);
}

export function isReplayBroker(broker: ChannelBroker): broker is HistoryBroker {
  return typeof (broker as Partial<HistoryBroker>).follow === 'function';
}

function report(error: unknown, topic: string): void {
  reportError({ error, status: 503, method: 'websocket', path: topic });
}

/**
 * A text goes as it is, so that other programs can publish too. A mark before it tells events of topics with a
 * history, bytes as base64, and texts that begin with NUL themselves.
 */
const MARK = '\0';
const EVENT = `${MARK}e`;
const BYTES = `${MARK}b`;
const TEXT = `${MARK}t`;

export function toBrokerText({ payload, isEvent }: Message): string {
  if (typeof payload !== 'string') return BYTES + asBuffer(payload).toString('base64');
  if (isEvent) return EVENT + payload;
  return payload.startsWith(MARK) ? TEXT + payload : payload;
}

/** @throws Error if the mark is unknown, as in a message of another version. */
function fromBrokerText(text: string): Message {
  if (!text.startsWith(MARK)) return { payload: text, isEvent: false };
  const [mark, rest] = [text.slice(0, 2), text.slice(2)];
  if (mark === TEXT) return { payload: rest, isEvent: false };
  if (mark === BYTES) return { payload: Buffer.from(rest, 'base64'), isEvent: false };
  // It is put together with the id of the message, so it must be an object.
  if (mark === EVENT && rest.startsWith('{"') && rest.endsWith('}')) return { payload: rest, isEvent: true };
  throw new Error(
    'a message of the broker has an unknown form; do all processes run the same version of fw?',
  );
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
