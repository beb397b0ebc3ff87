// Testing: sends requests to an App, in process or over HTTP, and keeps cookies, like a small browser.
import type { HttpExchange } from './http-exchange.js';
import { TestEvents } from './test-events.js';
import { makeRequest, type TestRequestOptions } from './test-request.js';
import { TestResponse } from './test-response.js';
import { TestStream } from './test-stream.js';

/** What a TestClient needs of an App. */
export interface Testable {
  oneshot(request: Request): Promise<Response>;
}

export interface TestClientOptions {
  /** Scheme and authority of every request in process; `http://localhost` by default. */
  origin?: string;
  /** Header fields of every request. */
  headers?: Record<string, string>;
}

export interface TestStreamOptions extends TestRequestOptions {
  /** `GET` by default. */
  method?: string;
}

export interface TestEventsOptions extends TestStreamOptions {
  /** What a client sends that connects again. */
  lastEventId?: string;
}

/**
 * ```ts
 * const client = new TestClient(app);
 * const response = await client.post('/users', { json: { name: 'Ada' } });
 * response.assertStatus(201).assertJson({ id: '1', name: 'Ada' });
 * ```
 *
 * Takes an App, or the address of a server: `new TestClient('http://127.0.0.1:3000')`. Redirects are not followed.
 */
export class TestClient implements AsyncDisposable {
  readonly #send: (request: Request, isStreamed: boolean) => Promise<Response>;
  #http: Promise<HttpExchange> | undefined;
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();
  readonly #open = new Set<TestStream>();

  constructor(target: Testable | string, options: TestClientOptions = {}) {
    if (typeof target === 'string') {
      this.#send = (request, isStreamed) => this.#overHttp(request, isStreamed);
      this.#origin = checkAddress(target, options);
    } else {
      this.#send = (request) => target.oneshot(request);
      this.#origin = options.origin ?? 'http://localhost';
    }
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
    return TestResponse.read(await this.#exchange(method, path, options), `${method} ${path}`);
  }

  /** Sends a request and reads the answer as it comes. Rejects where the head never does. */
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
   * Opens a stream of server-sent events, and keeps it open.
   *
   * @throws AssertionError when the answer is another than 200 with `text/event-stream`.
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

  /** A cookie that the App has set and not removed. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** Closes the streams and connections that are still open. */
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
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0 && !headers.has('cookie')) headers.set('cookie', cookies.join('; '));
    const request = makeRequest(method, this.#origin, path, headers, options);
    const response = await this.#send(request, options.body instanceof ReadableStream);
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  #keep(setCookie: string): void {
    const [pair = '', ...attributes] = setCookie.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const isRemoval = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
    if (isRemoval) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}

function checkAddress(url: string, { origin }: TestClientOptions): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`a test client takes an App or an address such as 'http://127.0.0.1:3000', got '${url}'`);
  }
  if (origin !== undefined) throw new Error("the option 'origin' is for requests in process; leave it out");
  return url.replace(/\/$/, '');
}
