// Tracing: subscribes to events and errors.

import diagnostics from 'node:diagnostics_channel';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, listOf, type Rules } from '../options/rules.js';
import { isPromise } from '../promises.js';
import { type FwErrorEvent, isFailure } from './error-channel.js';
import type { TracingEvent } from './event.js';
import { isLevelEnabled } from './log-level.js';
import { PATH, redaction } from './redaction.js';
import { currentSpan } from './span.js';
import { messageOf, shownThrown } from './thrown.js';

/** Called with every event. */
export type Subscriber = (event: TracingEvent) => void;

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /**
   * What the subscriber must not see, by the ends of paths: `password` hides every member of that name at any depth,
   * `headers.authorization` only those in a member `headers`, and `*.token` only those that are in another member. Case,
   * `-` and `_` make no difference. It holds for fields, spans and the members of errors, their causes included, but not
   * for texts. `SECRET_FIELDS` has common names.
   */
  redact?: readonly string[];
}

const RULES: Rules<SubscribeOptions> = { redact: listOf(PATH) };

/**
 * Calls the subscriber for every event, and for every error that was answered to a request: with level `error` for
 * status 500 and above, otherwise `warn`, and with the fields `error`, `status`, `method`, `path`, `procedure` if one of
 * RPC threw it, and `place` if what was thrown cannot say where it comes from. While there is a subscriber, such errors are no longer printed to stderr. What a subscriber throws is printed there, and ends
 * neither the request nor the process.
 *
 * @returns A function that ends the subscription.
 * @throws ConfigError if it is not a function, or an option is unknown or not of its kind.
 */
export function subscribe(subscriber: Subscriber, options: SubscribeOptions = {}): () => void {
  checkValue('subscribe', 'the subscriber', subscriber, callback('a function (event) => …'));
  const { redact = [] } = checkOptions('subscribe', options, RULES);
  return listen(redact.length === 0 ? subscriber : redacting(subscriber, redact));
}

function redacting(subscriber: Subscriber, paths: readonly string[]): Subscriber {
  const redacted = redaction(paths);
  return (event) => subscriber(redacted(event));
}

function listen(subscriber: Subscriber): () => void {
  const onEvent = (message: unknown) => tell(subscriber, message as TracingEvent);
  const onError = (message: unknown) => {
    const event = fromError(message as FwErrorEvent);
    if (isLevelEnabled(event.level)) tell(subscriber, event);
  };
  diagnostics.subscribe('fw:event', onEvent);
  diagnostics.subscribe('fw:error', onError);
  return () => {
    diagnostics.unsubscribe('fw:event', onEvent);
    diagnostics.unsubscribe('fw:error', onError);
  };
}

/** node:diagnostics_channel would end the process for what is thrown here, and a log that fails is not a reason for that. */
function tell(subscriber: Subscriber, event: TracingEvent): void {
  try {
    const told: unknown = subscriber(event);
    if (isPromise(told)) Promise.resolve(told).catch(printFailure);
  } catch (error) {
    printFailure(error);
  }
}

function printFailure(error: unknown): void {
  console.error(`a subscriber of events failed: ${shownThrown(error)}`);
}

function fromError(event: FwErrorEvent): TracingEvent {
  const { error, status, isCut, method, path, procedure, place } = event;
  const what = [method, path, procedure].filter(Boolean).join(' ');
  return {
    time: Date.now(),
    level: isFailure(event) ? 'error' : 'warn',
    message: `${what} ${isCut ? 'was cut off' : 'failed'}: ${messageOf(error)}`,
    fields: {
      error,
      status,
      ...(isCut && { isCut }),
      method,
      path,
      ...(procedure !== undefined && { procedure }),
      ...(place !== undefined && { place }),
    },
    span: currentSpan(),
  };
}
