// Testing: a WebSocket whose messages a test awaits one by one.
import type { WebSocket } from 'ws';
import type { WebSocketRoute } from '../../extract/socket-route.js';
import { EVENTS_PROTOCOL } from '../../websocket/handshake.js';
import { Arrivals, type Arrived } from './arrivals.js';

/** How many topics a generated client resumes. */
const MOST_TOPICS = 1_000;

/**
 * A connected WebSocket, as `connectWebSocket` returns it. Close it at the end of the test, or declare it with
 * `await using`. Messages wait until the test takes them.
 */
export class TestWebSocket<
  FromServer extends object = UntypedEvents,
  FromClient extends object = UntypedEvents,
> implements AsyncDisposable
{
  readonly #ws: WebSocket;
  readonly #arrivals: Arrivals;
  readonly #timeoutMs: number;
  readonly #release: () => Promise<void>;
  readonly #lastIds = new Map<string, string>();
  #setReady: (() => void) | undefined;
  readonly #ready: Promise<true>;
  /** Resolves with code and reason when the connection has closed. */
  readonly closed: Promise<TestSocketClose>;

  /** @internal */
  constructor(ws: WebSocket, name: string, timeoutMs: number, release: () => Promise<void>) {
    this.#ws = ws;
    this.#timeoutMs = timeoutMs;
    this.#release = release;
    this.#arrivals = new Arrivals(name, timeoutMs);
    ws.on('message', (data: Buffer, isBinary) => this.#receive(isBinary ? new Uint8Array(data) : `${data}`));
    // The close code says it.
    ws.on('error', () => {});
    this.#ready = new Promise((resolve) => {
      this.#setReady = () => resolve(true);
    });
    this.closed = new Promise((resolve) => {
      ws.once('close', (code, bytes) => {
        const reason = bytes.toString();
        this.#arrivals.end(`the connection was closed with ${shownClose({ code, reason })}`);
        resolve({ code, reason });
        // A failure to close the server reaches the test through close().
        release().catch(() => {});
      });
    });
  }

  /** The sub-protocol that the server has selected; empty if there is none. */
  get protocol(): string {
    return this.#ws.protocol;
  }

  /** False once the connection is closing or closed. */
  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** The last id of each topic with a history: the option `resume` for the next connection. */
  get lastIds(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#lastIds);
  }

  /** Resolves when the server has told a client of `fw.events` that it is connected. @internal */
  async whenReady(): Promise<void> {
    const failure = this.#arrivals.failure("'ready' after onOpen", this.whenReady);
    if ((await this.#inTime(Promise.race([this.#ready, this.closed]))) !== true) throw failure();
  }

  /** Sends a text or bytes as one message. @throws Error if the connection is closed. */
  send(message: string | Uint8Array): void {
    if (!this.isOpen) throw this.#arrivals.failure('an open connection to send on', this.send)();
    this.#ws.send(message);
  }

  /** Sends a value as JSON text. */
  sendJson(value: unknown): void {
    this.send(JSON.stringify(value));
  }

  /** Sends an event. */
  emit<Event extends keyof FromClient & string>(
    event: Event,
    ...[data]: EventArguments<FromClient[Event]>
  ): void {
    this.sendJson({ event, data });
  }

  /** The next message, which must be a text. @throws AssertionError that shows what has come instead. */
  nextText(): Promise<string> {
    return this.#arrivals.next('a text', first(isText), this.nextText);
  }

  /** The next message, which must be bytes. @throws AssertionError that shows what has come instead. */
  nextBytes(): Promise<Uint8Array> {
    return this.#arrivals.next('bytes', first(isBytes), this.nextBytes);
  }

  /**
   * The next message, which must be JSON; its type is not checked.
   *
   * @throws AssertionError that shows what has come instead.
   */
  nextJson<T = unknown>(): Promise<T> {
    const take = (messages: Arrived[]) => {
      const [message] = messages;
      if (message === undefined) return undefined;
      const value = JSON.parse(message as string) as T;
      messages.shift();
      return { value };
    };
    return this.#arrivals.next('a JSON text', take, this.nextJson);
  }

  /** The data of the next event of this name; events of other names stay. @throws AssertionError */
  nextEvent<Event extends keyof FromServer & string>(name: Event): Promise<FromServer[Event]>;
  /** The next event. @throws AssertionError */
  nextEvent(): Promise<TestSocketEvent<FromServer>>;
  async nextEvent(name?: string): Promise<unknown> {
    const wanted = name === undefined ? 'an event' : `the event '${name}'`;
    const isWanted = ({ event }: Frame) => (name === undefined ? typeof event === 'string' : event === name);
    const frame = await this.#arrivals.next(wanted, frameThat(isWanted), this.nextEvent);
    return name === undefined ? frame : frame.data;
  }

  /** The next refusal of an event that this client has sent. @throws AssertionError */
  async nextRefusal(): Promise<TestSocketRefusal> {
    const isRefusal = ({ failed }: Frame) => failed !== undefined;
    const frame = await this.#arrivals.next('a refused event', frameThat(isRefusal), this.nextRefusal);
    return frame.failed as TestSocketRefusal;
  }

  /**
   * Resolves when the server has read everything that was sent before, and everything has arrived that it has sent
   * until then. Asynchronous handlers may still be at work.
   *
   * @throws AssertionError if the server does not answer.
   */
  async roundTrip(): Promise<void> {
    const failure = this.#arrivals.failure('the answer to a ping', this.roundTrip);
    // The second one is read in a later turn of the server: channels write at the end of a turn.
    for (const payload of ['1', '2']) {
      const answered = new Promise<true>((resolve) => {
        this.#ws.once('pong', () => resolve(true));
      });
      if (this.isOpen) this.#ws.ping(payload);
      if ((await this.#inTime(Promise.race([answered, this.closed.then(() => false)]))) !== true)
        throw failure();
    }
  }

  /**
   * Checks that no message waits and that none is on its way, by a round trip to the server instead of a sleep. What
   * asynchronous handlers send later is not seen.
   *
   * @throws AssertionError that shows the messages.
   */
  async assertNothing(): Promise<void> {
    const failure = this.#arrivals.failure('no message', this.assertNothing);
    if (this.isOpen) await this.roundTrip();
    if (!this.#arrivals.isEmpty) throw failure();
  }

  /** Waits until the connection is closed, and checks code and reason. @throws AssertionError */
  async assertClosed(code?: number, reason?: string | RegExp): Promise<TestSocketClose> {
    const wanted = `the connection to be closed${code === undefined ? '' : ` with ${code}`}`;
    const whole = reason === undefined ? wanted : `${wanted} ${shownReason(reason)}`;
    const got = { actual: undefined as unknown, expected: { code, reason } };
    const failure = this.#arrivals.failure(whole, this.assertClosed, got);
    const closed = await this.#inTime(this.closed);
    got.actual = closed;
    if (closed === undefined) throw failure();
    const fits = reason instanceof RegExp ? reason.test(closed.reason) : closed.reason === reason;
    if ((code !== undefined && closed.code !== code) || (reason !== undefined && !fits)) throw failure();
    return closed;
  }

  /** Closes the connection, and the server if it was started for it. May be called several times. */
  async close(code: number = 1000, reason: string = ''): Promise<void> {
    this.#ws.close(code, reason);
    await this.closed;
    await this.#release();
  }

  /** Cuts the connection without a close frame, as a client that has lost its network. */
  async terminate(): Promise<void> {
    this.#ws.terminate();
    await this.closed;
    await this.#release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Undefined if it takes longer than the time-out. */
  async #inTime<T>(result: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#timeoutMs, undefined);
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the protocol of generated clients sends for itself is not a message, for them and for tests. */
  #receive(message: Arrived): void {
    const frame = this.protocol === EVENTS_PROTOCOL ? frameOf(message) : undefined;
    if (frame !== undefined) {
      const { ready, event, position, missed } = frame;
      if (ready !== undefined) this.#setReady?.();
      else if (typeof event === 'string') this.#keep(frame);
      else if (isFrame(position)) this.#keep(position);
      else if (isFrame(missed)) this.#keep(missed, true);
      // A heartbeat has no members.
      if (ready !== undefined || isFrame(position) || Object.keys(frame).length === 0) return;
    }
    this.#arrivals.add(message);
  }

  /** Keeps the place in a topic, in the order and up to the number that generated clients do. */
  #keep({ topic, id }: Frame, isMissed = false): void {
    if (typeof topic !== 'string') return;
    if (isMissed || typeof id === 'string') this.#lastIds.delete(topic);
    if (typeof id !== 'string') return;
    this.#lastIds.set(topic, id);
    const [oldest] = this.#lastIds.keys();
    if (this.#lastIds.size > MOST_TOPICS && oldest !== undefined) this.#lastIds.delete(oldest);
  }
}

type Known<Events extends object> = keyof Events extends never ? UntypedEvents : Events;

/** The TestWebSocket for a WebSocket that `websocket` has made. */
export type TestWebSocketOf<Route> =
  Route extends WebSocketRoute<never, infer FromClient, infer FromServer>
    ? TestWebSocket<Known<FromServer>, Known<FromClient>>
    : never;

function shownClose({ code, reason }: TestSocketClose): string {
  return reason === '' ? String(code) : `${code} ${shownReason(reason)}`;
}

function shownReason(reason: string | RegExp): string {
  return typeof reason === 'string' ? JSON.stringify(reason) : String(reason);
}

/** A message as a JSON object. */
interface Frame {
  readonly [member: string]: unknown;
}

function isText(message: Arrived): message is string {
  return typeof message === 'string';
}

function isBytes(message: Arrived): message is Uint8Array {
  return typeof message !== 'string';
}

/** Takes the first message. Throws if it is of the other kind. */
function first<T extends Arrived>(
  isWanted: (message: Arrived) => message is T,
): (messages: Arrived[]) => { value: T } | undefined {
  return (messages: Arrived[]): { value: T } | undefined => {
    const [message] = messages;
    if (message === undefined) return undefined;
    if (!isWanted(message)) throw new Error('the message is of the other kind');
    messages.shift();
    return { value: message };
  };
}

/** Takes the first frame that fits. */
function frameThat(
  isWanted: (frame: Frame) => boolean,
): (messages: Arrived[]) => { value: Frame } | undefined {
  return (messages: Arrived[]): { value: Frame } | undefined => {
    for (const [at, message] of messages.entries()) {
      const value = frameOf(message);
      if (value === undefined || !isWanted(value)) continue;
      messages.splice(at, 1);
      return { value };
    }
    return undefined;
  };
}

/** The JSON object of a message; undefined if it is none. */
function frameOf(message: Arrived): Frame | undefined {
  try {
    const value: unknown = JSON.parse(message as string);
    return isFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null;
}

/** Events of any name, whose data is not known. */
// biome-ignore lint/suspicious/noExplicitAny: data without a declared type, as of JSON.parse
export type UntypedEvents = Record<string, any>;

/** Data that may be undefined can be left out. */
type EventArguments<Data> = undefined extends Data ? [data?: Data] : [data: Data];

/** An event that was received; `topic` and `id` are those of a topic with a history. */
export type TestSocketEvent<Events extends object> = {
  [Event in keyof Events & string]: {
    readonly event: Event;
    readonly data: Events[Event];
    readonly topic?: string;
    readonly id?: string;
  };
}[keyof Events & string];

/** An event that the server has refused. */
export interface TestSocketRefusal {
  readonly event: string;
  readonly message: string;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** How a connection was closed; code 1006 if it was cut. */
export interface TestSocketClose {
  readonly code: number;
  readonly reason: string;
}
