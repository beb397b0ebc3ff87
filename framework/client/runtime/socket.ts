// The client: a socket, with its listeners, its loops and what waits to be sent.
import type { FwRpcSignal } from './signals.js';
import { FwSocketLink } from './socket-link.js';
import {
  type FwSocketData,
  type FwSocketFrame,
  type FwSocketOptions,
  type FwSocketRefusal,
  type FwSocketState,
  guarded,
  isFrame,
} from './socket-types.js';

/** So many events wait for a loop. */
const MOST_WAITING = 1_000;

/** Values that wait for a loop. */
export class FwSocketQueue<Value> {
  readonly #values: Value[] = [];
  #ended: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  push(value: Value): void {
    if (this.#ended !== undefined) return;
    if (this.#values.length < MOST_WAITING) this.#values.push(value);
    else this.end(new Error(`more than ${String(MOST_WAITING)} events wait for this loop; take them faster`));
    this.#wake();
  }

  /** The loop gets the values that wait, and ends then; with the error, if there is one. */
  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wake();
  }

  /** Likewise, without the values. */
  abort(error: unknown): void {
    this.#values.length = 0;
    this.end(error);
  }

  /** @param leave is called once the loop is left; also if it never began */
  loop(leave: () => void): AsyncGenerator<Value, void, undefined> {
    const values = this.#take(leave);
    const finish = values.return.bind(values);
    // The generator alone would end only after the value that it waits for.
    values.return = async (value) => {
      this.end();
      leave();
      return await finish(value);
    };
    return values;
  }

  async *#take(leave: () => void): AsyncGenerator<Value, void, undefined> {
    try {
      for (;;) {
        while (this.#values.length > 0) yield this.#values.shift() as Value;
        if (this.#ended !== undefined) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#ended.error !== undefined) throw this.#ended.error as Error;
    } finally {
      leave();
    }
  }
}

/** Of so many topics the last ids are kept; the oldest are dropped. */
const MOST_TOPICS = 1_000;

type FwSocketListener = (data: unknown) => void;

/** The connection of a socket. */
export interface FwSocketWire {
  readonly url: string;
  readonly state: FwSocketState;
  /** Whether something can be sent. */
  readonly isOpen: boolean;
  send(frame: object): void;
}

/** What else travels over it. */
export interface FwSocketCargo {
  /** The server is ready. */
  begin(): void;
  receive(frame: FwSocketFrame): void;
  tell(state: FwSocketState, reason: unknown): void;
}

/** A connection with typed events in both directions, which is made again when it is lost. */
export class FwSocket<Sends extends object, Receives extends object> {
  readonly #link: FwSocketLink;
  readonly #options: FwSocketOptions;
  readonly #cargo: FwSocketCargo | undefined;
  readonly #listeners = new Map<string, Set<{ readonly listener: FwSocketListener }>>();
  /** The ids of the last messages by topic, the oldest first. */
  readonly #lastIds = new Map<string, string>();
  /** Events that wait for a connection. */
  readonly #queue: string[] = [];
  /** What ends with the socket. */
  readonly #endings = new Set<(error: unknown) => void>();

  constructor(
    url: string,
    options: FwSocketOptions = {},
    signals: readonly FwRpcSignal[] = [],
    attach?: (wire: FwSocketWire) => FwSocketCargo,
  ) {
    this.#options = options;
    this.#link = new FwSocketLink(url, options, signals, {
      resume: () => ({ resume: Object.fromEntries(this.#lastIds) }),
      begin: () => {
        for (const text of this.#queue.splice(0)) this.#link.sendText(text);
        this.#cargo?.begin();
      },
      receive: (frame) => {
        this.#receive(frame);
        this.#cargo?.receive(frame);
      },
      tell: (state, reason) => {
        this.#cargo?.tell(state, reason);
        guarded(() => {
          options.onState?.(state, reason);
        });
      },
      end: (error) => {
        this.#listeners.clear();
        this.#lastIds.clear();
        this.#queue.length = 0;
        for (const ending of this.#endings) ending(error);
        this.#endings.clear();
      },
    });
    this.#cargo = attach?.(this.#link);
    this.#link.open();
  }

  /** Of the last change that `onState` was told. */
  get state(): FwSocketState {
    return this.#link.state;
  }

  /** Calls the listener with each event of the name. Returns a function that removes it. */
  on<Event extends keyof Receives & string>(
    event: Event,
    listener: (data: Receives[Event]) => void,
  ): () => void {
    if (this.state === 'closed') return () => undefined;
    const entry = { listener: listener as FwSocketListener };
    const entries = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && this.#listeners.get(event) === entries) this.#listeners.delete(event);
    };
  }

  /**
   * The events of the name, for a loop, from now on. The loop ends with the socket, and fails if that was closed by the
   * server or has given up, or if more than 1,000 events wait for the loop.
   */
  events<Event extends keyof Receives & string>(
    event: Event,
  ): AsyncGenerator<Receives[Event], void, undefined> {
    const queue = new FwSocketQueue<Receives[Event]>();
    const remove = this.on(event, (data) => {
      queue.push(data);
    });
    const ending = (error: unknown): void => {
      queue.end(error);
    };
    if (this.state === 'closed') queue.end();
    else this.#endings.add(ending);
    return queue.loop(() => {
      remove();
      this.#endings.delete(ending);
    });
  }

  /**
   * Sends an event. While there is no connection it waits for the next one. Returns false if it is not sent: the socket
   * is closed, or `maxQueued` events wait already.
   */
  emit<Event extends keyof Sends & string>(event: Event, ...rest: FwSocketData<Sends[Event]>): boolean {
    const [data] = rest;
    const text = JSON.stringify({ event, data });
    if (this.state === 'closed') return false;
    if (this.#link.isOpen) {
      this.#link.sendText(text);
      return true;
    }
    const { maxQueued = 100 } = this.#options;
    if (this.#queue.length >= maxQueued) return false;
    this.#queue.push(text);
    return true;
  }

  /** Closes the socket, for good. @param code 1000, or one from 3000 to 4999 */
  close(code = 1000, reason = ''): void {
    this.#link.close(code, reason);
  }

  #receive(frame: FwSocketFrame): void {
    const { event, position, missed, failed } = frame;
    if (typeof event === 'string') this.#deliver(event, frame);
    else if (isFrame(position)) this.#keep(position);
    else if (isFrame(missed)) this.#miss(missed);
    else if (isFrame(failed)) this.#refuse(failed);
  }

  #deliver(event: string, frame: FwSocketFrame): void {
    const { data } = frame;
    this.#keep(frame);
    for (const { listener } of [...(this.#listeners.get(event) ?? [])]) {
      guarded(() => {
        listener(data);
      });
    }
  }

  /** Keeps the place in a topic, from which the next connection continues. */
  #keep({ topic, id }: FwSocketFrame): void {
    if (typeof topic !== 'string' || typeof id !== 'string') return;
    // Behind all others, so that the first is the oldest.
    this.#lastIds.delete(topic);
    this.#lastIds.set(topic, id);
    const [oldest] = this.#lastIds.keys();
    if (this.#lastIds.size > MOST_TOPICS && oldest !== undefined) this.#lastIds.delete(oldest);
  }

  #miss(missed: FwSocketFrame): void {
    const { topic } = missed;
    if (typeof topic !== 'string') return;
    this.#lastIds.delete(topic);
    this.#keep(missed);
    guarded(() => {
      this.#options.onMissed?.(topic);
    });
  }

  #refuse({ event, message, issues }: FwSocketFrame): void {
    const refusal: FwSocketRefusal = {
      event: typeof event === 'string' ? event : '',
      message: typeof message === 'string' ? message : 'the server did not take the event',
      issues: Array.isArray(issues) ? (issues as FwSocketRefusal['issues']) : [],
    };
    guarded(() => {
      this.#options.onRefused?.(refusal);
    });
  }
}
