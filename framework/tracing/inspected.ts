// Tracing: any value as text, by `util.inspect` where the runtime has it. Nothing here throws.

let source: unknown;
let loaded: typeof import('node:util') | undefined;

/** Loaded when the first error is shown, because Node 22 loads worker threads and streams with it. */
function util(): typeof import('node:util') | undefined {
  const get = globalThis.process?.getBuiltinModule;
  if (get !== source) {
    loaded = globalThis.process?.getBuiltinModule?.('node:util');
    source = get;
  }
  return loaded;
}

/** The name of a method by which an object shows itself to `util.inspect`. */
export const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** Such a value runs code at every use. `util.inspect` shows what is inside without that. */
export function isProxy(value: unknown): boolean {
  return util()?.types.isProxy(value) === true;
}

/**
 * A value as `util.inspect` shows it. Its own code for that is left out if it throws.
 *
 * @param isShort on one line, and not to a great depth
 */
export function inspected(value: unknown, isShort = false): string {
  const inspect = util()?.inspect;
  const options = isShort ? { breakLength: Number.POSITIVE_INFINITY, maxStringLength: 1_000 } : {};
  const ways = [
    () => (inspect === undefined ? shownText(String(value)) : inspect(value, options)),
    () => (inspect === undefined ? '' : inspect(value, { ...options, customInspect: false })),
  ];
  for (const way of ways) {
    try {
      const text: unknown = way();
      if (typeof text === 'string' && text !== '') return text;
    } catch {
      // The next way runs less code of the value.
    }
  }
  return 'a value that cannot be shown';
}

/** C0, DEL, C1, the two line separators of Unicode, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that are escaped.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Those that JSON does not escape. */
const HIDDEN_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters as `\x0a` or `\u202e`, so that text cannot forge a line or control a terminal. */
export function shownText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** JSON text, with control characters as escapes of JSON. */
export function shownJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) => `\\u${hexOf(character, 4)}`);
}

function escaped(character: string): string {
  return character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`;
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}

/** Includes errors of other realms, such as `node:vm` and jest, and errors of the platform. */
export function isError(thrown: unknown): thrown is Error {
  if (typeof thrown !== 'object' || thrown === null || isProxy(thrown)) return false;
  try {
    return (
      Object.getPrototypeOf(thrown) !== Object.prototype &&
      (thrown instanceof Error ||
        util()?.types.isNativeError(thrown) === true ||
        /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(thrown)))
    );
  } catch {
    // Its own code throws.
    return false;
  }
}
