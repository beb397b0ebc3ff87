// The client: subscriptions that travel over a socket.
import type { FwRpcProcedure } from './calls.js';
import type { FwRpcArguments, FwRpcCaller, FwRpcConnection } from './define-client.js';
import type { FwRpcStreamOptions, FwRpcStreamProtocol } from './event-stream.js';
import { abortReason, type FwRpcSignal } from './signals.js';
import { FwSocket, type FwSocketCargo, FwSocketQueue, type FwSocketWire } from './socket.js';
import {
  FwSocketError,
  type FwSocketFrame,
  type FwSocketOptions,
  type FwSocketState,
  guarded,
  isFrame,
  SOCKET_CUT,
} from './socket-types.js';
import type { FwSocketOpener } from './sockets.js';
import { type FwRpcStreamedOptions, streamSubscription } from './subscriptions.js';

/** A subscription that a socket carries. */
export interface FwSocketSubscription {
  readonly method: string;
  readonly params: unknown;
  lastEventId: string | undefined;
  onData(data: unknown): void;
  /** Without an error, the subscription is done. */
  onEnd(failure?: { readonly error: unknown }): void;
  onState(state: 'open' | 'lost' | 'closed', reason?: unknown): void;
}

/** A socket that carries subscriptions. */
export interface FwSocketCarrier {
  /** Of the client itself. Returns a function that ends the subscription. */
  carry(subscription: FwSocketSubscription): () => void;
}

export interface FwRpcCarriedOptions extends FwRpcStreamedOptions {
  /** An open socket that carries the subscription, instead of a request of its own. */
  socket?: FwSocketCarrier | undefined;
}

export interface FwRpcCarrierOptions<Client> extends FwRpcStreamOptions {
  /** Carries every subscription that has no socket of its own; a function is asked for each of them, with the client. */
  socket?: FwSocketCarrier | ((client: Client) => FwSocketCarrier | undefined) | undefined;
}

/** The subscriptions that travel over one socket. */
class FwSocketSubscriptions implements FwSocketCargo {
  readonly #wire: FwSocketWire;
  readonly #carried = new Map<number, FwSocketSubscription>();
  #nextId = 1;

  constructor(wire: FwSocketWire) {
    this.#wire = wire;
  }

  carry(subscription: FwSocketSubscription): () => void {
    const { state, url } = this.#wire;
    if (state === 'closed') {
      subscription.onState('closed', new FwSocketError(`the socket to ${url} is closed`, SOCKET_CUT));
      return () => undefined;
    }
    const id = this.#nextId++;
    this.#carried.set(id, subscription);
    if (this.#wire.isOpen) this.#subscribe(id, subscription);
    return () => {
      if (this.#carried.delete(id) && this.#wire.isOpen) this.#wire.send({ unsubscribe: { id } });
    };
  }

  begin(): void {
    for (const [id, subscription] of this.#carried) this.#subscribe(id, subscription);
  }

  receive({ subscription: sent }: FwSocketFrame): void {
    if (!isFrame(sent)) return;
    const { id, data, eventId, done, error } = sent;
    const subscription = typeof id === 'number' ? this.#carried.get(id) : undefined;
    if (typeof id !== 'number' || subscription === undefined) return;
    if (done !== true && error === undefined) {
      if (typeof eventId === 'string') subscription.lastEventId = eventId;
      subscription.onData(data);
      return;
    }
    this.#carried.delete(id);
    if (error === undefined) subscription.onEnd();
    else subscription.onEnd({ error });
  }

  tell(state: FwSocketState, reason: unknown): void {
    if (state !== 'lost' && state !== 'closed') return;
    for (const subscription of [...this.#carried.values()]) subscription.onState(state, reason);
  }

  #subscribe(id: number, subscription: FwSocketSubscription): void {
    const { method, params, lastEventId } = subscription;
    this.#wire.send({ subscribe: { id, method, params, lastEventId } });
    subscription.onState('open');
  }
}

/** A socket that carries subscriptions too. */
export class FwRpcSocket<Sends extends object, Receives extends object>
  extends FwSocket<Sends, Receives>
  implements FwSocketCarrier
{
  readonly #subscriptions: FwSocketSubscriptions;

  constructor(url: string, options?: FwSocketOptions, signals?: readonly FwRpcSignal[]) {
    const made: FwSocketSubscriptions[] = [];
    super(url, options, signals, (wire) => {
      const subscriptions = new FwSocketSubscriptions(wire);
      made.push(subscriptions);
      return subscriptions;
    });
    const [subscriptions] = made;
    if (subscriptions === undefined) throw new Error('the socket has no link');
    this.#subscriptions = subscriptions;
  }

  /** Of the client itself, for the option `socket` of subscriptions. */
  carry(subscription: FwSocketSubscription): () => void {
    return this.#subscriptions.carry(subscription);
  }
}

/** A socket, which carries subscriptions if the table says so. */
export const openCarrier: FwSocketOpener = (url, options, signals, { hasRpc }) =>
  hasRpc === true ? new FwRpcSocket(url, options, signals) : new FwSocket(url, options, signals);

/** Subscriptions over a socket where there is one, and over connections of their own otherwise. */
export function carriedSubscriptionCaller<Client>(
  protocol: FwRpcStreamProtocol,
): FwRpcCaller<FwRpcProcedure, FwRpcArguments<FwRpcCarriedOptions>, FwRpcCarrierOptions<Client>, Client> {
  return (connection, procedure, input, options = {}) => {
    const { socket: common } = connection.options;
    const socket = options.socket ?? (typeof common === 'function' ? common(connection.client) : common);
    return socket === undefined
      ? streamSubscription(connection, protocol, procedure, input, options)
      : carriedSubscription(connection, protocol, socket, procedure, input, options);
  };
}

function carriedSubscription(
  connection: FwRpcConnection<FwRpcStreamOptions>,
  protocol: FwRpcStreamProtocol,
  socket: FwSocketCarrier,
  procedure: readonly [string, FwRpcProcedure],
  input: unknown,
  options: FwRpcStreamedOptions,
): AsyncGenerator<unknown, void, undefined> {
  const queue = new FwSocketQueue<unknown>();
  const events = carriedEvents(connection, protocol, socket, procedure, input, options, queue);
  const finish = events.return.bind(events);
  // The generator alone would end only after the event that it waits for.
  events.return = async (value) => {
    queue.end();
    return await finish(value);
  };
  return events;
}

async function* carriedEvents(
  connection: FwRpcConnection<FwRpcStreamOptions>,
  protocol: FwRpcStreamProtocol,
  socket: FwSocketCarrier,
  procedure: readonly [string, FwRpcProcedure],
  input: unknown,
  { lastEventId, onState, reconnect, signal }: FwRpcStreamedOptions,
  queue: FwSocketQueue<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const signals = [connection.options.signal, signal].filter((one) => one !== undefined);
  const aborted = signals.find((one) => one.aborted);
  if (aborted !== undefined) throw abortReason(aborted);
  const abort = (): void => {
    for (const one of signals) if (one.aborted) queue.abort(abortReason(one));
  };
  for (const one of signals) one.addEventListener('abort', abort);
  const unsubscribe = socket.carry({
    method: procedure[0],
    params: input ?? undefined,
    lastEventId,
    onData: (data) => {
      queue.push(data);
    },
    onEnd: (failure) => {
      queue.end(failure === undefined ? undefined : protocol.failure(failure.error, procedure));
    },
    onState: (state, reason) => {
      if (state === 'closed' || (state === 'lost' && reconnect === false)) queue.end(reason);
      else {
        guarded(() => {
          onState?.(state, reason);
        });
      }
    },
  });
  try {
    yield* queue.loop(() => undefined);
  } finally {
    unsubscribe();
    for (const one of signals) one.removeEventListener('abort', abort);
  }
}
