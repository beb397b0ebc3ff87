// Response header fields: a small ordered list with case-insensitive names; names and values are checked when set.
import { kindOf } from '../options/shown.js';
import { listsToken } from './field-list.js';

// RFC 9110, section 5.6.2: token. Section 5.5: field values contain no control characters except tab.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

const SET_BY_SERVERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'date', 'upgrade']);

/**
 * Header fields of a response. Names are case-insensitive and are sent in the case in which they were first set.
 * `Set-Cookie` stays one field per cookie.
 */
export class FwHeaders implements Iterable<[string, string]> {
  /** Three entries per field: lower-case name, name as given, value. */
  #fields: string[] = [];
  #framesItself = false;
  /** True if copies share the list, which then must not be changed. */
  // Stryker disable next-line BooleanLiteral: an additional copy of the list has the same content
  #isShared = false;
  /** The names of fields that were only added, in lower case. */
  #added: ReadonlySet<string> | undefined = undefined;
  /** The serialized fields, for as long as they are not changed. */
  #head: string | undefined = undefined;

  /** A copy for another response, which shares the list until one of the two is changed. @internal */
  copy(): FwHeaders {
    // Stryker disable next-line AssignmentOperator: serializing again gives the same head
    this.#head ??= this.toHead();
    this.#isShared = true;
    const copy = new FwHeaders();
    copy.#fields = this.#fields;
    copy.#framesItself = this.#framesItself;
    copy.#isShared = true;
    copy.#head = this.#head;
    return copy;
  }

  /** The value of a field; undefined if it is absent. Several fields of one name are joined by `, `. */
  get(name: string): string | undefined {
    const lower = name.toLowerCase();
    let value: string | undefined;
    // Stryker disable next-line EqualityOperator: there is no name after the end
    for (let i = 0; i < this.#fields.length; i += 3) {
      if (this.#fields[i] !== lower) continue;
      value = value === undefined ? this.#fields[i + 2] : `${value}, ${this.#fields[i + 2]}`;
    }
    return value;
  }

  /** Whether there is a field of this name. */
  has(name: string): boolean {
    return this.#indexOf(name.toLowerCase()) !== -1;
  }

  /**
   * Sets a field, replacing all fields of the same name.
   *
   * @throws Error if the name is not a token (RFC 9110, section 5.6.2), the value contains a control character or
   * a character outside of Latin-1, or the field is `Transfer-Encoding` or `Trailer`.
   */
  set(name: string, value: string | number): void {
    const lower = name.toLowerCase();
    const text = this.#check(name, lower, value);
    const at = this.#indexOf(lower);
    this.#own();
    if (this.wasAdded(lower)) this.#added = new Set([...(this.#added ?? [])].filter((one) => one !== lower));
    if (at === -1) {
      this.#fields.push(lower, name, text);
      return;
    }
    this.#fields[at + 2] = text;
    this.#removeFrom(lower, at + 3);
  }

  /** Adds a field and keeps those of the same name. @throws Error like `set`. */
  append(name: string, value: string | number): void {
    const lower = name.toLowerCase();
    const text = this.#check(name, lower, value);
    this.#own();
    this.#fields.push(lower, name, text);
  }

  /** Adds a field that `setFields` adds to those of its name, unless one was set here before. @internal */
  addTo(name: string, value: string | number): void {
    if (!this.has(name)) this.#added = new Set(this.#added).add(name.toLowerCase());
    this.append(name, value);
  }

  /** Whether the fields of this name were only added. @internal */
  wasAdded(lower: string): boolean {
    return this.#added?.has(lower) === true;
  }

  /** Adds a field in place of one of the same name whose value is replaced by this one. @internal */
  appendUnlike(name: string, value: string, isReplaced: (present: string) => boolean): void {
    const lower = name.toLowerCase();
    const text = this.#check(name, lower, value);
    this.#own();
    for (let i = this.#fields.length - 3; i >= 0; i -= 3) {
      if (this.#fields[i] === lower && isReplaced(this.#fields[i + 2] as string)) this.#fields.splice(i, 3);
    }
    this.#fields.push(lower, name, text);
  }

  /** Removes all fields of this name. */
  delete(name: string): void {
    this.#removeFrom(name.toLowerCase(), 0);
  }

  /** The values of all `Set-Cookie` fields. */
  getSetCookie(): string[] {
    const values: string[] = [];
    // Stryker disable next-line EqualityOperator: there is no name after the end
    for (let i = 0; i < this.#fields.length; i += 3) {
      if (this.#fields[i] === 'set-cookie') values.push(this.#fields[i + 2] as string);
    }
    return values;
  }

  /** Name and value of every field, in the order in which they were first set. */
  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (let i = 0; i < this.#fields.length; i += 3) {
      yield [this.#fields[i + 1] as string, this.#fields[i + 2] as string];
    }
  }

  /** True if a field was set that servers set themselves; they must then not use a prepared head. @internal */
  get framesItself(): boolean {
    return this.#framesItself;
  }

  /** The fields as text of an HTTP/1.1 head, each terminated by CR LF. @internal */
  toHead(): string {
    // Stryker disable next-line ConditionalExpression: serializing again gives the same head
    if (this.#head !== undefined) return this.#head;
    let head = '';
    for (let i = 0; i < this.#fields.length; i += 3)
      head += `${this.#fields[i + 1]}: ${this.#fields[i + 2]}\r\n`;
    return head;
  }

  /** Checks a field and returns its value as text. */
  #check(name: string, lower: string, value: string | number): string {
    if (!TOKEN.test(name)) {
      throw new Error(`invalid header name ${JSON.stringify(name)}: use letters, digits and '-'`);
    }
    // Callers in JavaScript pass what is missing.
    if (typeof value !== 'string' && !Number.isFinite(value)) {
      const given = typeof value === 'number' ? value : kindOf(value);
      throw new Error(`the value of header '${name}' is ${given}; give a string or a number`);
    }
    const text = String(value);
    if (FORBIDDEN_IN_VALUE.test(text)) {
      throw new Error(
        `invalid value of header '${name}': ${JSON.stringify(text)} contains characters that HTTP does not allow; encode it first`,
      );
    }
    if (lower === 'transfer-encoding') {
      throw new Error("'Transfer-Encoding' is set by the server; return a stream to send the body in chunks");
    }
    if (lower === 'trailer')
      throw new Error("'Trailer' cannot be set: the server does not send trailer fields");
    if (SET_BY_SERVERS.has(lower)) this.#framesItself = true;
    return text;
  }

  /** Must be called before every change. */
  #own(): void {
    this.#head = undefined;
    // Stryker disable next-line ConditionalExpression: an additional copy of the list has the same content
    if (!this.#isShared) return;
    this.#fields = this.#fields.slice();
    // Stryker disable next-line BooleanLiteral: an additional copy of the list has the same content
    this.#isShared = false;
  }

  #indexOf(lower: string): number {
    // Stryker disable next-line EqualityOperator: there is no name after the end
    for (let i = 0; i < this.#fields.length; i += 3) if (this.#fields[i] === lower) return i;
    return -1;
  }

  #removeFrom(lower: string, start: number): void {
    // Stryker disable next-line ArithmeticOperator: there is no name after the end
    for (let i = this.#fields.length - 3; i >= start; i -= 3) {
      if (this.#fields[i] !== lower) continue;
      this.#own();
      this.#fields.splice(i, 3);
    }
  }
}

/** Sets fields in place of those of the same name; cookies are added, and what is added by `addTo`. */
export function setFields(headers: FwHeaders, fields: FwHeaders): void {
  const seen: string[] = [];
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie' || fields.wasAdded(lower) || seen.includes(lower)) headers.append(name, value);
    else headers.set(name, value);
    seen.push(lower);
  }
}

/** Adds a request field that the response depends on to `Vary`, so that caches store the variants separately. */
export function addVary(headers: FwHeaders, name: string): void {
  const present = headers.get('Vary');
  if (present === undefined) headers.set('Vary', name);
  else if (!listsToken(present, '*') && !listsToken(present, name.toLowerCase()))
    headers.set('Vary', `${present}, ${name}`);
}
