// What the recorder has not sent yet: batches of bounded size, so that neither process is kept busy by records.
import type { RawRecord } from '../../../process/records.js';
import type { Exchange } from './exchange.js';
import type { SendNews } from './recorder.js';

/** Milliseconds between two batches. */
const interval = 100;
/** The most records of one batch, if the supervisor was busy; the newest are sent, the others counted. */
const batchSize = 300;
/** The most bytes of bodies in one batch. */
const batchBytes = 4 * 1024 * 1024;
/** How much is sent when the process ends: the channel takes that without waiting. */
const lastBytes = 64 * 1024;

export class Outbox {
  readonly #send: SendNews;
  /** Exchanges that are not answered, also those that the supervisor knows of. */
  readonly #pending = new Set<Exchange>();
  #ended: Exchange[] = [];
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;

  constructor(send: SendNews) {
    this.#send = send;
  }

  get pending(): Iterable<Exchange> {
    return this.#pending;
  }

  /** Whether no exchange is pending. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** One more was not recorded. */
  skipped(): void {
    this.#skipped += 1;
    this.#schedule();
  }

  began(exchange: Exchange): void {
    this.#pending.add(exchange);
    this.#schedule();
  }

  ended(exchange: Exchange): void {
    if (!this.#pending.delete(exchange)) return;
    this.#ended.push(exchange);
    if (this.#ended.length > batchSize) this.#dropOldest();
    this.#schedule();
  }

  /** Settles when everything was handed over to the channel. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended.length === 0 && this.#skipped === 0) return;
    await new Promise<void>((done) => this.#sendNow(this.#takeBatch(batchBytes), done));
  }

  flushAtExit(): void {
    for (const exchange of [...this.#pending]) exchange.end('aborted');
    if (this.#ended.length > 0) this.#sendNow(this.#takeBatch(lastBytes));
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isSending) return;
    this.#timer = setTimeout(() => this.#tick(), interval);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = undefined;
    const records = [...this.#announce(), ...this.#takeBatch(batchBytes)];
    if (records.length > 0 || this.#skipped > 0) {
      this.#isSending = true;
      this.#sendNow(records, () => {
        this.#isSending = false;
        if (this.#hasWork()) this.#schedule();
      });
    } else if (this.#hasWork()) this.#schedule();
  }

  #hasWork(): boolean {
    if (this.#ended.length > 0 || this.#skipped > 0) return true;
    for (const { isAnnounced } of this.#pending) if (!isAnnounced) return true;
    return false;
  }

  #sendNow(records: RawRecord[], done?: () => void): void {
    this.#send({ fw: 'records', records, skipped: this.#skipped }, done);
    this.#skipped = 0;
  }

  /** Records of exchanges that take longer than the time between two batches. */
  #announce(): RawRecord[] {
    const records: RawRecord[] = [];
    const before = performance.now() - interval;
    for (const exchange of this.#pending) {
      if (exchange.isAnnounced || exchange.began > before) continue;
      if (records.length === batchSize) break;
      exchange.isAnnounced = true;
      exchange.note(() => records.push(exchange.raw()));
    }
    return records;
  }

  /** The newest that fit, the oldest first. One that was announced is sent in any case. */
  #takeBatch(most: number): RawRecord[] {
    const records: RawRecord[] = [];
    let bytes = 0;
    for (const exchange of this.#ended.reverse()) {
      bytes += exchange.kept;
      if (bytes > most && !exchange.isAnnounced) this.#skipped += 1;
      else exchange.note(() => records.unshift(exchange.raw()));
    }
    this.#ended = [];
    return records;
  }

  #dropOldest(): void {
    const index = this.#ended.findIndex(({ isAnnounced }) => !isAnnounced);
    if (index === -1) return;
    this.#ended.splice(index, 1);
    this.#skipped += 1;
  }
}
