// Records the requests that the app answers, while somebody looks at them, and sends them to the supervisor.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TraceMessage } from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawRecord } from '../../../process/records.js';
import { Budget, isViteTarget } from './budget.js';
import { watchConsole } from './console-lines.js';
import { Exchange, type ExchangeEvents } from './exchange.js';
import { OutgoingCalls } from './outgoing-calls.js';
import { hearSecretPlaces } from './request-secrets.js';

/** Where in an exchange code runs. */
interface Place {
  readonly exchange: Exchange;
  /** How many steps are around it. */
  readonly depth: number;
}

/** Sends a message; `done` is called when it was handed over. */
export type SendNews = (message: WorkerNews, done?: () => void) => void;

const channel = diagnostics.channel('fw:trace');

export class Recorder {
  readonly #send: SendNews;
  readonly #outbox: Outbox;
  readonly #secrets = hearSecretPlaces();
  readonly #places = new AsyncLocalStorage<Place | undefined>();
  readonly #outgoing = new OutgoingCalls(
    (start) => {
      const place = this.#places.getStore();
      if (place === undefined) return undefined;
      const { exchange, depth } = place;
      exchange.note(() => exchange.steps.begin(start, depth));
      return (thrown) => exchange.note(() => exchange.steps.end(start, thrown));
    },
    (error) => this.#failed(error),
  );
  #count = 0;
  readonly #budget = new Budget();
  /** What the frontend's dev server answers takes nothing from the budget of the app. */
  readonly #frontendBudget = new Budget();
  #isOn = false;
  #isListening = false;
  #isReported = false;

  constructor(send: SendNews) {
    this.#send = send;
    this.#outbox = new Outbox(send);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  switch(on: boolean): void {
    this.#isOn = on;
  }

  /** Runs what handles a request, and records it, if there are not too many. `order` is that of `fw dev`, if it sent the request. */
  request<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    order: number | undefined,
    handle: () => Result,
  ): Result {
    return this.#record(request, order, (exchange) => exchange.watch(response), handle);
  }

  /** The same for a handshake of a WebSocket. */
  upgrade<Result>(request: IncomingMessage, socket: Duplex, handle: () => Result): Result {
    return this.#record(request, undefined, (exchange) => exchange.watchUpgrade(socket), handle);
  }

  /**
   * Notes what the app writes with `console` from now on, at the request that it belongs to.
   *
   * @returns a function that ends it
   */
  watchConsole(): () => void {
    return watchConsole(
      () => this.#isListening && this.#places.getStore() !== undefined,
      (event, place) => {
        const exchange = this.#places.getStore()?.exchange;
        exchange?.note(() => exchange.steps.log(event, place));
      },
    );
  }

  /** Has the request that runs sent to the supervisor, for the page that answers it; false if it is not recorded. */
  keepForPage(page: string): boolean {
    const exchange = this.#places.getStore()?.exchange;
    if (exchange === undefined) return false;
    exchange.isKept = true;
    exchange.page = page;
    return true;
  }

  /** The request that is handled now is answered by the frontend's dev server. */
  ofFrontend(): void {
    const exchange = this.#places.getStore()?.exchange;
    if (exchange !== undefined) this.#isOfFrontend(exchange);
  }

  /** Notes the error that ends the process at the request that threw it. */
  fatal(error: unknown): void {
    const [only, ...more] = this.#outbox.pending;
    const exchange = this.#places.getStore()?.exchange ?? (more.length === 0 ? only : undefined);
    exchange?.note(() => {
      exchange.fatal = describeError(error);
    });
  }

  /** Sends what there is before the process ends. */
  async flush(): Promise<void> {
    await this.#outbox.flush();
  }

  /** The same in the last moment: what is pending is never answered. */
  flushAtExit(): void {
    this.#outbox.flushAtExit();
  }

  #record<Result>(
    request: IncomingMessage,
    order: number | undefined,
    watch: (exchange: Exchange) => void,
    handle: () => Result,
  ): Result {
    if (order === undefined && !this.#budget.take()) {
      this.#outbox.skipped();
      return handle();
    }
    this.#count += 1;
    const events: ExchangeEvents = {
      ended: (one) => {
        this.#outbox.ended(one);
        if (this.#outbox.isIdle) this.#unlisten();
      },
      failed: (error) => this.#failed(error),
    };
    const exchange = new Exchange(this.#count, request, events, this.#secrets);
    exchange.order = order;
    // A page that a browser opens is recorded for the case that it fails, also while nobody looks.
    exchange.isKept = this.#isOn || order !== undefined;
    exchange.note(() => {
      watch(exchange);
      this.#outbox.began(exchange);
      this.#listen();
      if (isViteTarget(request.url)) this.#isOfFrontend(exchange);
    });
    return this.#places.run({ exchange, depth: 0 }, handle);
  }

  #isOfFrontend(exchange: Exchange): void {
    if (exchange.isOfFrontend || exchange.order !== undefined) return;
    exchange.isOfFrontend = true;
    this.#budget.giveBack();
    if (!this.#frontendBudget.take() && !exchange.isAnnounced) {
      exchange.ignore();
      this.#outbox.ignore(exchange);
    }
  }

  /** Only while a recorded request runs, so that others take the plain path through the framework. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    channel.bindStore(this.#places, this.#enter);
    channel.subscribe(this.#hear);
    this.#outgoing.listen();
  }

  #unlisten(): void {
    this.#isListening = false;
    channel.unsubscribe(this.#hear);
    this.#outgoing.unlisten();
    channel.unbindStore(this.#places);
    // Promises then cost no more than without a recorder.
    this.#places.disable();
  }

  /** The place of what runs inside a step. */
  readonly #enter = (data: unknown): Place | undefined => {
    const message = data as TraceMessage;
    const place = this.#places.getStore();
    if (place === undefined || message.type !== 'start') return place;
    const { exchange, depth } = place;
    exchange.note(() => exchange.steps.begin(message, depth));
    return { exchange, depth: depth + 1 };
  };

  readonly #hear = (data: unknown): void => {
    const message = data as TraceMessage;
    const exchange = this.#places.getStore()?.exchange;
    if (exchange === undefined || message.type === 'start') return;
    exchange.note(() => {
      if (message.type === 'end') exchange.steps.end(message.of, message.thrown);
      else if (message.type === 'secret') exchange.secrets.note(message.value);
      else if (message.type === 'log') exchange.steps.log(message.event);
      else if (message.type === 'calls') exchange.calls = message.calls;
      else if (message.type === 'route') exchange.matched(message.pattern, message.place);
      else exchange.thrown = { error: message.error };
    });
  };

  /** Reported once: the next request would most likely fail in the same way. */
  #failed(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const { title, frames } = describeError(error);
    this.#send({
      fw: 'note',
      text: `a request could not be recorded, please report this: ${title} ${frames[0] ?? ''}`,
    });
  }
}

/** Milliseconds between two batches. */
const INTERVAL = 100;
/** The most records of one batch, if the supervisor was busy; the newest are sent, the others counted. */
const BATCH_SIZE = 300;
/** The most bytes of bodies in one batch. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** How much is sent when the process ends: the channel takes that without waiting. */
const LAST_BYTES = 64 * 1024;

class Outbox {
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
    if (exchange.isKept) this.#schedule();
  }

  /** One that began is not sent. */
  ignore(exchange: Exchange): void {
    this.#pending.delete(exchange);
  }

  ended(exchange: Exchange): void {
    if (!this.#pending.delete(exchange) || !exchange.isKept) return;
    this.#ended.push(exchange);
    if (this.#ended.length > BATCH_SIZE) this.#dropOldest();
    this.#schedule();
  }

  /** Settles when everything was handed over to the channel. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended.length === 0 && this.#skipped === 0) return;
    await new Promise<void>((done) => this.#sendNow(this.#takeBatch(BATCH_BYTES), done));
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
      exchange.note(() => records.push(exchange.raw()));
    }
    return records;
  }

  /**
   * The newest that fit, the oldest first, and those of the frontend in what is left. One that was announced is sent in
   * any case.
   */
  #takeBatch(most: number): RawRecord[] {
    const isFitting = (exchange: Exchange): boolean => {
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
      if (fitting.has(exchange)) exchange.note(() => records.push(exchange.raw()));
      else if (!exchange.isOfFrontend) this.#skipped += 1;
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
