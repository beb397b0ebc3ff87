// One request that is recorded: what passes is noted on its way, and nothing of it is changed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecretPlace } from '../../../../framework/tracing/secrets.js';
import type {
  AnsweredError,
  CalledProcedure,
  TraceMessage,
} from '../../../../framework/tracing/trace-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { AppError } from '../../../process/messages.js';
import type { RawCallError, RawField, RawRecord } from '../../../process/records.js';
import { MessageLog, type NotedMessage } from './message-log.js';
import type { Recorded } from './recorded.js';
import { RequestSecrets } from './request-secrets.js';
import {
  type Answer,
  CapturedBody,
  type Head,
  parseFields,
  type Watched,
  watchResponse,
} from './response-watch.js';
import { Steps } from './steps.js';

/** What an exchange tells the recorder. */
export interface ExchangeEvents {
  ended(exchange: Exchange): void;
  /** There is a message that the supervisor does not know of. */
  messages(exchange: Exchange, log: MessageLog): void;
  /** The recorder itself made a mistake. */
  failed(error: unknown): void;
}

/** Errors of more calls of a batch are not kept. */
const MOST_CALL_ERRORS = 20;

export class Exchange implements Recorded {
  readonly seq: number;
  readonly steps: Steps = new Steps();
  readonly secrets: RequestSecrets;
  /** Undefined unless `fw dev` sent the request. */
  order: number | undefined;
  isAnnounced = false;
  fate: Recorded['fate'] = 'waiting';
  isKept = true;
  /** The error page that shows it. */
  page: string | undefined;
  isOfFrontend = false;
  /** What was answered as an error; of several calls, the one with the highest status. */
  thrown: { readonly error: unknown; readonly status: number } | undefined;
  readonly #callErrors: AnsweredError[] = [];
  /** The RPC calls, once they were answered. */
  calls: readonly CalledProcedure[] | undefined;
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
  #log: MessageLog | undefined;

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
    this.fate = 'dropped';
  }

  /** A server-sent event of the response. */
  streamed(event: NotedMessage): void {
    this.#log ??= new MessageLog(this.began);
    this.#log.add(event);
    this.#events.messages(this, this.#log);
  }

  hear(message: TraceMessage): void {
    if (message.type === 'end') this.steps.end(message.of, message.thrown);
    else if (message.type === 'secret') this.secrets.note(message.value);
    else if (message.type === 'log') this.steps.log(message.event);
    else if (message.type === 'calls') this.calls = message.calls;
    else if (message.type === 'route') {
      this.#route = message.pattern;
      this.steps.handlerPlace = message.place;
    } else this.#hearError(message);
  }

  #hearError(message: TraceMessage): void {
    if (message.type !== 'error') return;
    if (message.status >= (this.thrown?.status ?? 0)) this.thrown = message;
    if (message.call !== undefined && this.#callErrors.length < MOST_CALL_ERRORS)
      this.#callErrors.push(message);
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
    const callErrors = this.#callErrors.map(rawCallError);
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
      ...(callErrors.length > 0 && { callErrors }),
      ...(this.fatal !== undefined && { isFatal: true as const }),
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

function rawCallError({ error, call }: AnsweredError): RawCallError {
  const { procedure = '', outcome = '' } = call ?? {};
  return { procedure, outcome, error: describeError(error) };
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
