// The client: the text of subscriptions that travel over a socket.
import type { ClientKind } from './client-kind.js';

/** A member of the options of a subscription. */
export const carrierOption = `  /** An open socket that carries the subscription, instead of a request of its own. */
  socket?: FwSocketCarrier | undefined;
`;

/** At the beginning of the method that subscribes. */
export const chooseCarrier = `    const { socket: common } = this.#options;
    const socket = options.socket ?? (typeof common === 'function' ? common(this) : common);
    if (socket !== undefined) return this.#overSocket(socket, name, input, options);
`;

/** Members of the class of the client. */
export function carryMethods({ isRest, hasErrors }: ClientKind): string {
  const named = hasErrors ? ', name' : '';
  const failed = isRest
    ? `    const { status, body } = (error ?? {}) as { status?: number; body?: { message?: unknown } };
        queue.end(new FwRpcHttpError(status ?? 500, String(body?.message), body${named}));`
    : `    queue.end(new JsonRpcClientError(errorOf(error ?? {})${named}));`;
  return `
  #overSocket(
    socket: FwSocketCarrier,
    name: string,
    input: unknown,
    options: FwRpcSubscriptionOptions,
  ): AsyncGenerator<unknown, void, undefined> {
    const queue = new FwSocketQueue<unknown>();
    const events = this.#carriedEvents(socket, name, input, options, queue);
    const finish = events.return.bind(events);
    // The generator alone would end only after the event that it waits for.
    events.return = async (value) => {
      queue.end();
      return await finish(value);
    };
    return events;
  }

  async *#carriedEvents(
    socket: FwSocketCarrier,
    name: string,
    input: unknown,
    { lastEventId, onState, reconnect, signal }: FwRpcSubscriptionOptions,
    queue: FwSocketQueue<unknown>,
  ): AsyncGenerator<unknown, void, undefined> {
    const signals = [this.#options.signal, signal].filter((one) => one !== undefined);
    const aborted = signals.find((one) => one.aborted);
    if (aborted !== undefined) throw reasonOf(aborted);
    const abort = (): void => {
      for (const one of signals) if (one.aborted) queue.abort(reasonOf(one));
    };
    for (const one of signals) one.addEventListener('abort', abort);
    const unsubscribe = socket.carry({
      method: name,
      params: input ?? undefined,
      lastEventId,
      onData: (data) => {
        queue.push(data);
      },
      onEnd: (failure) => {
        if (failure === undefined) {
          queue.end();
          return;
        }
        const { error } = failure;
    ${failed}
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
`;
}
