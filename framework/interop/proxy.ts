// Interop: answers a request with what another server answers.
import type { FwRequest } from '../context/request.js';

/** Where a request is sent, and what is changed on the way. */
export interface ProxyOptions {
  /**
   * The other server: an origin such as `http://10.0.0.2:8080`, which is asked for the path and the query of the request,
   * or a URL with a path, which is asked instead, with the query of the request unless it has one.
   */
  readonly to: string | URL;
  /** Header fields of the request to set, or to leave out if the value is `null`. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** How long the other server may take until its response begins, in milliseconds; unlimited by default. */
  readonly timeoutMs?: number;
}

/**
 * Sends a request on to another server, and gives its response, whose header fields can be changed. Both bodies are
 * streamed. If the client leaves, the other server sees it; if that breaks off, so does the response.
 *
 * ```ts
 * app.all('/api/*rest', (ctx) => proxy(ctx.req, { to: 'http://10.0.0.2:8080' }));
 * app.mount('/legacy', (request) => proxy(request, { to: 'http://10.0.0.3:8080' })); // without the prefix
 * ```
 *
 * Hop-by-hop fields stay on their connection (RFC 9110, section 7.6.1). `X-Forwarded-For`, `-Proto` and `-Host` are set,
 * and continued if a trusted proxy has sent them. Redirects are not followed; those to the other server itself lead to
 * this one.
 *
 * @param request `ctx.req`, or a web Request
 * @throws FwError `BadGateway` (502) if the other server cannot be reached or breaks off before its response begins,
 *   `GatewayTimeout` (504) after `timeoutMs`; the errors of reading the body; Error if an option is wrong.
 */
export async function proxy(request: FwRequest | Request, options: ProxyOptions): Promise<Response> {
  const { sendOn } = await import('./send-on.js');
  return sendOn(request, options);
}
