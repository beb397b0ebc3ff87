// RPC: each call of a procedure on the tracing channel `fw:rpc`, for spans and metrics.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../../tracing/trace-channel.js';
import { tracedWork } from '../../tracing/traced-work.js';
import type { ProcedureKind } from '../../wire/wire-type.js';
import { errorOf, outcomeOf, wireError } from '../protocol/rpc-error.js';

/** What the events of one call share; subscribers may add to it. */
export class CallTrace {
  /** The name of the procedure. */
  readonly procedure: string;
  readonly kind: ProcedureKind;
  /** What was thrown; set before the event `error`. */
  declare error?: unknown;

  /** @internal */
  constructor(procedure: string, kind: ProcedureKind) {
    this.procedure = procedure;
    this.kind = kind;
  }

  /**
   * How the call ended, once it did: `ok`, the name of the declared error, or the code of another error of JSON-RPC, such
   * as `-32602`.
   */
  get outcome(): string {
    if (!('error' in this)) return 'ok';
    return outcomeOf(wireError(errorOf(this.procedure, this.error)));
  }
}

const CALLS = diagnostics.tracingChannel<unknown, CallTrace>('fw:rpc');

/**
 * Whether somebody takes calls; ask before `tracedCall`. `hasSubscribers` of a tracing channel asks all of its five
 * channels, at each call: who takes calls at all takes their start or their end.
 */
export function areCallsHeard(): boolean {
  return isHeard(CALLS.start) || isHeard(CALLS.asyncEnd);
}

/** Runs a call, and publishes its start and its end. */
export function tracedCall<Result>(procedure: string, kind: ProcedureKind, work: () => Result): Result {
  return tracedWork(CALLS, new CallTrace(procedure, kind), work);
}
