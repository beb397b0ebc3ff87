// The page about the app: what of a recorded request is copied: not what every client sets by itself.
import type { HeaderField, RequestDetail } from '../../protocol.js';

/** Set by every client by itself. The body is copied as it is after decompression. */
const OWN_OF_CLIENTS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'expect',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
]);

/** Set by browsers: they say nothing about the call. */
const OWN_OF_BROWSERS =
  /^(?:sec-.*|accept-language|cache-control|pragma|user-agent|dnt|priority|referer|upgrade-insecure-requests|if-none-match|if-modified-since)$/;

/** The headers that the response may depend on. */
export function copiedHeaders({ requestHeaders, origin }: RequestDetail): HeaderField[] {
  return requestHeaders.filter(([given, value]) => {
    const name = given.toLowerCase();
    if (OWN_OF_CLIENTS.has(name) || OWN_OF_BROWSERS.test(name)) return false;
    if (name === 'accept') return value !== '*/*';
    // That of the app's own pages; another one asks for CORS.
    return name !== 'origin' || value !== origin;
  });
}

/** `file` for a body that is not known as text, or not as a whole. */
export type CopiedBody = { readonly text: string } | { readonly file: string } | undefined;

export function copiedBody({ requestBody: body }: RequestDetail): CopiedBody {
  if (body === undefined || body.size === 0) return undefined;
  return body.text === undefined || body.isCut === true ? { file: 'body.bin' } : { text: body.text };
}

/** The cookies of the request, one by one. */
export function copiedCookies({ requestHeaders }: RequestDetail): (readonly [name: string, value: string])[] {
  const fields = requestHeaders.filter(([name]) => name.toLowerCase() === 'cookie');
  return fields.flatMap(([, text]) =>
    text.split(';').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at <= 0 ? [] : [[trimmed(pair.slice(0, at)), trimmed(pair.slice(at + 1))] as const];
    }),
  );
}

/** Without the whitespace of header fields (RFC 9110, section 5.6.3). */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}
