// Testing: sends requests through an App in process and keeps cookies, like a small browser.
import { TestResponse } from './test-response.js';

/** What a TestClient needs of an App. */
export interface Testable {
  oneshot(request: Request): Promise<Response>;
}

export interface TestClientOptions {
  /** Scheme and authority of every request; `http://localhost` by default. */
  origin?: string;
  /** Header fields of every request. */
  headers?: Record<string, string>;
}

export interface TestRequestOptions {
  headers?: Record<string, string>;
  /** Query parameters; a list repeats the key. */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]>;
  /** Sent as JSON, with its media type. */
  json?: unknown;
  /** Sent URL-encoded, or as multipart where it is a FormData. */
  form?: Record<string, string> | FormData;
  /** Sent as it is. */
  body?: string | Uint8Array;
}

/**
 * ```ts
 * const client = new TestClient(app);
 * const response = await client.post('/users', { json: { name: 'Ada' } });
 * response.assertStatus(201).assertJson({ id: '1', name: 'Ada' });
 * ```
 */
export class TestClient {
  readonly #app: Testable;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();

  constructor(app: Testable, options: TestClientOptions = {}) {
    this.#app = app;
    this.#origin = options.origin ?? 'http://localhost';
    this.#headers = options.headers ?? {};
  }

  get(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('GET', path, options);
  }
  head(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('HEAD', path, options);
  }
  post(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('POST', path, options);
  }
  put(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PUT', path, options);
  }
  patch(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PATCH', path, options);
  }
  delete(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('DELETE', path, options);
  }
  options(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('OPTIONS', path, options);
  }

  /** Sends a request and reads the whole answer. @throws Error when more than one kind of body is given. */
  async request(method: string, path: string, options: TestRequestOptions = {}): Promise<TestResponse> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0 && !headers.has('cookie')) headers.set('cookie', cookies.join('; '));
    const body = makeBody(options, headers);
    const request = new Request(this.#url(path, options.query), {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const response = await this.#app.oneshot(request);
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return TestResponse.read(response, `${method} ${path}`);
  }

  /** A cookie that the App has set and not removed. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  #url(path: string, query: TestRequestOptions['query']): string {
    if (!path.startsWith('/'))
      throw new Error(`a test request needs a path that starts with '/', got '${path}'`);
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
    }
    const text = search.toString();
    return this.#origin + path + (text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`);
  }

  #keep(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const isRemoval = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
    if (isRemoval) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}

function makeBody(options: TestRequestOptions, headers: Headers): RequestInit['body'] {
  const given = (['json', 'form', 'body'] as const).filter((kind) => options[kind] !== undefined);
  if (given.length > 1) throw new Error(`a test request takes one body, got ${given.join(' and ')}`);
  if (options.json !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return JSON.stringify(options.json);
  }
  if (options.form instanceof FormData) return options.form;
  if (options.form !== undefined) return new URLSearchParams(options.form);
  return options.body as RequestInit['body'];
}
