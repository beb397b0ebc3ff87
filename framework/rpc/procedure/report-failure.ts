// RPC: reports errors of procedures to the error channel, with the name of the procedure.
import type { Context } from '../../context/context.js';
import { asFwError } from '../../http/errors.js';
import { reportError } from '../../tracing/error-channel.js';
import { notePlaceOf } from '../../tracing/error-places.js';
import { isError } from '../../tracing/inspected.js';
import { isRecorded, publishTrace } from '../../tracing/trace-channel.js';
import { errorOf, JsonRpcError, outcomeOf, wireError } from '../protocol/rpc-error.js';

/**
 * Reports what a procedure threw, once. A JsonRpcError is a response and not reported, unless its message is
 * hidden.
 *
 * @param registered the place of the call that registered the procedure
 */
export function reportFailure(
  error: unknown,
  procedure: string,
  ctx: Context | undefined,
  registered?: () => string,
): void {
  const known = asFwError(error);
  const status = known?.status ?? 500;
  const call = isRecorded()
    ? { procedure, outcome: outcomeOf(wireError(errorOf(procedure, error))) }
    : undefined;
  if (known instanceof JsonRpcError && status < 500) {
    if (call !== undefined) publishTrace({ type: 'error', error, status, call });
    return;
  }
  const where =
    ctx === undefined ? { method: 'RPC', path: '' } : { method: ctx.method, path: ctx.target.path };
  const place =
    registered === undefined || isError(error)
      ? undefined
      : notePlaceOf(error, 'procedure', `procedure ${procedure}`, registered);
  reportError({ error, status, ...where, procedure, ...(place !== undefined && { place }) }, call);
}
