// The page about the app: one request with everything that is known of it, as a file to attach to a report: an HTTP
// Archive, which browsers and other tools open, with members of its own that begin with `_fw`.
import type { HeaderField, Hello, RequestDetail, ShownBody } from '../protocol.js';
import { copiedCookies } from './copies/copied-request.js';

/** The form is HAR 1.2 (w3c.github.io/web-performance/specs/HAR/Overview.html). Secrets are masked, as in the page. */
export function asHar(request: RequestDetail, { version }: Pick<Hello, 'version'>): string {
  const { began, durationMs = 0, method, status = 0 } = request;
  const { steps, log, error, calls, route, requestId, ...rest } = request;
  const url = urlOf(request);
  const entry = {
    startedDateTime: new Date(began).toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: copiedCookies(request).map(([name, value]) => ({ name, value })),
      headers: pairs(request.requestHeaders),
      queryString: pairs([...new URL(url).searchParams]),
      headersSize: -1,
      bodySize: request.requestBody?.size ?? 0,
      ...(request.requestBody && { postData: contentOf(request.requestBody) }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.responseHeaders),
      content: request.responseBody
        ? { size: request.responseBody.size, ...contentOf(request.responseBody) }
        : { size: 0, mimeType: '' },
      redirectURL: headerOf(request.responseHeaders, 'location'),
      headersSize: -1,
      bodySize: request.responseBody?.size ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _fw: {
      route,
      requestId,
      calls,
      aborted: rest.aborted,
      label: rest.label,
      isJob: rest.isJob,
      callErrors: rest.callErrors,
      steps,
      log,
      error,
    },
  };
  const creator = { name: 'fw', version };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries: [entry] } }, undefined, 2)}\n`;
}

/** A job has no address: it gets one that says what it is. */
function urlOf({ origin, target, isJob }: RequestDetail): string {
  if (isJob === true) return `job:${encodeURIComponent(target)}`;
  return `${origin}${target.startsWith('/') ? target : '/'}`;
}

/** The name of the file: `get-tasks-7.har`. */
export function harName({ method, target }: RequestDetail): string {
  const words = `${method} ${target.split('?')[0]}`.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join('-').slice(0, 60)}.har`;
}

function contentOf({ type, text, isCut }: ShownBody): object {
  return {
    mimeType: type,
    ...(text !== undefined && { text }),
    ...(isCut === true && { comment: 'cut off' }),
  };
}

function pairs(fields: readonly HeaderField[]): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function headerOf(fields: readonly HeaderField[], name: string): string {
  return fields.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
}
