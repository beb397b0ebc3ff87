// Testing: an answer that was read to its end.
import { deepStrictEqual } from 'node:assert';
import { shownText, TestAnswer } from './test-answer.js';

export class TestResponse extends TestAnswer {
  /** The body as bytes. */
  readonly bytes: Uint8Array;

  private constructor(response: Response, bytes: Uint8Array, request: string) {
    super(response, request);
    this.bytes = bytes;
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
      throw this.failure('a JSON body', this.text(), 'a JSON body', this.json);
    }
  }

  /** Compares the whole body. @throws AssertionError */
  assertText(expected: string | RegExp): this {
    const actual = this.text();
    const fits = typeof expected === 'string' ? actual === expected : expected.test(actual);
    if (!fits) throw this.failure(`the body ${expected}`, actual, expected, this.assertText);
    return this;
  }

  /** Compares the body as JSON, deeply. @throws AssertionError with a difference. */
  assertJson(expected: unknown): this {
    const actual = this.json();
    try {
      deepStrictEqual(actual, expected);
    } catch (error) {
      const difference = `\n\n${(error as Error).message}`;
      throw this.failure('another JSON body', actual, expected, this.assertJson, difference);
    }
    return this;
  }

  /** @internal */
  protected override shownBody(): string {
    return shownText(this.bytes);
  }
}
