// Requests for the page about the app: the worker passes them on to the supervisor, before the app sees them.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { isOwnRequest } from './own-requests.js';

/** How the supervisor is told by what the request came, and whether it is of the developer. No client can say it. */
export const SCHEME_FIELD = 'fw-scheme';
export const OWNER_FIELD = 'fw-owner';

/** Fields that belong to one connection (RFC 9110, section 7.6.1), or to HTTP/2. */
const OWN_FIELDS =
  /^(?::.*|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|fw-scheme|fw-owner)$/;

/** Whether the target of a request belongs to the page about the app. */
export function isWorkbench(target: string | undefined): boolean {
  // Nearly all targets are paths, and nearly none begins like this.
  if (target?.startsWith('/') === true && !target.startsWith('/_fw')) return false;
  return target !== undefined && /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/_fw(?:[/?#]|$)/i.test(target);
}

/** What the supervisor has to know of a request beside its fields. */
export function ownFacts(request: IncomingMessage): Record<string, string> {
  const isEncrypted = (request.socket as { encrypted?: boolean }).encrypted === true;
  return {
    [SCHEME_FIELD]: isEncrypted ? 'https' : 'http',
    [OWNER_FIELD]: isOwnRequest(request) ? 'yes' : 'no',
  };
}

/** Passes a request on to the supervisor, which listens on the pipe, and its answer back. */
export function passOn(request: IncomingMessage, response: ServerResponse, pipe: string): void {
  const passed = Object.entries(request.headers).filter(([name]) => !OWN_FIELDS.test(name));
  const host = String(request.headers.host ?? request.headers[':authority'] ?? '');
  const upstream = http.request({
    socketPath: pipe,
    method: request.method ?? 'GET',
    path: (request.url ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, ''),
    headers: {
      ...Object.fromEntries(passed),
      host,
      ...ownFacts(request),
      // So that the supervisor reads what is left of a body after its answer, instead of closing the pipe: a write to a
      // closed pipe fails before the answer is read. Without an agent, the connection ends here after the answer.
      connection: 'keep-alive',
    },
    agent: false,
  });
  upstream.once('response', (answer) => {
    const fields = Object.entries(answer.headers).filter(([name]) => !OWN_FIELDS.test(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(fields));
    response.flushHeaders();
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  upstream.once('error', () => {
    if (!response.headersSent) response.writeHead(502).end();
    else response.destroy();
  });
  response.once('close', () => upstream.destroy());
  request.once('error', () => upstream.destroy());
  request.pipe(upstream);
}
