// Tells the supervisor of the messages of WebSockets and event streams, a few times a second.
import type { RawMessages } from '../../../process/records.js';
import type { Exchange } from './exchange.js';
import type { MessageLog } from './message-log.js';
import type { SendNews } from './recorder.js';

/** Milliseconds between two batches. */
const INTERVAL = 200;
/** How many connections one batch tells of; the others wait for the next one. */
const MOST_LOGS = 50;

export class MessageOutbox {
  readonly #send: SendNews;
  readonly #logs = new Map<Exchange, MessageLog>();
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;

  constructor(send: SendNews) {
    this.#send = send;
  }

  /** There are news in the log. */
  has(exchange: Exchange, log: MessageLog): void {
    this.#logs.set(exchange, log);
    this.#schedule();
  }

  /** Sends what there is before the process ends. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#take();
    if (batch.length === 0) return;
    await new Promise<void>((done) => this.#send({ fw: 'messages', logs: batch }, done));
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isSending || this.#logs.size === 0) return;
    this.#timer = setTimeout(() => this.#tick(), INTERVAL);
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = undefined;
    const batch = this.#take();
    if (batch.length === 0) {
      this.#schedule();
      return;
    }
    this.#isSending = true;
    this.#send({ fw: 'messages', logs: batch }, () => {
      this.#isSending = false;
      this.#schedule();
    });
  }

  /** Only of exchanges that the supervisor knows of; those that it never will are forgotten. */
  #take(): RawMessages[] {
    const batch: RawMessages[] = [];
    for (const [exchange, log] of this.#logs) {
      if (batch.length === MOST_LOGS) break;
      if (exchange.fate === 'waiting' && exchange.isKept) continue;
      this.#logs.delete(exchange);
      if (exchange.fate === 'told' && log.hasNews) batch.push(log.take(exchange.seq));
    }
    return batch;
  }
}
