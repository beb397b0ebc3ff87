// Records the requests that the app answers, and the jobs that it does without one, while somebody looks at them, and
// sends them to the supervisor.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TraceMessage } from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { WorkerNews } from '../../../process/messages.js';
import { Budget, isViteTarget } from './budget.js';
import { watchConsole } from './console-lines.js';
import { Exchange, type ExchangeEvents } from './exchange.js';
import { Job, type JobEvents } from './job.js';
import { MessageOutbox } from './message-outbox.js';
import { OutgoingCalls } from './outgoing-calls.js';
import { RecordOutbox } from './record-outbox.js';
import type { Recorded } from './recorded.js';
import { hearSecretPlaces } from './request-secrets.js';
import { watchMails } from './sent-mails.js';
import { SocketWatch } from './socket-watch.js';
import { TrafficMeter } from './traffic-meter.js';
import { UnrecordedRequests } from './unrecorded-requests.js';

/** Where in a request or a job code runs. */
interface Place {
  readonly of: Recorded;
  /** How many steps are around it. */
  readonly depth: number;
  /** The step that is directly around it, by its place in the list. */
  readonly parent?: number | undefined;
}

/** A request, and how it is watched. */
interface Begun {
  readonly request: IncomingMessage;
  /** Or the socket of a handshake. */
  readonly response: ServerResponse | Duplex;
  readonly order: number | undefined;
  watch(exchange: Exchange): void;
}

/** Sends a message; `done` is called when it was handed over. */
export type SendNews = (message: WorkerNews, done?: () => void) => void;

const channel = diagnostics.channel('fw:trace');
const OUTERMOST = 'fw:outermost-span';

export class Recorder {
  readonly meter: TrafficMeter;
  readonly #send: SendNews;
  readonly #outbox: RecordOutbox;
  readonly #messages: MessageOutbox;
  readonly #sockets: SocketWatch;
  readonly #secrets = hearSecretPlaces();
  readonly #places = new AsyncLocalStorage<Place | undefined>();
  readonly #outgoing = new OutgoingCalls(
    (start) => {
      const place = this.#places.getStore();
      if (place === undefined) return undefined;
      const { of, depth, parent } = place;
      of.note(() => of.steps.begin(start, depth, parent));
      return (thrown) => of.note(() => of.steps.end(start, thrown));
    },
    (error) => this.#failed(error),
  );
  #count = 0;
  readonly #budget = new Budget();
  /** What the frontend's dev server answers takes nothing from the budget of the app. */
  readonly #frontendBudget = new Budget();
  /** Nor do many jobs take anything from it. */
  readonly #jobBudget = new Budget();
  readonly #unrecorded: UnrecordedRequests;
  /** The job of the span that begins now. */
  #beginning: Job | undefined;
  /** The last one that failed: what it threw may end the process. */
  #failedJob: Job | undefined;
  #isOn = false;
  #isListening = false;
  #isReported = false;

  /** @param running the responses of HTTP/1 that the app makes now, also those that began before the recording */
  constructor(send: SendNews, running: () => Iterable<ServerResponse> = () => []) {
    this.#send = send;
    this.#unrecorded = new UnrecordedRequests(running);
    this.meter = new TrafficMeter(send);
    this.#outbox = new RecordOutbox(send);
    this.#messages = new MessageOutbox(send);
    this.#sockets = new SocketWatch(this.#messages);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  switch(on: boolean): void {
    if (on && !this.#isOn) diagnostics.subscribe(OUTERMOST, this.#spanBegins);
    else if (!on) diagnostics.unsubscribe(OUTERMOST, this.#spanBegins);
    this.#isOn = on;
    this.meter.switch(on);
    if (!on) this.#sockets.stop();
  }

  /** Runs what handles a request, and records it, if there are not too many. `order` is that of `fw dev`, if it sent the request. */
  request<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    order: number | undefined,
    handle: () => Result,
  ): Result {
    const watch = (exchange: Exchange): void => {
      this.#unrecorded.recorded(response);
      exchange.watch(response);
    };
    return this.#record({ request, response, order, watch }, handle);
  }

  /** The same for a handshake of a WebSocket. */
  upgrade<Result>(request: IncomingMessage, socket: Duplex, handle: () => Result): Result {
    const watch = (exchange: Exchange): void => this.#upgrade(exchange, socket);
    return this.#record({ request, response: socket, order: undefined, watch }, handle);
  }

  #upgrade(exchange: Exchange, socket: Duplex): void {
    exchange.watchUpgrade(socket);
    this.#sockets.follow(socket, exchange);
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
        const of = this.#places.getStore()?.of;
        of?.note(() => of.steps.log(event, place));
      },
    );
  }

  /** Tells of the mails that the app sends, also while nobody looks. */
  watchMails(): void {
    watchMails(this.#send, () => {
      const of = this.#places.getStore()?.of;
      // The page leads from the mail to what has sent it.
      if (of instanceof Exchange) of.isKept = true;
      return of?.seq;
    });
  }

  /** Has the request that runs sent to the supervisor, for the page that answers it; false if it is not recorded. */
  keepForPage(page: string): boolean {
    const exchange = this.#places.getStore()?.of;
    if (!(exchange instanceof Exchange)) return false;
    exchange.isKept = true;
    exchange.page = page;
    return true;
  }

  /** The request that is handled now, for this target, is answered by the frontend's dev server. */
  ofFrontend(target: string): void {
    this.meter.ofFrontend(target);
    const exchange = this.#places.getStore()?.of;
    if (exchange instanceof Exchange) this.#isOfFrontend(exchange);
  }

  /** Notes the error that ends the process at the request or the job that threw it. */
  fatal(error: unknown): void {
    const [only, ...more] = [...this.#outbox.pending].filter((one) => one instanceof Exchange);
    const job = this.#failedJob?.thrown?.error === error ? this.#failedJob : undefined;
    const of = job ?? this.#places.getStore()?.of ?? (more.length === 0 ? only : undefined);
    of?.note(() => {
      of.fatal = describeError(error);
    });
  }

  /** Sends what was recorded until now. */
  async catchUp(): Promise<void> {
    await this.#outbox.flush();
    await this.#messages.flush();
  }

  /** Sends what there is before the process ends. */
  async flush(): Promise<void> {
    await this.catchUp();
    await new Promise<void>((done) => this.meter.flush(done));
  }

  /** The same in the last moment: what is pending is never answered. */
  flushAtExit(): void {
    this.#outbox.flushAtExit();
    this.meter.flush();
  }

  #record<Result>({ request, response, order, watch }: Begun, handle: () => Result): Result {
    if (order === undefined && !this.#budget.take()) {
      this.#outbox.skipped();
      this.#unrecorded.skipped(request, response);
      return handle();
    }
    this.#count += 1;
    const events: ExchangeEvents = {
      ended: (one) => this.#ended(one),
      messages: (one, log) => this.#messages.has(one, log),
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
    return this.#places.run({ of: exchange, depth: 0 }, handle);
  }

  #ended(one: Recorded): void {
    this.#outbox.ended(one);
    if (this.#outbox.isIdle) this.#unlisten();
  }

  /**
   * A span begins outside of all others: it is a job, unless a request is not answered yet that it belongs to. A request
   * that is not recorded leaves no trace in its async context, which would cost time under load: while one runs, no job
   * begins.
   */
  readonly #spanBegins = (): void => {
    try {
      const of = this.#places.getStore()?.of;
      if (of?.isPending === true || (of === undefined && this.#unrecorded.areRunning)) return;
      if (this.#jobBudget.take()) this.#beginJob();
      else this.#outbox.skipped();
    } catch (error) {
      this.#failed(error);
    }
  };

  /** The span that begins now is a job. */
  #beginJob(): void {
    this.#count += 1;
    const events: JobEvents = {
      ended: (one) => {
        if (one.thrown !== undefined) this.#failedJob = one;
        this.#ended(one);
      },
      failed: (error) => this.#failed(error),
    };
    const job = new Job(this.#count, events, this.#secrets);
    job.note(() => {
      this.#outbox.began(job);
      this.#listen();
      this.#beginning = job;
    });
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

  /** Only while a recorded request or job runs, so that others take the plain path through the framework. */
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
    const job = this.#beginning;
    let parent: number | undefined;
    if (job !== undefined && message.type === 'start') {
      this.#beginning = undefined;
      job.note(() => {
        parent = job.begin(message);
      });
      return { of: job, depth: 1, parent };
    }
    if (place === undefined || message.type !== 'start') return place;
    const { of, depth } = place;
    of.note(() => {
      parent = of.steps.begin(message, depth, place.parent);
    });
    return { of, depth: depth + 1, parent };
  };

  readonly #hear = (data: unknown): void => {
    const message = data as TraceMessage;
    const of = this.#places.getStore()?.of;
    if (message.type !== 'start') of?.note(() => of.hear(message));
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
