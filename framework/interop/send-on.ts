// Interop: the work of `proxy`, loaded when it is used.
import { FwRequest, type RequestOwner } from '../context/request.js';
import { originalOf } from '../context/web-request.js';
import { droppedFields, HOP_BY_HOP } from '../dispatch/to-response.js';
import { endUnsent } from '../http/end-unsent.js';
import { asFwError, FwError } from '../http/errors.js';
import { listMembers } from '../http/field-list.js';
import { checkOptions, checkValue } from '../options/check.js';
import {
  either,
  milliseconds,
  object,
  type Rule,
  type Rules,
  record,
  required,
  text,
} from '../options/rules.js';
import type { ProxyOptions } from './proxy.js';

/** What is sent on. */
interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded. */
  readonly target: string;
  readonly signal: AbortSignal;
  /** Undefined if it has none. */
  readonly body: ReadableStream<Uint8Array> | undefined;
  /** Undefined for a web Request that fw has not made. */
  readonly owner: RequestOwner | undefined;
  /** What the client has asked for. */
  readonly uri: URL;
  /** What stood before the target in the path that the client has asked for, such as the prefix of a mount. */
  readonly prefix: string;
  /** Why the body could not be read. */
  readonly refused: () => FwError | undefined;
}

const REQUEST: Rule = {
  takes: 'ctx.req or a web Request',
  fault: (value) =>
    value instanceof FwRequest || isWeb(value as Request) ? undefined : { code: 'FW_OPTION_TYPE' },
};

/** Fields that say how the request is sent: fetch sets them itself, and ignores or refuses others. */
const SET_BY_FETCH: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);
const FIELDS = record('an object of header fields');

const sentHeaders: Rule = {
  takes: FIELDS.takes,
  fault(value) {
    const fault = FIELDS.fault(value);
    if (fault !== undefined) return fault;
    for (const [name, one] of Object.entries(value as object)) {
      if (one === null) continue;
      const at = `['${name}']`;
      if (SET_BY_FETCH.has(name.toLowerCase()))
        return { code: 'FW_OPTION_TYPE', at, value: one, takes: 'null: it is set for the other server' };
      if (typeof one !== 'string')
        return { code: 'FW_OPTION_TYPE', at, value: one, takes: 'a text, or null to leave the field out' };
    }
    return undefined;
  },
};

const RULES: Rules<ProxyOptions> = {
  to: required(either(text, object('a URL'))),
  headers: sentHeaders,
  timeoutMs: milliseconds(1),
};

export async function sendOn(request: FwRequest | Request, options: ProxyOptions): Promise<Response> {
  checkValue('proxy', 'the request', request, REQUEST);
  const { to, headers: changes = {}, timeoutMs } = checkOptions('proxy', options, RULES);
  const base = baseOf(to);
  const outgoing = isWeb(request) ? ofWebRequest(request) : ofRequest(request);
  const asked = urlOf(base, outgoing.target);
  const headers = requestHeaders(outgoing, changes);
  const response = await fetchInTime(asked, outgoing, headers, timeoutMs);
  return answerFrom(response, base, outgoing.prefix);
}

function isWeb(request: FwRequest | Request): request is Request {
  return Object.prototype.toString.call(request) === '[object Request]';
}

/** @throws Error unless it is a URL of HTTP */
function baseOf(to: string | URL): URL {
  const base = URL.canParse(String(to)) ? new URL(to) : undefined;
  if (base !== undefined && (base.username !== '' || base.password !== '')) {
    throw new Error(
      "proxy() takes a URL without a user and a password as 'to'; give them in 'headers', as Authorization",
    );
  }
  if (base?.protocol === 'http:' || base?.protocol === 'https:') return base;
  throw new Error(
    `proxy() takes a URL such as 'http://10.0.0.2:8080' as 'to', got ${JSON.stringify(String(to))}`,
  );
}

/** Concatenated, not resolved: `//x/y` is a path of the other server. */
function urlOf(base: URL, target: string): string {
  const mark = target.indexOf('?');
  if (base.pathname === '/' && base.search === '') return base.origin + target;
  const search = base.search !== '' || mark === -1 ? base.search : target.slice(mark);
  return base.origin + base.pathname + search;
}

function ofRequest(req: FwRequest): Outgoing {
  let refused: FwError | undefined;
  const forwarded = () =>
    req.body.forward((error) => {
      refused = asFwError(error);
    });
  return {
    method: req.method,
    headers: new Headers(req.headers()),
    target: req.target.startsWith('/') ? req.target.replaceAll('\\', '%5C') : '/',
    signal: req.owner.signal,
    body: req.hasBody && !isBodiless(req.method) ? forwarded() : undefined,
    owner: req.owner,
    uri: req.uri,
    prefix: '',
    refused: () => refused,
  };
}

function ofWebRequest(request: Request): Outgoing {
  const original = originalOf(request);
  const url = new URL(request.url);
  const target = url.pathname + url.search;
  return {
    method: request.method,
    headers: new Headers(request.headers),
    target,
    signal: request.signal,
    body: isBodiless(request.method) ? undefined : (request.body ?? undefined),
    owner: original?.owner,
    uri: original?.uri ?? url,
    prefix: original?.target.endsWith(target) === true ? original.target.slice(0, -target.length) : '',
    // The mount answers with it.
    refused: () => undefined,
  };
}

function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Fields that say how the request was sent to this server, or that fetch sets itself. */
const OWN = ['accept-encoding', 'expect', 'forwarded', 'host'];

const FORWARDED = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];

function requestHeaders(outgoing: Outgoing, changes: Readonly<Record<string, string | null>>): Headers {
  const { headers, owner, uri } = outgoing;
  const listed = listMembers(headers.get('connection') ?? '');
  for (const name of [...HOP_BY_HOP, ...listed, ...OWN]) if (isName(name)) headers.delete(name);
  if (outgoing.body === undefined && isBodiless(outgoing.method)) headers.delete('content-length');
  if (owner?.isFromProxy !== true) for (const name of FORWARDED) headers.delete(name);
  const peer = owner?.isFromProxy === true ? owner.peerIp() : owner?.clientIp();
  if (peer !== undefined) headers.append('X-Forwarded-For', peer);
  if (!headers.has('x-forwarded-proto')) headers.set('X-Forwarded-Proto', uri.protocol.slice(0, -1));
  if (!headers.has('x-forwarded-host')) headers.set('X-Forwarded-Host', uri.host);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}

/** `Connection` is what the client wrote: a member that is not a name would make `Headers` throw. */
function isName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
}

async function fetchInTime(
  url: string,
  { method, signal, body, refused }: Outgoing,
  headers: Headers,
  timeoutMs: number | undefined,
): Promise<Response> {
  const late = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(), timeoutMs);
  const both = timeoutMs === undefined ? signal : AbortSignal.any([signal, late.signal]);
  try {
    return await fetch(url, {
      method,
      headers,
      signal: both,
      redirect: 'manual',
      ...(body !== undefined && { body, duplex: 'half' }),
    });
  } catch (error) {
    const known = refused();
    if (known !== undefined) throw known;
    if (signal.aborted) throw signal.reason;
    if (late.signal.aborted) {
      throw FwError.gatewayTimeout(`the server behind this one did not answer within ${timeoutMs} ms`);
    }
    throw FwError.badGateway('the server behind this one cannot be reached', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The response with fields that can be changed, and without those of the connection to the other server. */
function answerFrom(response: Response, base: URL, prefix: string): Response {
  const { status, statusText } = response;
  if (status > 599) {
    endUnsent(response);
    throw FwError.badGateway(`the server behind this one answered with the status ${status}`);
  }
  const headers = new Headers();
  const isDropped = droppedFields(response);
  for (const [name, value] of response.headers) if (!isDropped(name)) headers.append(name, value);
  const location = headers.get('location');
  if (location !== null) headers.set('Location', ownLocation(location, response.url, base, prefix));
  return new Response(response.body && gatewayBody(response.body), { status, statusText, headers });
}

/** The same body; if it breaks off before the response begins, the answer is 502. */
function gatewayBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw FwError.badGateway('the server behind this one broke off its response', { cause });
        });
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A redirect to the other server leads to this one, where that has the same paths. */
function ownLocation(location: string, asked: string, base: URL, prefix: string): string {
  if (base.pathname !== '/' || !URL.canParse(location, asked)) return location;
  const { origin, pathname, search, hash } = new URL(location, asked);
  if (origin !== base.origin) return location;
  // Browsers would take `//host` for another server (WHATWG URL, section 4.4).
  const path = prefix === '' && pathname.startsWith('//') ? `/.${pathname}` : prefix + pathname;
  return path + search + hash;
}
