// Response header fields: a small ordered list, case-insensitive, checked on the way in.
import { listsToken } from './field-list.js';

// RFC 9110, section 5.6.2: token. Section 5.5: field values hold no control characters but tab.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

const SET_BY_SERVERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'date', 'upgrade']);

/**
 * Header fields of a response. Names are case-insensitive and keep the case they were first given in;
 * `set-cookie` stays one field per cookie.
 */
export class FwHeaders implements Iterable<[string, string]> {
  /** Lower-case name, name as given, value: three entries a field. */
  #fields: string[] = [];
  #framesItself = false;
  /** Where copies read the same list, it is never written to. */
  // Stryker disable next-line BooleanLiteral: one more copy is the same list
  #isShared = false;
  /** The head of an unchanged copy. */
  #head: string | undefined = undefined;

  /** The same fields for one more response, at next to no cost until one of them is changed. @internal */
  copy(): FwHeaders {
    // Stryker disable next-line AssignmentOperator: the head is made again, and alike
    this.#head ??= this.toHead();
    this.#isShared = true;
    const copy = new FwHeaders();
    copy.#fields = this.#fields;
    copy.#framesItself = this.#framesItself;
    copy.#isShared = true;
    copy.#head = this.#head;
    return copy;
  }

  /** The value of a field; several fields of one name are joined by `, `. */
  get(name: string): string | undefined {
    const lower = name.toLowerCase();
    let value: string | undefined;
    // Stryker disable next-line EqualityOperator: past the end there is no name
    for (let i = 0; i < this.#fields.length; i += 3) {
      if (this.#fields[i] !== lower) continue;
      value = value === undefined ? this.#fields[i + 2] : `${value}, ${this.#fields[i + 2]}`;
    }
    return value;
  }

  has(name: string): boolean {
    return this.#indexOf(name.toLowerCase()) !== -1;
  }

  /**
   * Replaces every field of the name by one.
   *
   * @throws Error when the name is no RFC 9110 token or the value holds a control character.
   */
  set(name: string, value: string | number): void {
    const lower = name.toLowerCase();
    const text = this.#check(name, lower, value);
    const at = this.#indexOf(lower);
    this.#own();
    if (at === -1) {
      this.#fields.push(lower, name, text);
      return;
    }
    this.#fields[at + 2] = text;
    this.#removeFrom(lower, at + 3);
  }

  /** Adds a field beside those of the same name. @throws Error like `set`. */
  append(name: string, value: string | number): void {
    const lower = name.toLowerCase();
    const text = this.#check(name, lower, value);
    this.#own();
    this.#fields.push(lower, name, text);
  }

  delete(name: string): void {
    this.#removeFrom(name.toLowerCase(), 0);
  }

  /** The values of all `Set-Cookie` fields. */
  getSetCookie(): string[] {
    const values: string[] = [];
    // Stryker disable next-line EqualityOperator: past the end there is no name
    for (let i = 0; i < this.#fields.length; i += 3) {
      if (this.#fields[i] === 'set-cookie') values.push(this.#fields[i + 2] as string);
    }
    return values;
  }

  /** Name and value of every field, in order of their first setting. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let i = 0; i < this.#fields.length; i += 3) {
      yield [this.#fields[i + 1] as string, this.#fields[i + 2] as string];
    }
  }

  /** True once a field was set that a server would set itself: it must then not use a prepared head. @internal */
  get framesItself(): boolean {
    return this.#framesItself;
  }

  /** The fields as they stand in an HTTP/1.1 head, each ended by CR LF. @internal */
  toHead(): string {
    // Stryker disable next-line ConditionalExpression: the head is made again, and alike
    if (this.#head !== undefined) return this.#head;
    let head = '';
    for (let i = 0; i < this.#fields.length; i += 3)
      head += `${this.#fields[i + 1]}: ${this.#fields[i + 2]}\r\n`;
    return head;
  }

  /** Checks a field and gives its value as text. */
  #check(name: string, lower: string, value: string | number): string {
    if (!TOKEN.test(name)) {
      throw new Error(`invalid header name ${JSON.stringify(name)}: use letters, digits and '-'`);
    }
    const text = String(value);
    if (FORBIDDEN_IN_VALUE.test(text)) {
      throw new Error(
        `invalid value of header '${name}': ${JSON.stringify(text)} holds characters that no header may; encode it first`,
      );
    }
    if (lower === 'transfer-encoding') {
      throw new Error("'Transfer-Encoding' is set by the server; return a stream to send the body in chunks");
    }
    if (lower === 'trailer') throw new Error("'Trailer' cannot be set: no fields are sent behind a body");
    if (SET_BY_SERVERS.has(lower)) this.#framesItself = true;
    return text;
  }

  /** To be called before every change. */
  #own(): void {
    this.#head = undefined;
    // Stryker disable next-line ConditionalExpression: one more copy is the same list
    if (!this.#isShared) return;
    this.#fields = this.#fields.slice();
    // Stryker disable next-line BooleanLiteral: one more copy is the same list
    this.#isShared = false;
  }

  #indexOf(lower: string): number {
    // Stryker disable next-line EqualityOperator: past the end there is no name
    for (let i = 0; i < this.#fields.length; i += 3) if (this.#fields[i] === lower) return i;
    return -1;
  }

  #removeFrom(lower: string, start: number): void {
    // Stryker disable next-line ArithmeticOperator: past the end there is no name
    for (let i = this.#fields.length - 3; i >= start; i -= 3) {
      if (this.#fields[i] !== lower) continue;
      this.#own();
      this.#fields.splice(i, 3);
    }
  }
}

/** Names a request field that the answer depends on, so that caches keep the answers apart. */
export function addVary(headers: FwHeaders, name: string): void {
  const present = headers.get('Vary');
  if (present === undefined) headers.set('Vary', name);
  else if (!listsToken(present, '*') && !listsToken(present, name.toLowerCase()))
    headers.set('Vary', `${present}, ${name}`);
}
