// Checks what a handler passes to the methods of the context that make a response.

/** Checked at run time, because a value from `req.json<T>()` has the type T without being checked. */
export function noString(method: string, body: unknown): Error {
  return new Error(
    `${method}() takes a string, got ${body === null ? 'null' : `a value of type ${typeof body}`}`,
  );
}

export function checkIterable(method: string, value: unknown): void {
  if (typeof (value as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function') return;
  throw new Error(`${method}() takes an async iterable, such as an async generator`);
}

/**
 * Percent-encodes what no URL has (RFC 3986, section 2), and leaves what is encoded already. A backslash is one of them:
 * browsers take `/\host` for `//host`. A CR or LF is left for the header check to refuse.
 */
export function encodeLocation(location: string | URL): string {
  if (location instanceof URL) return location.href;
  if (typeof location !== 'string') throw noString('ctx.redirect', location);
  return location.replace(NOT_IN_URLS, (text) =>
    text === '%' ? '%25' : encodeURIComponent(text.replace(LONE, '\ufffd')),
  );
}

// Stryker disable next-line Regex: encoding one character at a time gives the same result
const NOT_IN_URLS = /[^\n\r!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+|%(?![0-9A-Fa-f]{2})/g;

/** A surrogate without its other half, which has no form in UTF-8. */
const LONE = /\p{Surrogate}/gu;

/** @throws Error when it is not the status of a redirect */
export function checkRedirect(status: number): void {
  if ([301, 302, 303, 307, 308].includes(status)) return;
  throw new Error(`${status} is not a redirect status: use 301, 302, 303, 307 or 308`);
}
