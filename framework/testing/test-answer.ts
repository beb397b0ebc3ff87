// Testing: status and header fields of a response, and assertions that show the whole response when they fail.
import { AssertionError } from 'node:assert';
import { shown } from '../options/shown.js';

const LONGEST_SHOWN = 500;

/** The base of responses and streams: status, header fields and their assertions. */
export class TestAnswer {
  /** The status of the response. */
  readonly status: number;
  /** The header fields of the response. */
  readonly headers: Headers;
  readonly #request: string;

  /** @internal */
  constructor(response: Response, request: string) {
    this.status = response.status;
    this.headers = response.headers;
    this.#request = request;
  }

  /** The value of a header field; undefined if it is absent. */
  header(name: string): string | undefined {
    return this.headers.get(name) ?? undefined;
  }

  /** Checks the status. @throws AssertionError that shows the response. */
  assertStatus(expected: number): this {
    if (this.status !== expected)
      throw this.failure(`status ${shown(expected)}`, this.status, expected, this.assertStatus);
    return this;
  }

  /** Checks a header field; without `expected`, only that it exists. @throws AssertionError */
  assertHeader(name: string, expected?: string | RegExp): this {
    const actual = this.header(name);
    const fits =
      actual !== undefined &&
      (expected === undefined ||
        (typeof expected === 'string' ? actual === expected : expected.test(actual)));
    if (!fits) {
      const wanted = `header ${name}: ${expected ?? '(any value)'}`;
      throw this.failure(wanted, actual, expected ?? '(any value)', this.assertHeader);
    }
    return this;
  }

  /**
   * Makes an error that test runners show with the difference of `actual` and `expected`.
   *
   * @internal
   */
  protected failure(
    wanted: string,
    actual: unknown,
    expected: unknown,
    stackStartFn: (...args: never[]) => unknown,
    difference: string = '',
  ): AssertionError {
    const fields = [...this.headers].map(([name, value]) => `  ${name}: ${value}`);
    const head = [`${this.#request}: expected ${wanted}`, `  got ${this.status}`, ...fields].join('\n');
    const message = `${head}\n\n  ${this.shownBody()}${difference}`;
    // Not an operator of node:assert, for which some versions of Node add their own difference to the message.
    return new AssertionError({ message, actual, expected, operator: stackStartFn.name, stackStartFn });
  }

  /** @internal */
  protected shownBody(): string {
    return '(a body that was not read)';
  }
}

/** The start of a body. @internal */
export function shownText(bytes: Uint8Array): string {
  if (bytes.length === 0) return '(no body)';
  const text = new TextDecoder().decode(bytes);
  if (/[\0\ufffd]/.test(text)) return `(${bytes.length} bytes that are not text)`;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text;
}
