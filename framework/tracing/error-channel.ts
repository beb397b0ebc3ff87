// The error channel: publishes one event for every error that was answered or that ended a response.
import diagnostics from 'node:diagnostics_channel';
import { displayed } from './displayed.js';
import { shownText } from './inspected.js';
import { type CalledProcedure, isHeard, isRecorded, publishTrace } from './trace-channel.js';

/** An error of a request: the message on the diagnostics channel `fw:error`. */
export interface FwErrorEvent {
  /** The thrown value, which may be anything. */
  readonly error: unknown;
  /** The status of the response; if it was cut off, the one that was already sent. */
  readonly status: number;
  /** Set if the response had begun: its stream failed, and the response was cut off. */
  readonly isCut?: true;
  /** The method of the request; outside of requests, what failed: `database` or `onClose`. */
  readonly method: string;
  /** The decoded path, without the query string. */
  readonly path: string;
  /** The RPC procedure that threw; absent if no procedure threw. */
  readonly procedure?: string;
  /**
   * Where the route or the procedure was registered, such as `at route GET /users (file:///app/main.ts:3:4)`, if what
   * was thrown cannot have it in its stack: it is frozen, or not an error.
   */
  readonly place?: string;
}

const channel = diagnostics.channel('fw:error');

/**
 * Publishes an event on `fw:error`. If nothing has subscribed, an error that was answered with a 5xx, or that has cut
 * off a response, is printed to stderr with its stack, so that it is never lost. Control characters are escaped there,
 * because the path and the message may contain text from a client.
 *
 * @param call the call of RPC that it answers
 */
export function reportError(event: FwErrorEvent, call?: CalledProcedure): void {
  if (isRecorded()) publishTrace({ type: 'error', error: event.error, status: event.status, call });
  if (isHeard(channel)) {
    channel.publish(event);
    return;
  }
  if (!isFailure(event)) return;
  const { method, path, procedure, status, isCut, place } = event;
  // A procedure that is called in process has no path.
  const where = path === '' ? method : `${method} ${path}`;
  const what = procedure === undefined ? where : `${where} procedure '${procedure}'`;
  const outcome = isCut ? `${status}, cut off:` : status;
  const hasColours = globalThis.process?.stderr?.isTTY === true;
  const origin = place === undefined ? '' : `\n    ${shownText(place)}`;
  console.error(`${shownText(what)} → ${outcome} ${displayed(event.error, true, hasColours)}${origin}`);
}

/** Whether something of the application failed; otherwise the client did. */
export function isFailure({ status, isCut }: FwErrorEvent): boolean {
  return status >= 500 || isCut === true;
}
