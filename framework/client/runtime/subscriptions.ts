// The client: subscriptions, each over a connection of its own that is made again when it is lost.
import type { FwRpcProcedure } from './calls.js';
import type { FwRpcArguments, FwRpcCaller, FwRpcConnection } from './define-client.js';
import { type FwRpcStreamOptions, type FwRpcStreamProtocol, LEFT, streamEvents } from './event-stream.js';
import type { FwRpcCallOptions } from './requests.js';
import { abortReason, abortWith, type FwRpcController, pause, platform } from './signals.js';

/** How a subscription reconnects after it has lost its connection. */
export interface FwRpcReconnect {
  /** How often in a row, before the loop ends with the error; without a limit by default. */
  maxAttempts?: number | undefined;
  /** The wait before the first attempt, in milliseconds; it doubles with each one. 1,000 by default. */
  minDelayMs?: number | undefined;
  /** The longest wait; 30,000 by default. */
  maxDelayMs?: number | undefined;
}

/** `timeoutMs` is how long the server may take to open the stream. */
export interface FwRpcStreamedOptions extends FwRpcCallOptions {
  /** `false` if a lost connection ends the loop with an error. */
  reconnect?: FwRpcReconnect | false | undefined;
  /** Continues after the event with this id. */
  lastEventId?: string | undefined;
  /** Is told when the stream is open, and when its connection is lost, with the reason. */
  onState?: ((state: 'open' | 'lost', reason?: unknown) => void) | undefined;
}

export function subscriptionCaller(
  protocol: FwRpcStreamProtocol,
): FwRpcCaller<FwRpcProcedure, FwRpcArguments<FwRpcStreamedOptions>, FwRpcStreamOptions> {
  return (connection, procedure, input, options = {}) =>
    streamSubscription(connection, protocol, procedure, input, options);
}

/** The events of a subscription, for a loop. */
export function streamSubscription(
  connection: FwRpcConnection<FwRpcStreamOptions>,
  protocol: FwRpcStreamProtocol,
  procedure: readonly [string, FwRpcProcedure],
  input: unknown,
  options: FwRpcStreamedOptions,
): AsyncGenerator<unknown, void, undefined> {
  const controller = new platform.AbortController();
  const events = eventsOf(connection, protocol, procedure, input, options, controller);
  const finish = events.return.bind(events);
  // The generator alone would end only after the event that it waits for.
  events.return = async (value) => {
    controller.abort(LEFT);
    return await finish(value);
  };
  return events;
}

async function* eventsOf(
  connection: FwRpcConnection<FwRpcStreamOptions>,
  protocol: FwRpcStreamProtocol,
  procedure: readonly [string, FwRpcProcedure],
  input: unknown,
  options: FwRpcStreamedOptions,
  controller: FwRpcController,
): AsyncGenerator<unknown, void, undefined> {
  const { signal: ended } = controller;
  const { lastEventId, onState, reconnect = {} } = options;
  const limits = reconnect === false ? { maxAttempts: 0 } : reconnect;
  const { maxAttempts = Infinity, minDelayMs = 1_000, maxDelayMs = 30_000 }: FwRpcReconnect = limits;
  const progress = { lastEventId, wasOpen: false, isFinal: false, attempts: 0 };
  const leave = abortWith(controller, [connection.options, options]);
  try {
    for (;;) {
      try {
        yield* streamEvents(connection, protocol, procedure, input, options, ended, progress);
        return;
      } catch (error) {
        const mayReturn = progress.wasOpen && !progress.isFinal && protocol.isLost(error);
        if (ended.aborted || !mayReturn || progress.attempts >= maxAttempts) throw error;
        onState?.('lost', error);
      }
      const longest = Math.min(maxDelayMs, minDelayMs * 2 ** progress.attempts);
      progress.attempts += 1;
      // With jitter, so that the clients of a server that was restarted do not all return at once.
      await pause(longest * (0.5 + Math.random() / 2), [{ signal: ended }]);
    }
  } catch (error) {
    if (ended.reason !== LEFT) throw ended.aborted ? abortReason(ended) : error;
  } finally {
    leave();
  }
}
