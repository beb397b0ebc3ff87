// Deno: WebSockets, whose protocol its server speaks, by the few members that are used.
import type { ServedEvents, ServedSocket, ServedUpgrade } from '../../http/upgrade.js';

/** A connection of Deno. */
export interface WebSocketOfDeno extends EventTarget {
  binaryType: string;
  readonly readyState: number;
  /** Bytes that were not written yet. */
  readonly bufferedAmount: number;
  send(message: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
}

/** `Deno.upgradeWebSocket`. */
export type UpgradeOfDeno = (request: Request) => {
  readonly socket: WebSocketOfDeno;
  readonly response: Response;
};

/** As `readyState` has it. */
const OPEN = 1;

/** It writes in a later turn what other systems take at once, so that a little that waits says nothing of the client. */
const TAKEN_AT_ONCE = 65_536;
/** The longest time between two looks at what waits, in milliseconds. */
const LONGEST_LOOK_MS = 16;
/** A client that has left before the response was written is never heard of. */
const OPEN_WITHIN_MS = 10_000;

/** RFC 6455, section 7.1.5: the connection was not closed by a close frame. */
const ABNORMAL = 1006;

/** What ends a connection without a fault of the client, in the texts of errors. */
const LOST = /EOF|os error|closed|No response from ping/i;

export class DenoUpgrade implements ServedUpgrade {
  response: Response | undefined = undefined;
  readonly #request: Request;
  readonly #upgrade: UpgradeOfDeno;

  constructor(request: Request, upgrade: UpgradeOfDeno) {
    this.#request = request;
    this.#upgrade = upgrade;
  }

  serve(
    events: ServedEvents,
    protocol: string,
    fields: readonly (readonly [name: string, value: string])[],
  ): ServedSocket {
    const { socket, response } = this.#upgrade(this.#request);
    for (const [name, value] of fields) response.headers.append(name, value);
    // Deno itself finds a protocol only in a list that has a space behind each comma.
    if (protocol !== '') response.headers.set('Sec-WebSocket-Protocol', protocol);
    this.response = response;
    return new DenoSocket(socket, events);
  }
}

class DenoSocket implements ServedSocket {
  readonly ping = undefined;
  readonly #socket: WebSocketOfDeno;
  readonly #events: ServedEvents;
  /** What is sent before the response 101 is written; undefined afterwards. */
  #held: (string | Uint8Array)[] | undefined = [];
  #heldBytes = 0;
  /** How it was closed before it was open. */
  #closing: (() => void) | undefined = undefined;
  #isOver = false;
  #isLooking = false;
  /** What the server says is wrong with what it has received. */
  #fault = '';

  constructor(socket: WebSocketOfDeno, events: ServedEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = 'arraybuffer';
    const late = setTimeout(() => this.terminate(), OPEN_WITHIN_MS);
    const listen = <Event>(name: string, listener: (event: Event) => void): void =>
      socket.addEventListener(name, (event) => listener(event as Event));
    listen('open', () => {
      clearTimeout(late);
      this.#open();
    });
    listen('message', ({ data }: { data: string | ArrayBuffer }) => {
      if (!this.#isOver) events.message(typeof data === 'string' ? data : Buffer.from(data));
    });
    listen('error', ({ message = '' }: { message?: string }) => {
      if (!LOST.test(message)) this.#fault = message;
    });
    listen('close', ({ code, reason, wasClean }: { code: number; reason: string; wasClean: boolean }) => {
      clearTimeout(late);
      if (wasClean) this.#end(code, reason);
      else this.#end(ABNORMAL, this.#fault);
    });
  }

  get bufferedBytes(): number {
    return Math.max(0, this.#heldBytes + this.#socket.bufferedAmount - TAKEN_AT_ONCE);
  }

  send(message: string | Uint8Array): void {
    if (this.#isOver) return;
    if (this.#held === undefined) this.#write(message);
    else {
      // Its bytes may change in the meantime.
      this.#held.push(typeof message === 'string' ? message : new Uint8Array(message));
      this.#heldBytes += message.length;
    }
    this.#look(0);
  }

  close(code: number, reason: string): void {
    this.#close(() => this.#socket.close(code, reason));
    this.#end(code, reason);
  }

  /** Deno cannot cut a connection; one whose client does not answer is cut by the pings of Deno. */
  terminate(): void {
    this.#close(() => this.#socket.close());
    this.#end(ABNORMAL, '');
  }

  #open(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const message of held) this.#write(message);
    this.#closing?.();
  }

  /** Deno throws if the client has just closed it. */
  #write(message: string | Uint8Array): void {
    if (this.#socket.readyState === OPEN) this.#socket.send(message);
  }

  #close(close: () => void): void {
    if (this.#held === undefined) close();
    else this.#closing ??= close;
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(code, reason);
  }

  /** Deno does not tell when it has written what waited. */
  #look(afterMs: number): void {
    if (this.#isLooking || this.#isOver || this.bufferedBytes === 0) return;
    this.#isLooking = true;
    setTimeout(() => {
      this.#isLooking = false;
      if (this.#isOver) return;
      this.#events.drained();
      this.#look(Math.min(afterMs * 2 + 1, LONGEST_LOOK_MS));
    }, afterMs);
  }
}
