// Redis: one channel that is followed, without a gap and without a repetition.
import type { HistoryListener, HistoryMessage } from '../streaming/channel-broker.js';

/** Ids come from clients too. */
const ID = /^\d{1,17}-\d{1,15}$/;

/** Whether it has the form of an id. */
export const isStreamId = (id: string): boolean => ID.test(id);

/** What it needs of the broker. */
export interface StreamSource {
  since(id: string): Promise<readonly HistoryMessage[] | undefined>;
  last(): Promise<string>;
}

/** The most messages that wait while others are fetched; those beyond are fetched too. */
const MOST_WAITING = 1_024;

/**
 * Messages are pushed by publish and subscribe, which may lose some. Their numbers show it, and then the missing ones
 * are fetched from the stream.
 */
export class FollowedStream {
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
