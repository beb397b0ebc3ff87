// The error channel: one event for every thrown thing that became a response or ended one.
import diagnostics from 'node:diagnostics_channel';
import { shownText, shownThrown } from './shown-text.js';

/** The message of the diagnostics channel `fw:error`. */
export interface FwErrorEvent {
  /** What was thrown, as it was thrown. */
  readonly error: unknown;
  /** Status of the response; of the one already begun where a stream failed. */
  readonly status: number;
  readonly method: string;
  /** Canonical path, without the query string. */
  readonly path: string;
  /** The RPC procedure that threw. */
  readonly procedure?: string;
}

const channel = diagnostics.channel('fw:error');

/**
 * Publishes an event on `fw:error`. Where nobody subscribed, an error that the client saw as a 5xx goes to
 * stderr with its stack, so that it is never lost. Hidden characters are made visible there: the path and the
 * message may hold what a client sent.
 */
export function reportError(event: FwErrorEvent): void {
  if (channel.hasSubscribers) {
    channel.publish(event);
    return;
  }
  if (event.status < 500) return;
  const { method, path, procedure } = event;
  // In process, a procedure has no path.
  const where = path === '' ? method : `${method} ${path}`;
  const what = procedure === undefined ? where : `${where} procedure '${procedure}'`;
  console.error(`${shownText(what)} → ${event.status}${shownOrWhyNot(event.error)}`);
}

function shownOrWhyNot(error: unknown): string {
  try {
    return ` ${shownThrown(error)}`;
  } catch {
    // Showing it runs code of its own, such as a getter of its stack.
    return ': what was thrown cannot be shown, because that throws too';
  }
}
