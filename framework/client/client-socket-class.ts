// The client: the text of the class of sockets, and of what its methods share.
import type { ClientKind } from './client-kind.js';
import { socketConnection } from './client-socket-connection.js';
import { socketFrames } from './client-socket-frames.js';
import { socketParts } from './client-socket-parts.js';
import {
  carryComment,
  closeComment,
  emitComment,
  errorComment,
  eventsComment,
  hasRpcMember,
  onComment,
  socketComment,
} from './client-socket-types.js';

/** After the class of the client. */
export function socketClass(kind: ClientKind): string {
  const { hasCarriers } = kind;
  return [
    head,
    `${socketComment}export class FwSocket<Sends extends object, Receives extends object${hasCarriers ? ', Rpc extends boolean = boolean' : ''}> {\n`,
    hasCarriers ? hasRpcMember : '',
    fields,
    hasCarriers ? carriedField : '',
    constructorOf(hasCarriers),
    publicMembers,
    hasCarriers ? carryMethod : '',
    socketConnection,
    socketFrames(hasCarriers),
    '}\n',
    socketParts,
  ].join('');
}

const head = `
interface FwSocketGlobals {
  readonly WebSocket?: FwSocketConstructor;
  btoa(text: string): string;
  queueMicrotask(callback: () => void): void;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  addEventListener?(type: 'online', listener: () => void): void;
  removeEventListener?(type: 'online', listener: () => void): void;
}

const runtime = globalThis as unknown as FwSocketGlobals;

/** The sub-protocol of the frames, which the server selects. */
const FW_EVENTS = 'fw.events';

/** Of so many topics the last ids are kept; the oldest are dropped. */
const MOST_TOPICS = 1_000;

/** So many events wait for a loop. */
const MOST_WAITING = 1_000;

/** A connection is lost if nothing arrived for so many heartbeats of the server. */
const SILENT_HEARTBEATS = 2.5;

/** A connection that lived so long was not one of a row of failures. */
const STABLE_MS = 5_000;

/** The longest wait for a server that restarts (close code 1012). */
const RESTART_MS = 100;

const LONGEST_WAIT_MS = 2 ** 31 - 1;

const NORMAL = 1000;
const CUT = 1006;
const POLICY = 1008;
const RESTART = 1012;

type FwSocketListener = (data: unknown) => void;

${errorComment}export class FwSocketError extends Error {
  override readonly name: string = 'FwSocketError';
  readonly code: number;
  readonly reason: string;

  constructor(message: string, code: number, reason = '', cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

`;

const fields = `  readonly #url: string;
  readonly #options: FwSocketOptions;
  readonly #signals: readonly FwRpcSignal[];
  readonly #listeners = new Map<string, Set<{ readonly listener: FwSocketListener }>>();
  /** The ids of the last messages by topic, the oldest first. */
  readonly #lastIds = new Map<string, string>();
  /** Events that wait for a connection. */
  readonly #queue: string[] = [];
  /** What ends with the socket. */
  readonly #endings = new Set<(error: unknown) => void>();
  #state: FwSocketState = 'connecting';
  #transport: FwSocketTransport | undefined;
  /** Removes the listeners of the transport. */
  #detach: () => void = () => undefined;
  /** Until the next attempt, the server is ready, or it has been silent for too long. */
  #timer: unknown;
  /** Counts the attempts, to tell a late answer from that of the current one. */
  #turn = 0;
  #failures = 0;
  #readyAt: number | undefined;
  #heartbeatMs = 0;
`;

const carriedField = `  readonly #carried = new Map<number, FwSocketSubscription>();
  #nextId = 1;
`;

function constructorOf(hasCarriers: boolean): string {
  return `
  constructor(url: string, ${hasCarriers ? 'hasRpc: Rpc, ' : ''}options: FwSocketOptions = {}, signals: readonly FwRpcSignal[] = []) {
    this.#url = url;
${hasCarriers ? '    this.hasRpc = hasRpc;\n' : ''}    this.#options = options;
    this.#signals = signals;
    if ((options.WebSocket ?? runtime.WebSocket) === undefined) {
      throw new TypeError('there is no global WebSocket; give the option WebSocket, such as that of the package ws');
    }
    if (signals.some((signal) => signal.aborted)) {
      this.#state = 'closed';
      return;
    }
    for (const signal of signals) signal.addEventListener('abort', this.#onAbort);
    runtime.addEventListener?.('online', this.#onOnline);
    void this.#connect();
  }
`;
}

const publicMembers = `
  /** Of the last change that \`onState\` was told. */
  get state(): FwSocketState {
    return this.#state;
  }

${onComment}  on<Event extends keyof Receives & string>(event: Event, listener: (data: Receives[Event]) => void): () => void {
    if (this.#state === 'closed') return () => undefined;
    const entry = { listener: listener as FwSocketListener };
    const entries = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && this.#listeners.get(event) === entries) this.#listeners.delete(event);
    };
  }

${eventsComment}  events<Event extends keyof Receives & string>(event: Event): AsyncGenerator<Receives[Event], void, undefined> {
    const queue = new FwSocketQueue<Receives[Event]>();
    const remove = this.on(event, (data) => {
      queue.push(data);
    });
    const ending = (error: unknown): void => {
      queue.end(error);
    };
    if (this.#state === 'closed') queue.end();
    else this.#endings.add(ending);
    return queue.loop(() => {
      remove();
      this.#endings.delete(ending);
    });
  }

${emitComment}  emit<Event extends keyof Sends & string>(event: Event, ...rest: FwSocketData<Sends[Event]>): boolean {
    const [data] = rest;
    const text = JSON.stringify({ event, data });
    if (this.#state === 'closed') return false;
    if (this.#isOpen()) {
      this.#transport?.send(text);
      return true;
    }
    const { maxQueued = 100 } = this.#options;
    if (this.#queue.length >= maxQueued) return false;
    this.#queue.push(text);
    return true;
  }

${closeComment}  close(code: number = NORMAL, reason = ''): void {
    if (this.#state === 'closed') return;
    // Throws if the code or the reason cannot be sent.
    this.#transport?.close(code, reason);
    this.#finish(undefined);
  }
`;

const carryMethod = `
${carryComment}  carry(subscription: FwSocketSubscription): () => void {
    if (this.#state === 'closed') {
      subscription.onState('closed', new FwSocketError(\`the socket to \${this.#url} is closed\`, CUT));
      return () => undefined;
    }
    const id = this.#nextId++;
    this.#carried.set(id, subscription);
    if (this.#isOpen()) this.#subscribe(id, subscription);
    return () => {
      if (this.#carried.delete(id) && this.#isOpen()) this.#send({ unsubscribe: { id } });
    };
  }

  #subscribe(id: number, subscription: FwSocketSubscription): void {
    const { method, params, lastEventId } = subscription;
    this.#send({ subscribe: { id, method, params, lastEventId } });
    subscription.onState('open');
  }
`;
