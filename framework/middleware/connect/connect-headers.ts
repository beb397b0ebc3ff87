// Interop: header fields as in Node's ServerResponse: one entry per name, lists for repeated fields.
import type { FwHeaders } from '../../http/headers.js';

export type HeaderValue = string | number | readonly string[];

export class ConnectHeaders {
  /** By lower-case name: the name as given and the value. */
  readonly #fields = new Map<string, readonly [name: string, value: HeaderValue]>();
  /** Names of removed fields; the App's default fields with these names are left out too. */
  readonly removed: Set<string> = new Set();

  set(name: string, value: HeaderValue): void {
    if (value === undefined) throw new TypeError(`invalid value undefined of header '${name}'`);
    this.removed.delete(name.toLowerCase());
    this.#fields.set(name.toLowerCase(), [name, value]);
  }

  append(name: string, value: string | readonly string[]): void {
    const present = this.get(name);
    this.set(name, present === undefined ? value : [...asList(present), ...asList(value)]);
  }

  get(name: string): HeaderValue | undefined {
    return this.#fields.get(String(name).toLowerCase())?.[1];
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  remove(name: string): void {
    this.#fields.delete(name.toLowerCase());
    this.removed.add(name.toLowerCase());
  }

  names(): string[] {
    return [...this.#fields.keys()];
  }

  toObject(): Record<string, HeaderValue> {
    const all: Record<string, HeaderValue> = Object.create(null);
    for (const [lower, [, value]] of this.#fields) all[lower] = value;
    return all;
  }

  /** Copies the fields of a response; they replace those of the same name, but cookies are added. */
  merge(headers: FwHeaders): void {
    const own = asList(this.get('set-cookie') ?? []);
    for (const [name] of headers) this.set(name, headers.get(name) as string);
    const cookies = [...own, ...headers.getSetCookie()];
    if (cookies.length > 0) this.set('Set-Cookie', cookies);
  }

  /** Replaces the fields of a response by these. @throws Error if HTTP does not allow a name or a value. */
  writeTo(headers: FwHeaders): void {
    for (const [name] of [...headers]) headers.delete(name);
    for (const [name, value] of this.#fields.values()) {
      if (!Array.isArray(value)) headers.set(name, value as string | number);
      else for (const one of value as readonly string[]) headers.append(name, one);
    }
  }
}

function asList(value: HeaderValue): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [String(value)];
}
