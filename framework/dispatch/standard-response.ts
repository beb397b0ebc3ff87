// Errors: `fw dev` may answer with a page, or with more than the standard body, where the application has left the
// response to the framework. Without a subscriber, nothing is offered.
import diagnostics from 'node:diagnostics_channel';
import type { Context } from '../context/context.js';
import type { FwResponse } from '../http/response.js';
import { isHeard } from '../tracing/trace-channel.js';

/** An error that is answered with the standard body: the message on the channel `fw:error-response`. */
export interface StandardErrorResponse {
  readonly error: unknown;
  readonly status: number;
  /** The standard body, which is JSON. */
  readonly body: string;
  readonly method: string;
  /** The address of the connection's peer; undefined without a socket. */
  readonly peer: string | undefined;
  /** The header fields of the request by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends another body with these header fields instead. The status stays. */
  replace(body: string, fields: Readonly<Record<string, string>>): void;
}

const channel = diagnostics.channel('fw:error-response');

/** Before the response is sent: a body that middleware has changed is not replaced. */
export function offerStandard(ctx: Context, response: FwResponse): void {
  const { error } = response;
  if (error?.standard === undefined || !isHeard(channel) || textOf(response) !== error.standard) return;
  const offer: StandardErrorResponse = {
    error: error.thrown,
    status: response.status,
    body: error.standard,
    method: ctx.method,
    peer: ctx.peerIp(),
    headers: ctx.req.headers(),
    replace(body, fields) {
      response.body = { kind: 'full', bytes: new TextEncoder().encode(body) };
      for (const [name, value] of Object.entries(fields)) response.headers.set(name, value);
    },
  };
  channel.publish(offer);
}

/** Middleware that has read the body leaves bytes. */
function textOf({ content }: FwResponse): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
