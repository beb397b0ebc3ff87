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

/** Percent-encodes non-ASCII characters; a CR or LF is left for the header check to refuse. */
export function encodeLocation(location: string): string {
  // Stryker disable next-line Regex: encoding one character at a time gives the same result
  return location.replace(/[\u{80}-\u{10ffff}]+/gu, encodeURIComponent);
}

/** @throws Error when it is not the status of a redirect */
export function checkRedirect(status: number): void {
  if ([301, 302, 303, 307, 308].includes(status)) return;
  throw new Error(`${status} is not a redirect status: use 301, 302, 303, 307 or 308`);
}
