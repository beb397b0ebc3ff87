// The request side of a context: the same request as a web Request, for code that takes one.
import { asFwError, FwError } from '../http/errors.js';
import type { FwRequest } from './request.js';

/** The Fetch standard does not allow these methods for a Request. */
const FORBIDDEN: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What happened to the body of such a Request. */
export interface ForwardedBody {
  /** Why it could not be read as a whole: it is over the limit, late, or the client has disconnected. */
  refused: FwError | undefined;
}

/**
 * Its body is not read before somebody reads that of the Request.
 *
 * @param target path and query, still encoded
 * @throws FwError `MethodNotAllowed` (405) for methods that no Request can have
 */
export function toWebRequest(
  req: FwRequest,
  target: string,
  signal: AbortSignal,
  body: ForwardedBody = { refused: undefined },
): Request {
  const { method } = req;
  if (FORBIDDEN.has(method)) {
    const headers = { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' };
    throw FwError.methodNotAllowed(`${method} is not allowed here; use ${headers.Allow}`, { headers });
  }
  const refused = (error: unknown): void => {
    body.refused = asFwError(error);
  };
  const request = new Request(req.uri.origin + target, {
    method,
    headers: req.headers(),
    signal,
    redirect: 'manual',
    ...(!BODILESS.has(method) && { body: req.body.forward(refused), duplex: 'half' }),
  });
  origins.set(request, req);
  return request;
}

const origins = new WeakMap<Request, FwRequest>();

/** The request that a web Request was made of, if fw has made it. */
export function originalOf(request: Request): FwRequest | undefined {
  return origins.get(request);
}
