// One request that is recorded: what passes is noted on its way, and nothing of it is changed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TracingEvent } from '../../../../framework/tracing/event.js';
import { inspected } from '../../../../framework/tracing/inspected.js';
import type { SecretPlace } from '../../../../framework/tracing/secrets.js';
import type { CalledProcedure, StepStart } from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { AppError } from '../../../process/messages.js';
import type { RawField, RawLogLine, RawRecord, RawStep } from '../../../process/records.js';
import { RequestSecrets } from './request-secrets.js';
import {
  type Answer,
  CapturedBody,
  type Head,
  parseFields,
  type Watched,
  watchResponse,
} from './response-watch.js';

/** What an exchange tells the recorder. */
export interface ExchangeEvents {
  ended(exchange: Exchange): void;
  /** The recorder itself made a mistake. */
  failed(error: unknown): void;
}

export class Exchange {
  readonly seq: number;
  readonly steps: Steps = new Steps();
  readonly secrets: RequestSecrets;
  /** Undefined unless `fw dev` sent the request. */
  order: number | undefined;
  /** Whether the supervisor knows of it as pending. */
  isAnnounced = false;
  /** Whether the supervisor gets it. */
  isKept = true;
  /** The error page that shows it. */
  page: string | undefined;
  /** Answered by the dev server of the frontend. */
  isOfFrontend = false;
  thrown: { readonly error: unknown } | undefined;
  /** The RPC calls, once they were answered. */
  calls: readonly CalledProcedure[] | undefined;
  /** What ended the process. */
  fatal: AppError | undefined;
  readonly began: number = performance.now();
  readonly #request: IncomingMessage;
  readonly #events: ExchangeEvents;
  readonly #requestBody = new CapturedBody();
  #answer: Answer | undefined;
  #state: RawRecord['state'] = 'pending';
  #ended: number | undefined;
  #isWebSocket = false;
  #route: string | undefined;
  #isOff = false;

  constructor(
    seq: number,
    request: IncomingMessage,
    events: ExchangeEvents,
    places: readonly SecretPlace[] = [],
  ) {
    this.seq = seq;
    this.secrets = new RequestSecrets(places);
    this.#request = request;
    this.#events = events;
  }

  get isPending(): boolean {
    return this.#state === 'pending';
  }

  /** How much memory the bodies take, about. */
  get kept(): number {
    return this.#requestBody.kept + (this.#answer?.body.kept ?? 0);
  }

  /** Notes what passes of a request and its response. */
  watch(response: ServerResponse): void {
    if (hasBody(this.#request)) this.#watchBody();
    this.#answer = watchResponse(this.#request, response, this);
  }

  /** Notes the handshake that is written to the socket of a WebSocket. */
  watchUpgrade(socket: Duplex): void {
    this.#isWebSocket = true;
    this.#answer = watchUpgrade(socket, this);
  }

  /** Runs a part of the recorder: a mistake in it must not reach the app. */
  note(part: () => void): void {
    if (this.#isOff) return;
    try {
      part();
    } catch (error) {
      this.#isOff = true;
      this.#events.failed(error);
    }
  }

  /** Notes nothing from now on. */
  ignore(): void {
    this.#isOff = true;
  }

  matched(pattern: string, place: () => string): void {
    this.#route = pattern;
    this.steps.handlerPlace = place;
  }

  end(state: 'answered' | 'aborted'): void {
    if (!this.isPending) return;
    this.#state = state;
    this.#ended = performance.now();
    this.#events.ended(this);
  }

  raw(): RawRecord {
    const request = this.#request;
    const answer = this.#answer;
    const head = answer?.head();
    const error = this.fatal ?? (this.thrown && describeError(this.thrown.error));
    const secrets = this.secrets.raw();
    const requestBody = this.#requestBody.raw();
    const responseBody = answer?.body.raw();
    return {
      seq: this.seq,
      began: performance.timeOrigin + this.began,
      state: this.#state,
      method: request.method ?? '',
      target: request.url ?? '',
      origin: originOf(request),
      isWebSocket: this.#isWebSocket,
      requestHeaders: pairs(request.rawHeaders),
      responseHeaders: head?.fields ?? [],
      ...this.steps.raw(this.began),
      ...(this.isOfFrontend && { isOfFrontend: true as const }),
      ...(this.order !== undefined && { order: this.order }),
      ...(this.page !== undefined && { page: this.page }),
      ...(head !== undefined && { status: head.status }),
      ...(this.#ended !== undefined && { durationMs: this.#ended - this.began }),
      ...(this.#route !== undefined && { route: this.#route }),
      ...(requestBody !== undefined && { requestBody }),
      ...(responseBody !== undefined && { responseBody }),
      ...(error !== undefined && { error }),
      ...(this.calls !== undefined && { calls: this.calls }),
      ...(secrets !== undefined && { secrets }),
    };
  }

  /** The parser, or the session of HTTP/2, pushes what arrives, whether somebody reads it or not. */
  #watchBody(): void {
    const request = this.#request;
    const push = request.push;
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      this.note(() => this.#requestBody.add(chunk, encoding));
      return push.call(request, chunk, encoding);
    };
  }
}

function hasBody({ httpVersionMajor, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function originOf(request: IncomingMessage): string {
  // A stream of HTTP/2 has no socket any more when it is closed.
  const isEncrypted =
    request.headers[':scheme'] === 'https' || (request.socket as { encrypted?: boolean }).encrypted === true;
  const host = request.headers.host ?? request.headers[':authority'] ?? 'localhost';
  return `${isEncrypted ? 'https' : 'http'}://${host}`;
}

function pairs(raw: readonly string[]): RawField[] {
  const fields: RawField[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    if (!name.startsWith(':')) fields.push([name, raw[index + 1] as string]);
  }
  return fields;
}

/** A longer head is not waited for. */
const LONGEST_HEAD = 32 * 1024;

type Write = (...args: unknown[]) => never;

function watchUpgrade(socket: Duplex, of: Watched): Answer {
  let text = '';
  let head: Head | undefined;
  const write = socket.write as unknown as Write;
  const end = socket.end as unknown as Write;

  const look = (chunk: unknown): void => {
    if (head !== undefined || text.length > LONGEST_HEAD) return;
    if (typeof chunk === 'string') text += chunk;
    else if (chunk instanceof Uint8Array) text += Buffer.from(chunk).toString('latin1');
    const until = text.indexOf('\r\n\r\n');
    if (until === -1) return;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    if (status === undefined) return;
    head = { status: Number(status), fields: parseFields(text.slice(0, until)) };
    unwatch();
    of.end('answered');
  };
  const unwatch = (): void => {
    // Frames pass as they would without a recorder.
    socket.write = write as unknown as typeof socket.write;
    socket.end = end as unknown as typeof socket.end;
  };

  socket.write = function writeRecorded(...args: unknown[]) {
    of.note(() => look(args[0]));
    return write.apply(socket, args);
  } as typeof socket.write;
  socket.end = function endRecorded(...args: unknown[]) {
    of.note(() => look(args[0]));
    return end.apply(socket, args);
  } as typeof socket.end;
  socket.once('close', () => of.end('aborted'));
  return { body: new CapturedBody(), head: () => head };
}

/** A loop over statements must not fill the memory. */
const MOST_STEPS = 500;
const MOST_LINES = 200;
const LONGEST_TEXT = 4000;
const LONGEST_FIELD = 1000;

interface Step {
  readonly start: StepStart;
  readonly began: number;
  readonly depth: number;
  ended?: number;
  thrown?: { readonly error: unknown };
}

class Steps {
  /** Where the route was registered. */
  handlerPlace: (() => string) | undefined;
  readonly #list: Step[] = [];
  readonly #lines: { at: number; event: TracingEvent; place: (() => string) | undefined }[] = [];

  begin(start: StepStart, depth: number): void {
    if (this.#list.length < MOST_STEPS) this.#list.push({ start, depth, began: performance.now() });
  }

  end(start: StepStart, thrown: { readonly error: unknown } | undefined): void {
    // The last one that began is most often the one that ends.
    const step = this.#list.findLast((one) => one.start === start);
    if (step === undefined) return;
    step.ended = performance.now();
    if (thrown !== undefined) step.thrown = thrown;
  }

  log(event: TracingEvent, place?: () => string): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push({ at: performance.now(), event, place });
  }

  /** @param began when the request began, by `performance.now()` */
  raw(began: number): { steps: RawStep[]; log: RawLogLine[] } {
    return {
      steps: this.#list.map((step) => rawStep(step, began, this.handlerPlace)),
      log: this.#lines.map(({ at, event, place }) => ({
        at: at - began,
        level: event.level,
        message: event.message.slice(0, LONGEST_TEXT),
        fields: shownFields({ ...event.span, ...event.fields }),
        ...(place !== undefined && { place: place() }),
      })),
    };
  }
}

function rawStep(
  { start, began: from, depth, ended, thrown }: Step,
  began: number,
  handlerPlace: (() => string) | undefined,
): RawStep {
  const { kind, name, fields } = start;
  const place = kind === 'handler' ? handlerPlace : start.place;
  return {
    kind,
    name: name.slice(0, LONGEST_TEXT),
    start: from - began,
    depth,
    ...(ended !== undefined && { end: ended - began }),
    ...(fields !== undefined && { fields: shownFields(fields) }),
    ...(place !== undefined && { place: place() }),
    ...(thrown !== undefined && { error: describeError(thrown.error).title.slice(0, LONGEST_FIELD) }),
  };
}

function shownFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : inspected(value, true);
    shown[name] = text.slice(0, LONGEST_FIELD);
  }
  return shown;
}
