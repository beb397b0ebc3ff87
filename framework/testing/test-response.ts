// Testing: a response with its complete body.
import { deepStrictEqual } from 'node:assert';
import { shownText, TestAnswer } from './test-answer.js';

export class TestResponse extends TestAnswer {
  /** The bytes of the body. */
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

  /** The body parsed as JSON; the type is not checked. @throws AssertionError if it is not JSON. */
  json<T = unknown>(): T {
    try {
      return JSON.parse(this.text()) as T;
    } catch {
      throw this.failure('a JSON body', this.text(), 'a JSON body', this.json);
    }
  }

  /** Checks that the whole body equals the string or matches the expression. @throws AssertionError */
  assertText(expected: string | RegExp): this {
    const actual = this.text();
    const fits = typeof expected === 'string' ? actual === expected : expected.test(actual);
    if (!fits) throw this.failure(`the body ${expected}`, actual, expected, this.assertText);
    return this;
  }

  /** Checks that the body is JSON and deeply equal. @throws AssertionError that shows the difference. */
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
