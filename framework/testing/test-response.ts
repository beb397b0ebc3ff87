// Testing: an answer that was read to its end, with assertions that show it when they fail.
import { AssertionError, deepStrictEqual } from 'node:assert';

export class TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  readonly #request: string;

  private constructor(response: Response, bytes: Uint8Array, request: string) {
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = bytes;
    this.#request = request;
  }

  /** @internal */
  static async read(response: Response, request: string): Promise<TestResponse> {
    return new TestResponse(response, new Uint8Array(await response.arrayBuffer()), request);
  }

  text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /** The body parsed as JSON. @throws AssertionError when it is none. */
  json<T = unknown>(): T {
    try {
      return JSON.parse(this.text()) as T;
    } catch {
      throw this.#failure('a JSON body', this.text(), this.json);
    }
  }

  header(name: string): string | undefined {
    return this.headers.get(name) ?? undefined;
  }

  /** @throws AssertionError that shows the answer. */
  assertStatus(expected: number): this {
    if (this.status !== expected)
      throw this.#failure(`status ${expected}`, this.status, this.assertStatus, expected);
    return this;
  }

  /** Compares a header field; without an expected value it only has to be there. @throws AssertionError */
  assertHeader(name: string, expected?: string | RegExp): this {
    const actual = this.header(name);
    const fits =
      actual !== undefined &&
      (expected === undefined ||
        (typeof expected === 'string' ? actual === expected : expected.test(actual)));
    if (!fits)
      throw this.#failure(
        `header ${name}: ${expected ?? '(any value)'}`,
        actual,
        this.assertHeader,
        expected,
      );
    return this;
  }

  /** Compares the whole body. @throws AssertionError */
  assertText(expected: string | RegExp): this {
    const actual = this.text();
    const fits = typeof expected === 'string' ? actual === expected : expected.test(actual);
    if (!fits) throw this.#failure(`the body ${expected}`, actual, this.assertText, expected);
    return this;
  }

  /** Compares the body as JSON, deeply. @throws AssertionError with a difference. */
  assertJson(expected: unknown): this {
    const actual = this.json();
    try {
      deepStrictEqual(actual, expected);
    } catch {
      throw this.#failure('another JSON body', actual, this.assertJson, expected);
    }
    return this;
  }

  #failure(
    wanted: string,
    actual: unknown,
    stackStartFn: (...args: never[]) => unknown,
    expected: unknown = wanted,
  ): AssertionError {
    const body = this.text();
    const shown = body.length > 500 ? `${body.slice(0, 500)}… (${body.length} characters)` : body;
    const message = `${this.#request}: expected ${wanted}\n  got ${this.status} ${shown || '(no body)'}`;
    return new AssertionError({ message, actual, expected, operator: 'strictEqual', stackStartFn });
  }
}
