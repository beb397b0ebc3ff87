// Testing: sends requests to an App, in process or over HTTP, and stores cookies like a browser.
import { checkOptions, checkValue } from '../options/check.js';
import { either, filled, matching, objectWith, type Rule, type Rules, record } from '../options/rules.js';
import { CookieJar } from './cookie-jar.js';
import type { HttpExchange } from './http-exchange.js';
import { TestEvents } from './test-events.js';
import { makeRequest, type TestRequestOptions } from './test-request.js';
import { TestResponse } from './test-response.js';
import { TestStream } from './test-stream.js';

/** The method of an App that a TestClient uses. */
export interface Testable {
  oneshot(request: Request): Promise<Response>;
}

/** Options of a TestClient. */
export interface TestClientOptions {
  /** Scheme and authority of in-process requests; `http://localhost` by default. */
  origin?: string;
  /** Header fields for every request; those of the request itself take precedence. */
  headers?: Record<string, string>;
}

/** Options of `client.stream`. */
export interface TestStreamOptions extends TestRequestOptions {
  /** The method; `GET` by default. */
  method?: string;
}

/** Options of `client.events`. */
export interface TestEventsOptions extends TestStreamOptions {
  /** The value of `Last-Event-ID`, which a client sends when it reconnects. */
  lastEventId?: string;
}

const address: Rule = {
  takes: "an address such as 'http://127.0.0.1:3000'",
  fault(value) {
    if (typeof value === 'string' && URL.canParse(value)) return matching(/^https?:\/\//, '').fault(value);
    return { code: typeof value === 'string' ? 'FW_OPTION_FORM' : 'FW_OPTION_TYPE' };
  },
};
const TARGET = either(objectWith(['oneshot'], 'an App'), address);
const RULES: Rules<TestClientOptions> = {
  origin: filled,
  headers: record('an object of header fields'),
};

/**
 * Sends requests to an App, in process and without a port, or to a running server, given its address:
 * `new TestClient('http://127.0.0.1:3000')`. It stores cookies and does not follow redirects.
 *
 * ```ts
 * const client = new TestClient(app);
 * const response = await client.post('/users', { json: { name: 'Ada' } });
 * response.assertStatus(201).assertJson({ id: '1', name: 'Ada' });
 * ```
 */
export class TestClient implements AsyncDisposable {
  readonly #send: (request: Request, isStreamed: boolean) => Promise<Response>;
  #http: Promise<HttpExchange> | undefined;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new CookieJar();
  readonly #open = new Set<TestStream>();

  /** @throws ConfigError if the target is not one, or an option is unknown or not of its kind. */
  constructor(target: Testable | string, options: TestClientOptions = {}) {
    checkValue('TestClient', 'the target', target, TARGET);
    const given = checkOptions('TestClient', options, RULES);
    if (typeof target === 'string') {
      this.#send = (request, isStreamed) => this.#overHttp(request, isStreamed);
      this.#origin = checkAddress(target, given);
    } else {
      this.#send = (request) => target.oneshot(request);
      this.#origin = given.origin ?? 'http://localhost';
    }
    this.#headers = given.headers ?? {};
  }

  /** Sends a `GET` request and reads the whole response. */
  get(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('GET', path, options);
  }
  /** Sends a `HEAD` request and reads the whole response. */
  head(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('HEAD', path, options);
  }
  /** Sends a `POST` request and reads the whole response. */
  post(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('POST', path, options);
  }
  /** Sends a `PUT` request and reads the whole response. */
  put(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PUT', path, options);
  }
  /** Sends a `PATCH` request and reads the whole response. */
  patch(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PATCH', path, options);
  }
  /** Sends a `DELETE` request and reads the whole response. */
  delete(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('DELETE', path, options);
  }
  /** Sends a `OPTIONS` request and reads the whole response. */
  options(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('OPTIONS', path, options);
  }

  /** Sends a request and reads the whole response. @throws Error if the options have more than one body. */
  async request(method: string, path: string, options: TestRequestOptions = {}): Promise<TestResponse> {
    return TestResponse.read(await this.#exchange(method, path, options), `${method} ${path}`);
  }

  /** Sends a request and resolves when the head has arrived; the body is read as a stream. */
  async stream(path: string, options: TestStreamOptions = {}): Promise<TestStream> {
    const { method = 'GET', signal, ...rest } = options;
    const own = new AbortController();
    const either = signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]);
    const response = await this.#exchange(method, path, { ...rest, signal: either });
    const leave = () => {
      this.#open.delete(stream);
      own.abort();
    };
    const stream = new TestStream(response, `${method} ${path}`, { leave, signal: either });
    this.#open.add(stream);
    return stream;
  }

  /**
   * Opens a stream of server-sent events.
   *
   * @throws AssertionError if the response is not 200 with `text/event-stream`.
   */
  async events(path: string, options: TestEventsOptions = {}): Promise<TestEvents> {
    const { lastEventId, headers, ...rest } = options;
    const fields = {
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...headers,
    };
    const stream = await this.stream(path, { ...rest, headers: fields });
    try {
      stream.assertStatus(200).assertHeader('content-type', /^text\/event-stream\s*(?:;|$)/i);
    } catch (error) {
      await stream.next();
      await stream.close();
      throw error;
    }
    return new TestEvents(stream);
  }

  /**
   * Like `fetch` of the platform, with the cookies and the header fields of this client: for a generated client, as
   * `new FwRpcClient('http://localhost/rpc', { fetch: client.fetch })`.
   */
  readonly fetch = async (
    url: string | URL,
    { signal, ...init }: Omit<RequestInit, 'signal'> & { readonly signal?: unknown } = {},
  ): Promise<Response> => {
    const headers = new Headers(this.#headers);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const given = signal instanceof AbortSignal ? { signal } : {};
    const request = new Request(new URL(url, this.#origin), { ...init, ...given, headers });
    const isStreamed = init.body instanceof ReadableStream;
    return this.#withCookies(isStreamed ? request : await withLength(request), isStreamed);
  };

  /** The value of a cookie that a response has set, and that has neither been removed nor expired. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** The field `Cookie` of a request to this path; undefined without a cookie. @internal */
  cookieHeader(path: string): string | undefined {
    return this.#cookies.header(new URL(path, this.#origin));
  }

  /** Keeps the cookies of a field `Cookie`, as if responses had set them for every path. @internal */
  keepCookies(field: string): void {
    for (const pair of field.split(';')) this.#cookies.keep(`${pair}; Path=/`, new URL(this.#origin));
  }

  /** Closes all open streams and connections of this client. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((stream) => stream.close()));
    (await this.#http)?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #overHttp(request: Request, isStreamed: boolean): Promise<Response> {
    this.#http ??= import('./http-exchange.js').then(({ HttpExchange }) => new HttpExchange());
    return (await this.#http).send(request, isStreamed);
  }

  async #exchange(method: string, path: string, options: TestRequestOptions): Promise<Response> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const isStreamed = options.body instanceof ReadableStream;
    const request = makeRequest(method, this.#origin, path, headers, options);
    return this.#withCookies(isStreamed ? request : await withLength(request), isStreamed);
  }

  async #withCookies(request: Request, isStreamed: boolean): Promise<Response> {
    const url = new URL(request.url);
    const cookies = this.#cookies.header(url);
    if (cookies !== undefined && !request.headers.has('cookie')) request.headers.set('cookie', cookies);
    const response = await this.#send(request, isStreamed);
    for (const cookie of response.headers.getSetCookie()) this.#cookies.keep(cookie, url);
    return response;
  }
}

/** With the `Content-Length` that a client over HTTP sends; a web Request has none. */
async function withLength(request: Request): Promise<Request> {
  if (request.body === null || request.headers.has('content-length')) return request;
  const bytes = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set('Content-Length', String(bytes.byteLength));
  const { method, signal, url } = request;
  return new Request(url, { method, headers, signal, body: bytes });
}

function checkAddress(url: string, { origin }: TestClientOptions): string {
  if (origin !== undefined) throw new Error("the option 'origin' is for requests in process; leave it out");
  return url.replace(/\/$/, '');
}
