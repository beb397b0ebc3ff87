// Tracing: hides secrets in the fields of events by their names, before a subscriber gets them. What the application
// logs is not changed: only what a secret is in is copied. Without `redact`, nothing here runs.
import { matching, type Rule } from '../options/rules.js';
import type { TracingEvent } from './event.js';
import { inspectSymbol, isError } from './inspected.js';

/**
 * Names that are commonly those of secrets, for the option `redact` of `subscribe`:
 * `redact: [...SECRET_FIELDS, 'user.email']`.
 */
export const SECRET_FIELDS: readonly string[] = Object.freeze([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'csrf_token',
  'jwt',
  'api_key',
  'x-api-key',
  'access_key',
  'private_key',
  'credentials',
  'session_id',
]);

/** What stands in the place of a secret. */
const REDACTED = '[redacted]';

/** Names that are secret in every redaction: of variables that the application has marked. */
const MARKED = new Set<string>();

/** Hides these names too, wherever there is a redaction, from now on. */
export function hideNames(names: readonly string[]): void {
  for (const name of names) MARKED.add(plainName(name));
}

/** An option of a path. The names in it are those of members, `*` for any. */
export const PATH: Rule = matching(
  /^[^.[\]]{1,200}(?:\.[^.[\]]{1,200}){0,15}$/,
  "a name or the end of a path, such as 'password', 'headers.authorization' or '*.token'",
);

/** A value below more members than these is replaced, so that nothing is printed that was not looked at. */
const MOST_DEPTH = 10;
const MOST_VALUES = 10_000;
const TOO_DEEP = '[too deep to redact]';
const TOO_LARGE = '[too large to redact]';

/** The names in front of a secret, from the innermost to the outermost. */
type Around = readonly string[];

/**
 * Makes a function that hides values in the fields and spans of an event. A path is the end of the way to a value: names
 * of members, `*` for any. Lists have no names.
 */
export function redaction(paths: readonly string[]): (event: TracingEvent) => TracingEvent {
  const secrets = new SecretPaths(paths);
  return function redacted(event) {
    const fields = new Search(secrets).clean(event.fields) as TracingEvent['fields'];
    const span = new Search(secrets).clean(event.span) as TracingEvent['span'];
    return fields === event.fields && span === event.span ? event : { ...event, fields, span };
  };
}

class SecretPaths {
  /** What must be around a member, by its name; `*` is any name. */
  readonly #byName = new Map<string, Around[]>();
  readonly #ofAnyName: readonly Around[] | undefined;

  constructor(paths: readonly string[]) {
    for (const path of paths) {
      const [name = '', ...around] = path.split('.').map(plainName).reverse();
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), around]);
    }
    this.#ofAnyName = this.#byName.get('*');
  }

  /** @param way the names of the members around, from the outermost to the innermost */
  has(name: string, way: readonly string[]): boolean {
    return MARKED.has(name) || this.#isIn(this.#byName.get(name), way) || this.#isIn(this.#ofAnyName, way);
  }

  #isIn(paths: readonly Around[] | undefined, way: readonly string[]): boolean {
    if (paths === undefined) return false;
    return paths.some(
      (around) =>
        around.length <= way.length &&
        around.every((one, index) => one === '*' || one === way[way.length - 1 - index]),
    );
  }
}

/** One walk through the fields of an event. */
class Search {
  readonly #secrets: SecretPaths;
  readonly #way: string[] = [];
  readonly #around: unknown[] = [];
  #left = MOST_VALUES;

  constructor(secrets: SecretPaths) {
    this.#secrets = secrets;
  }

  /** The value itself, if nothing in it is a secret; else a copy without. */
  clean(value: unknown): unknown {
    if (typeof value === 'function') return Object.keys(value).length === 0 ? value : '[function]';
    if (typeof value !== 'object' || value === null) return value;
    if (this.#around.includes(value)) return '[circular]';
    if (this.#around.length > MOST_DEPTH) return TOO_DEEP;
    this.#around.push(value);
    try {
      return this.#cleanObject(value);
    } catch {
      // A getter, a Proxy: its text would be made by the same code.
      return '[unreadable]';
    } finally {
      this.#around.pop();
    }
  }

  #cleanObject(value: object): unknown {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.#cleanPlain(value);
    if (value instanceof Date || ArrayBuffer.isView(value)) return value;
    if (isError(value)) return this.#cleanError(value);
    if (Array.isArray(value)) return this.#cleanList(value);
    if (value instanceof Set) {
      const list = [...value];
      const cleaned = this.#cleanList(list);
      return cleaned === list ? value : new Set(cleaned);
    }
    if (hasEntries(value)) return this.#cleanEntries(value);
    return this.#cleanPlain(value);
  }

  #cleanPlain(value: object): unknown {
    const { toJSON } = value as { toJSON?: unknown };
    // What is printed as JSON; the members of the object itself may be others.
    if (typeof toJSON === 'function') {
      const json: unknown = toJSON.call(value);
      if (json !== value) return this.clean(json);
    }
    return this.#cleanMembers(value);
  }

  #cleanMembers(value: object): object {
    let copy: Record<string, unknown> | undefined;
    // Its own code could show members that are not looked at.
    if (typeof (value as Record<symbol, unknown>)[inspectSymbol] === 'function') copy = { ...value };
    for (const name of Object.keys(value)) {
      const given = (value as Record<string, unknown>)[name];
      const cleaned = this.#cleanMember(name, given);
      if (cleaned === given) continue;
      copy ??= { ...value };
      define(copy, name, cleaned);
    }
    return copy ?? value;
  }

  #cleanMember(name: string, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    if (this.#left <= 0) return TOO_LARGE;
    this.#left -= 1;
    const plain = plainName(name);
    if (this.#secrets.has(plain, this.#way)) return REDACTED;
    if (typeof value !== 'object' && typeof value !== 'function') return value;
    this.#way.push(plain);
    const cleaned = this.clean(value);
    this.#way.pop();
    return cleaned;
  }

  #cleanList(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      if (this.#left <= 0) return [...(copy ?? list).slice(0, index), TOO_LARGE];
      this.#left -= 1;
      const cleaned = this.clean(list[index]);
      if (cleaned === list[index]) continue;
      copy ??= [...list];
      copy[index] = cleaned;
    }
    return copy ?? list;
  }

  #cleanEntries(value: Iterable<[unknown, unknown]>): unknown {
    let isChanged = false;
    const copy = new Map<unknown, unknown>();
    for (const [name, given] of value) {
      const cleaned = typeof name === 'string' ? this.#cleanMember(name, given) : this.clean(given);
      const cleanedName = this.clean(name);
      if (cleaned !== given || cleanedName !== name) isChanged = true;
      copy.set(cleanedName, cleaned);
    }
    return isChanged ? copy : value;
  }

  /** Also its cause and its errors, which need not be enumerable. Getters are not run. */
  #cleanError(error: Error): Error {
    const members = Object.getOwnPropertyDescriptors(error) as Record<string, PropertyDescriptor>;
    let isChanged = false;
    for (const [name, member] of Object.entries(members)) {
      if (name === 'message' || name === 'stack' || name === 'name') continue;
      const given: unknown = member.value;
      const cleaned = 'value' in member ? this.#cleanMember(name, given) : '[Getter]';
      if (cleaned === given) continue;
      isChanged = true;
      members[name] = { value: cleaned, enumerable: member.enumerable === true, configurable: true };
    }
    if (!isChanged) return error;
    // The stack of some engines is a getter of the error itself, which a copy does not have.
    const stack = { value: error.stack, configurable: true, writable: true };
    return Object.create(Object.getPrototypeOf(error) as object, { ...members, stack }) as Error;
  }
}

/** A member called `__proto__` is one like others. */
function define(copy: object, name: string, value: unknown): void {
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A Map, or one of the platform's: header fields, parameters of a query, the fields of a form. */
function hasEntries(value: object): value is Iterable<[unknown, unknown]> {
  if (value instanceof Map) return true;
  return [globalThis.Headers, globalThis.URLSearchParams, globalThis.FormData].some(
    (kind) => kind !== undefined && value instanceof kind,
  );
}

const MOST_NAMES = 1000;
const NAMES = new Map<string, string>();

/** The same for `apiKey`, `api_key` and `API-Key`. An error is `err` in JSON, and both names are one. */
function plainName(name: string): string {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  const result = plain === 'error' ? 'err' : plain === '' ? name : plain;
  if (NAMES.size < MOST_NAMES && name.length <= 200) NAMES.set(name, result);
  return result;
}
