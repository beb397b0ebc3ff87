// Sends recorded requests and jobs to the supervisor in batches, and those that take long while they are pending.
import type { RawRecord } from '../../../process/records.js';
import type { Recorded } from './recorded.js';
import type { SendNews } from './recorder.js';

/** Milliseconds between two batches. */
const INTERVAL = 100;
/** The most records of one batch, if the supervisor was busy; the newest are sent, the others counted. */
const BATCH_SIZE = 300;
/** The most bytes of bodies in one batch. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** How much is sent when the process ends: the channel takes that without waiting. */
const LAST_BYTES = 64 * 1024;

export class RecordOutbox {
  readonly #send: SendNews;
  /** Exchanges that are not answered, also those that the supervisor knows of. */
  readonly #pending = new Set<Recorded>();
  #ended: Recorded[] = [];
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;

  constructor(send: SendNews) {
    this.#send = send;
  }

  get pending(): Iterable<Recorded> {
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

  began(exchange: Recorded): void {
    this.#pending.add(exchange);
    if (exchange.isKept) this.#schedule();
  }

  /** One that began is not sent. */
  ignore(exchange: Recorded): void {
    this.#pending.delete(exchange);
  }

  ended(exchange: Recorded): void {
    if (!this.#pending.delete(exchange) || !exchange.isKept) return;
    this.#ended.push(exchange);
    if (this.#ended.length > BATCH_SIZE) this.#dropOldest();
    this.#schedule();
  }

  /** Settles when everything was handed over to the channel. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const records = [...this.#announce(), ...this.#takeBatch(BATCH_BYTES)];
    if (records.length > 0 || this.#skipped > 0)
      await new Promise<void>((done) => this.#sendNow(records, done));
    // Those that have just begun are announced later.
    if (this.#hasWork()) this.#schedule();
  }

  flushAtExit(): void {
    for (const exchange of [...this.#pending]) exchange.end('aborted');
    if (this.#ended.length > 0) this.#sendNow(this.#takeBatch(LAST_BYTES));
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isSending) return;
    this.#timer = setTimeout(() => this.#tick(), INTERVAL);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = undefined;
    const records = [...this.#announce(), ...this.#takeBatch(BATCH_BYTES)];
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
    for (const { isAnnounced, isKept } of this.#pending) if (isKept && !isAnnounced) return true;
    return false;
  }

  #sendNow(records: RawRecord[], done?: () => void): void {
    this.#send({ fw: 'records', records, skipped: this.#skipped }, done);
    this.#skipped = 0;
  }

  /** Records of exchanges that take longer than the time between two batches. */
  #announce(): RawRecord[] {
    const records: RawRecord[] = [];
    const before = performance.now() - INTERVAL;
    for (const exchange of this.#pending) {
      if (exchange.isAnnounced || !exchange.isKept || exchange.began > before) continue;
      if (records.length === BATCH_SIZE) break;
      exchange.isAnnounced = true;
      told(exchange, records);
    }
    return records;
  }

  /**
   * The newest that fit, the oldest first, and those of the frontend in what is left. One that was announced is sent in
   * any case.
   */
  #takeBatch(most: number): RawRecord[] {
    const isFitting = (exchange: Recorded): boolean => {
      bytes += exchange.kept;
      return bytes <= most || exchange.isAnnounced;
    };
    let bytes = 0;
    const newest = this.#ended.toReversed();
    const fitting = new Set([
      ...newest.filter((one) => !one.isOfFrontend && isFitting(one)),
      ...newest.filter((one) => one.isOfFrontend && isFitting(one)),
    ]);
    const records: RawRecord[] = [];
    for (const exchange of this.#ended) {
      if (fitting.has(exchange)) {
        told(exchange, records);
        continue;
      }
      exchange.fate = 'dropped';
      if (!exchange.isOfFrontend) this.#skipped += 1;
    }
    this.#ended = [];
    return records;
  }

  #dropOldest(): void {
    const index = this.#ended.findIndex(({ isAnnounced }) => !isAnnounced);
    if (index === -1) return;
    const [dropped] = this.#ended.splice(index, 1);
    if (dropped !== undefined) dropped.fate = 'dropped';
    this.#skipped += 1;
  }
}

function told(exchange: Recorded, records: RawRecord[]): void {
  exchange.note(() => {
    records.push(exchange.raw());
    exchange.fate = 'told';
  });
}
