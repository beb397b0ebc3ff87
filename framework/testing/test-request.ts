// Testing: makes the web Request of a test from its options.

/** A query parameter. */
export type QueryValue = string | number | boolean;
/** A field of a form. */
export type FormValue = string | Blob;

/** Options of a request; it has at most one of `json`, `form`, `multipart` and `body`. */
export interface TestRequestOptions {
  /** Header fields of the request. */
  headers?: Record<string, string>;
  /** Query parameters; a list repeats the key. */
  query?: Record<string, QueryValue | readonly QueryValue[]>;
  /** A body that is sent as JSON, with its media type. */
  json?: unknown;
  /** A form that is sent URL-encoded, or as multipart if it is a FormData; a list repeats the key. */
  form?: Record<string, string | readonly string[]> | FormData;
  /** A form that is sent as `multipart/form-data`; a `File` is sent with its name, a list repeats the key. */
  multipart?: Record<string, FormValue | readonly FormValue[]>;
  /** A body that is sent unchanged; a stream chunk by chunk. */
  body?: string | Uint8Array | ReadableStream<Uint8Array>;
  /** Ends the request when it aborts, as if the client disconnected: `ctx.signal` aborts too. */
  signal?: AbortSignal;
}

/** @throws Error if there is more than one body, or the path does not start with `/`. */
export function makeRequest(
  method: string,
  origin: string,
  path: string,
  headers: Headers,
  options: TestRequestOptions,
): Request {
  const body = makeBody(options, headers);
  return new Request(origin + withQuery(path, options.query), {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
    ...(options.signal && { signal: options.signal }),
  });
}

/** A path with query parameters. @throws Error if the path does not start with `/`. */
export function withQuery(path: string, query: TestRequestOptions['query']): string {
  if (!path.startsWith('/'))
    throw new Error(`a test request needs a path that starts with '/', got '${path}'`);
  const search = new URLSearchParams();
  for (const [name, value] of pairs(query ?? {})) search.append(name, String(value));
  const text = search.toString();
  return path + (text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`);
}

function makeBody(options: TestRequestOptions, headers: Headers): RequestInit['body'] {
  const given = (['json', 'form', 'multipart', 'body'] as const).filter(
    (kind) => options[kind] !== undefined,
  );
  if (given.length > 1) throw new Error(`a test request takes one body, got ${given.join(' and ')}`);
  if (options.json !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return JSON.stringify(options.json);
  }
  if (options.multipart !== undefined) {
    const form = new FormData();
    for (const [name, value] of pairs(options.multipart)) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value);
    }
    return form;
  }
  if (options.form instanceof FormData) return options.form;
  if (options.form !== undefined) return new URLSearchParams([...pairs(options.form)]);
  return options.body as RequestInit['body'];
}

function* pairs<T>(values: Record<string, T | readonly T[]>): Generator<[string, T]> {
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? (value as readonly T[]) : [value as T]) yield [name, one];
  }
}
