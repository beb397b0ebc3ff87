// Decoding: the request target is decoded once into a canonical path, which everything else uses.
import { listMembers } from './field-list.js';

/** The canonical path and the query string (without `?`), or the reason why the target is refused. */
export interface Target {
  readonly path: string;
  readonly search: string;
  /** Set if the request must be answered 400. */
  readonly refused: string | undefined;
}

/** The target of a request whose path the server has matched: the query is read when it is asked for. */
export class MatchedTarget implements Target {
  readonly path: string;
  readonly refused: undefined = undefined;
  readonly #source: { readonly target: string };

  constructor(path: string, source: { readonly target: string }) {
    this.path = path;
    this.#source = source;
  }

  get search(): string {
    const { target } = this.#source;
    const mark = target.indexOf('?');
    return mark === -1 ? '' : target.slice(mark + 1);
  }
}

/**
 * Splits a request target in origin form into path and query and decodes the path once, segment by segment. `%2F`
 * and `%25` stay encoded, so that an encoded slash never becomes a separator and nothing is decoded twice.
 * Dot segments, `#`, bytes that RFC 3986 forbids and malformed percent-encoding are refused.
 */
export function readTarget(target: string): Target {
  const [raw, search] = partsOf(target);
  if (isPlain(raw) && !search.includes('#')) return { path: raw, search, refused: undefined };
  return readUnusual(raw, search);
}

/** That of a request which the server refuses: its path is as it was sent, and has no query, which may have secrets. */
export function refusedTarget(target: string, refused: string): Target {
  const [path, search] = partsOf(target);
  return { path, search, refused };
}

function partsOf(target: string): [path: string, search: string] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The characters of paths that need no decoding; a path with a dot after a slash is checked as well. */
const PLAIN = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/") {
  PLAIN[char.charCodeAt(0)] = 1;
}

function isPlain(raw: string): boolean {
  if (raw.charCodeAt(0) !== 47) return false;
  let previous = 0;
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if (PLAIN[code] !== 1 || (code === 46 && previous === 47)) return false;
    previous = code;
  }
  return true;
}

/** Why a target without a path is refused, such as that of `OPTIONS *`. */
export const NO_PATH = "the request target must start with '/'";

function readUnusual(raw: string, search: string): Target {
  const refuse = (refused: string): Target => ({ path: raw, search, refused });
  if (!raw.startsWith('/')) return refuse(NO_PATH);
  if (raw.includes('#') || search.includes('#')) return refuse(`'#' is not allowed in a request target`);
  if (/[^\x21-\x7e]/.test(raw)) return refuse('the path contains characters that must be percent-encoded');
  const segments = raw.split('/');
  const decoded: string[] = [];
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === undefined) return refuse('malformed percent-encoding in the path');
    if (text === '.' || text === '..') return refuse('dot segments are not allowed in the path');
    decoded.push(text);
  }
  return { path: decoded.join('/'), search, refused: undefined };
}

/** Decodes one segment except for `%2F` and `%25`; undefined if the encoding is malformed. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment.replace(/%(2f|25)/gi, '%25$1')).replace(/%2f/g, '%2F');
  } catch {
    // decodeURIComponent throws on malformed input only; the caller answers 400.
    return undefined;
  }
}

/** The text of a path parameter: decodes `%2F` and `%25`, which the canonical path keeps encoded. */
export function decodeParam(text: string): string {
  return text.includes('%') ? text.replace(/%(2F|25)/g, (_, code) => (code === '2F' ? '/' : '%')) : text;
}

/** The first value of a parameter, decoded; undefined if it is absent. @param search without the `?` */
export function firstQueryValue(search: string, name: string): string | undefined {
  if (search === '') return undefined;
  if (isEncoded(search) || name === '' || name.includes('=') || name.includes('&')) {
    return new URLSearchParams(`?${search}`).get(name) ?? undefined;
  }
  for (let start = 0; start < search.length; ) {
    const next = search.indexOf('&', start);
    const end = next === -1 ? search.length : next;
    const afterName = start + name.length;
    if (search.startsWith(name, start)) {
      if (afterName === end) return '';
      if (search.charCodeAt(afterName) === EQUALS) return search.slice(afterName + 1, end);
    }
    start = end + 1;
  }
  return undefined;
}

const EQUALS = 61;

function isEncoded(search: string): boolean {
  return search.includes('%') || search.includes('+');
}

/** In characters. */
const LONGEST = 1000;

/**
 * The path if it is one of this server, such as the value of `?return_to=`; undefined for everything else. Redirect to
 * nothing that a client sends without it: browsers take `//host` and `/\\host` for other servers, and leave out tabs and
 * line ends (WHATWG URL, section 4.4).
 *
 * ```ts
 * app.get('/back', (ctx) => ctx.redirect(localPath(ctx.req.query('return_to')) ?? '/'));
 * ```
 */
export function localPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path.length > LONGEST) return undefined;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : undefined;
}

/**
 * RFC 9112, section 3.2 and RFC 3986, section 3.2.2: host and optional port, with brackets for IPv6 only. Several Host
 * fields are joined by ',' and so do not match.
 */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+;=%]+|\[(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Why a Host field is refused; undefined if it is one, which may be empty. RFC 3986 allows names and ports that no URL
 * can have, such as `a%zz`, `256.1.1.1` and `a:99999`.
 */
export function hostFault(host: string): string | undefined {
  // Nearly all requests to a server have the same Host, so it is checked only when it changes.
  if (host === lastGoodHost || host === '') return undefined;
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return 'the Host header is malformed';
  lastGoodHost = host;
  return undefined;
}

let lastGoodHost = '';

/**
 * Why a request is refused that was sent in other codings than `chunked`: servers decode no others, and give their
 * bodies to the application as they are. RFC 9112 allows 501 too, but that is an error of the server in its logs.
 */
export function codingFault(field: string): string | undefined {
  if (field === 'chunked') return undefined;
  const codings = listMembers(field);
  if (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') return undefined;
  return "request bodies are accepted in the transfer coding 'chunked' alone";
}

/** Hosts that only name this machine, with or without a port: browsers send `Secure` cookies to them over plain HTTP. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|[^.]+\.localhost)(?::\d+)?$/;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}
