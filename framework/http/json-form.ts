// JSON: values whose content JSON.stringify would drop without a word.
import { ownKind } from '../options/own-objects.js';
import { isPromise } from '../promises.js';

/** An object that JSON has as `{}`, although there is something in it. */
interface Hidden {
  /** Its class, such as `Map`. */
  readonly kind: string;
  /** Where it is, such as `items[0].tags`; empty for the value itself. */
  readonly path: string;
}

/** Something that JSON would lose: words such as `a Map at 'user.tags'`, and the remedy. */
export interface Lost {
  readonly it: string;
  readonly remedy: string;
}

/**
 * What JSON.stringify has lost of a value without a word, at any depth; undefined if nothing is.
 *
 * @param text what it has made of the value
 */
export function lostIn(value: unknown, text: string | undefined): Lost | undefined {
  if (text === undefined) return undefined;
  // Content that is lost leaves `{}` behind, which few texts have; but for subclasses with members of their own.
  const hidden = hasEmptyObject(text) ? hiddenIn(value) : hiddenItself(value);
  if (hidden === undefined) return undefined;
  const { kind, path } = hidden;
  const own = OWN[kind];
  if (own !== undefined) return { it: path === '' ? kind : `${kind} at '${path}'`, remedy: own };
  const it = `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
  return { it: path === '' ? it : `${it} at '${path}'`, remedy: REMEDIES[kind] ?? 'convert it first' };
}

const OPENING = 123;
/** How many ends of objects are looked at one by one, as most texts have. */
const FEW = 4;

/** Whether there is `{}`. V8 searches for one character in a fraction of the time that it takes for two. */
export function hasEmptyObject(text: string): boolean {
  let end = text.indexOf('}');
  for (let count = 0; end !== -1; count += 1) {
    if (text.charCodeAt(end - 1) === OPENING) return true;
    if (end === text.length - 1) return false;
    if (count === FEW) return text.includes('{}', end);
    end = text.indexOf('}', end + 1);
  }
  return false;
}

/**
 * The JSON of a value, of which nothing is lost at any depth.
 *
 * @returns undefined if the value has no JSON form
 * @throws Error if JSON would have something of it as `{}`; what JSON.stringify throws
 */
export function jsonOf(value: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw notSerialized(error, value);
  }
  const lost = lostIn(value, text);
  if (lost === undefined) return text;
  throw notSent(lost);
}

function notSent({ it, remedy }: Lost): Error {
  return new Error(`${it} has no JSON form, it would be sent as {}; ${remedy}`);
}

/**
 * The error for what JSON.stringify has thrown: for a bigint, one that says where it is, and one for what overflows the
 * stack. The words of the other differ between runtimes.
 */
export function notSerialized(error: unknown, value: unknown): unknown {
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack')) {
    return new Error('the value is nested too deeply to have a JSON form; send a list of its parts', {
      cause: error,
    });
  }
  if (!(error instanceof TypeError)) return error;
  // The context may have a circle, as by what middleware has put into it.
  const own = typeof value === 'object' && value !== null && ownKind(value) !== undefined;
  const lost = own ? lostIn(value, '') : undefined;
  if (lost !== undefined) return notSent(lost);
  if (!error.message.includes('BigInt')) return error;
  const path = bigintIn(value);
  const it = path === '' ? 'a bigint' : `a bigint at '${path}'`;
  return new Error(`${it} has no JSON form; convert it first, as with String()`, { cause: error });
}

/** Where the first bigint is; empty for the value itself, or if a `toJSON` has made it. */
function bigintIn(root: unknown): string {
  const seen = new Set<object>();
  const waiting: Place[] = [];
  const add = (value: unknown, key: string | number, parent: Place | undefined): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    waiting.push({ value, key, parent });
  };
  add(root, '', undefined);
  // Grows meanwhile.
  for (const place of waiting) {
    if (makesJson(place.value)) continue;
    for (const [key, inner] of Object.entries(place.value)) {
      const step = Array.isArray(place.value) ? Number(key) : key;
      if (typeof inner === 'bigint') return pathOf({ value: place.value, key: step, parent: place });
      add(inner, step, place);
    }
  }
  return '';
}

const REMEDIES: Readonly<Record<string, string>> = {
  Promise: 'await it first',
  query: 'run it first, as with await query.execute()',
  Map: 'convert it first, as with Object.fromEntries()',
  Set: 'convert it first, as with Array.from()',
  RegExp: 'convert it first, as with String()',
  Error: 'send its message, if everybody may know it',
};

/** The remedies for objects of fw. Methods such as `status` return the context, which a short arrow function returns. */
const OWN: Readonly<Record<string, string>> = {
  'the context':
    'return ctx.json(value), the value or nothing, and call ctx.status() or ctx.header() before that',
  'the session': "send what you need of it, such as { userId: session.userId, name: session.get('name') }",
  'the request': 'send what you need of it, such as await ctx.req.json()',
};

/**
 * Whether it is an object of a literal. Its prototype costs a call into V8, and what is asked first is compiled into a
 * comparison; but async iterators may have no constructor of their own.
 */
export function isLiteral(value: object): boolean {
  const { constructor: made, [Symbol.asyncIterator]: iterate } = value as Partial<AsyncIterable<unknown>>;
  if (made === Object && iterate === undefined) return true;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether it is an object of a class. */
function isForeign(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    !Array.isArray(value)
  );
}

interface Place {
  readonly value: object;
  readonly key: string | number;
  readonly parent: Place | undefined;
}

/** With a list of its own, because values may be nested more deeply than calls. */
function hiddenIn(root: unknown): Hidden | undefined {
  const waiting: Place[] = [];
  const add = (value: unknown, key: string | number, parent: Place | undefined): void => {
    if (typeof value === 'object' && value !== null) waiting.push({ value, key, parent });
  };
  add(root, '', undefined);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value } = place;
    if (isForeign(value)) {
      if (makesJson(value)) continue;
      const kind = hidingKind(value);
      if (kind !== undefined) return { kind, path: pathOf(place) };
    }
    if (Array.isArray(value)) for (let i = 0; i < value.length; i += 1) add(value[i], i, place);
    else for (const key of Object.keys(value)) add((value as Record<string, unknown>)[key], key, place);
  }
  return undefined;
}

function hiddenItself(value: unknown): Hidden | undefined {
  if (typeof value !== 'object' || value === null || isLiteral(value)) return undefined;
  const kind = isForeign(value) && !makesJson(value) ? hidingKind(value) : undefined;
  return kind === undefined ? undefined : { kind, path: '' };
}

function makesJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

function hidingKind(value: object): string | undefined {
  const own = ownKind(value);
  if (own !== undefined) return own;
  if (value instanceof Map) return 'Map';
  if (value instanceof Set) return 'Set';
  if (value instanceof ArrayBuffer) return 'ArrayBuffer';
  // Queries of databases too: what they are made of is for nobody else.
  if (isPromise(value)) return 'Promise';
  // A query of Kysely, which runs only by `execute`.
  if (typeof (value as { toOperationNode?: unknown }).toOperationNode === 'function') return 'query';
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  // With members of their own, such as the code of an error of Node, they are not sent as `{}`.
  if (tag === 'Error' || tag === 'DOMException') return Object.keys(value).length === 0 ? 'Error' : undefined;
  return HIDING.test(tag) ? tag : undefined;
}

/** Includes the types that some libraries use for streams, which are not read here. */
const HIDING =
  /^(?:Map|Set|ArrayBuffer|Blob|File|FormData|Headers|URLSearchParams|RegExp|Weak(?:Map|Set|Ref)|ReadableStream|Promise|Response|Request|(?:Async)?Generator|.*Iterator(?: Helper)?)$/;

function pathOf({ key, parent }: Place): string {
  if (parent === undefined) return '';
  const before = pathOf(parent);
  if (typeof key === 'number') return `${before}[${key}]`;
  if (!/^[\w$-]{1,100}$/.test(key)) return `${before}[${JSON.stringify(key.slice(0, 100))}]`;
  return before === '' ? key : `${before}.${key}`;
}
