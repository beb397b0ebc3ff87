// Channels: the last messages of topics, kept in this process.
import { randomBytes } from 'node:crypto';
import type { HistoryLimits } from '../../streaming/channel-broker.js';
import type { ResolvedBounds } from './history-rules.js';
import { type KeptFrame, keptFrame, type Message } from './message.js';

interface Kept {
  readonly frame: KeptFrame;
  readonly number: number;
  readonly at: number;
}

interface History {
  readonly limits: HistoryLimits;
  readonly kept: Kept[];
  /** All messages with higher numbers are kept. */
  floor: number;
}

/** Whether someone is subscribed. */
type IsUsed = (topic: string) => boolean;

/**
 * Ids are `<epoch>-<number>`. The epoch is random, so that ids of an earlier process are recognised as unknown; the
 * numbers are those of all topics together, so that a topic that was forgotten cannot take an id for one of its new
 * messages.
 */
export class MemoryHistory {
  readonly #epoch = randomBytes(6).toString('hex');
  readonly #bounds: ResolvedBounds;
  readonly #isUsed: IsUsed;
  /** The topic with the latest message is the last. */
  readonly #topics = new Map<string, History>();
  #bytes = 0;
  #last = 0;
  /** The highest number that a forgotten topic has had. */
  #forgotten = 0;

  constructor(bounds: ResolvedBounds, isUsed: IsUsed) {
    this.#bounds = bounds;
    this.#isUsed = isUsed;
  }

  /** How many topics have a history. */
  get size(): number {
    return this.#topics.size;
  }

  append(topic: string, message: Message, limits: HistoryLimits): KeptFrame {
    const number = this.#last + 1;
    const frame = keptFrame(message, topic, this.#id(number));
    this.#last = number;
    const history = this.#topics.get(topic) ?? { limits, kept: [], floor: this.#forgotten };
    this.#topics.delete(topic);
    this.#topics.set(topic, history);
    history.kept.push({ frame, number, at: performance.now() });
    this.#bytes += sizeOf(frame);
    this.#trim(history);
    this.#forgetOldest();
    return frame;
  }

  /** The id of the place after all messages so far. */
  position(): string {
    return this.#id(this.#last);
  }

  /** All messages after the id, or undefined if not all of them are kept. */
  since(topic: string, id: string): readonly KeptFrame[] | undefined {
    const number = this.#number(id);
    if (number === undefined) return undefined;
    const history = this.#topics.get(topic);
    if (history !== undefined) this.#trim(history);
    if (number < (history?.floor ?? this.#forgotten)) return undefined;
    return history?.kept.filter((one) => one.number > number).map(({ frame }) => frame) ?? [];
  }

  #id(number: number): string {
    return `${this.#epoch}-${number}`;
  }

  #number(id: string): number | undefined {
    const [epoch, digits = ''] = id.split('-', 2);
    if (epoch !== this.#epoch || !/^\d{1,16}$/.test(digits)) return undefined;
    const number = Number(digits);
    return number <= this.#last ? number : undefined;
  }

  #trim(history: History): void {
    const { limits, kept } = history;
    const oldest = performance.now() - limits.maxAgeMs;
    for (let first = kept[0]; first !== undefined; first = kept[0]) {
      if (kept.length <= limits.messages && first.at > oldest) return;
      kept.shift();
      history.floor = first.number;
      this.#bytes -= sizeOf(first.frame);
    }
  }

  /** Topics over the bounds, and topics that nobody needs any more, if they are next. */
  #forgetOldest(): void {
    for (const [topic, history] of this.#topics) {
      const isOver = this.#topics.size > this.#bounds.topics || this.#bytes > this.#bounds.bytes;
      if (!isOver) {
        this.#trim(history);
        if (history.kept.length > 0) return;
        if (this.#isUsed(topic)) {
          // Its subscribers may come back, and have missed nothing then.
          this.#topics.delete(topic);
          this.#topics.set(topic, history);
          return;
        }
      }
      this.#forget(topic, history);
    }
  }

  #forget(topic: string, { kept, floor }: History): void {
    this.#topics.delete(topic);
    for (const { frame } of kept) this.#bytes -= sizeOf(frame);
    this.#forgotten = Math.max(this.#forgotten, kept.at(-1)?.number ?? floor);
  }
}

/** The payload is kept beside the bytes. */
function sizeOf(frame: KeptFrame): number {
  return frame.bytes.byteLength * 2;
}
