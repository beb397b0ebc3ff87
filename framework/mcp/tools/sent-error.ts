// MCP: the error of a procedure as its client gets it.
import type { Context } from '../../context/context.js';
import { reportFailure } from '../../rpc/procedure/report-failure.js';
import type { JsonRpcErrorObject } from '../../rpc/protocol/messages.js';
import { errorOf, wireError } from '../../rpc/protocol/rpc-error.js';

/** Reports what a procedure has thrown, and gives what to tell the client: something that JSON can represent. */
export function sentError(
  error: unknown,
  name: string,
  ctx: Context,
  registered?: () => string,
): JsonRpcErrorObject {
  reportFailure(error, name, ctx, registered);
  const sent = wireError(errorOf(name, error));
  try {
    JSON.stringify(sent.data);
    return sent;
  } catch (cause) {
    reportFailure(new Error(`the error of procedure '${name}' cannot be sent`, { cause }), name, ctx);
    return wireError(undefined);
  }
}
