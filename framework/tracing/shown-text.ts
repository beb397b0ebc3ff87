// Tracing: escapes text from clients for logs and terminals: one line, and no control characters.

/** C0, DEL, C1, the two line separators of Unicode, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that are escaped.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** The same, except for a line feed before a frame of a stack. */
const HIDDEN_IN_STACK = new RegExp(`(?!\\n {4}at )${HIDDEN.source}`, 'g');
/** Those that JSON does not escape. */
const HIDDEN_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The method of an object that `util.inspect` calls. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Loaded when the first error is shown, because Node 22 loads worker threads and streams with it. */
function util(): typeof import('node:util') | undefined {
  return globalThis.process?.getBuiltinModule?.('node:util');
}

/** Escapes control characters as `\x0a` or `\u202e`, so that text cannot forge a line or control a terminal. */
export function shownText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** JSON text, with control characters as escapes of JSON. */
export function shownJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) => `\\u${hexOf(character, 4)}`);
}

/** The stack of an error. Only frames are on lines of their own; the message may contain text from a client. */
export function shownStack(error: Error): string {
  const message = String(error.message);
  const { stack } = error;
  if (typeof stack !== 'string') return shownText(`${error.name}: ${message}`);
  const at = stack.indexOf(message);
  const end = at === -1 ? 0 : at + message.length;
  return shownText(stack.slice(0, end)) + stack.slice(end).replace(HIDDEN_IN_STACK, escaped);
}

/**
 * A thrown value as `util.inspect` shows it: the stack, the causes and the members; without `node:util`, only the
 * stack.
 *
 * @throws what the value's own code throws, such as a getter of `stack`.
 */
export function shownThrown(thrown: unknown): string {
  const inspect = util()?.inspect;
  if (inspect === undefined) return isError(thrown) ? shownStack(thrown) : shownText(String(thrown));
  // inspect itself adds only line feeds between members, and escapes those in strings.
  const lines = inspect(forShowing(thrown, new Map())).split('\n').map(shownText);
  return lines.join(showsItself(thrown) ? '\n    ' : '\n');
}

/** Whether the value's own code writes the text: its lines are indented, so that none looks like another event. */
function showsItself(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && INSPECT in thrown;
}

/** A copy of an error and its causes with escaped texts. */
function forShowing(thrown: unknown, known: Map<unknown, unknown>): unknown {
  if (!isError(thrown) || showsItself(thrown)) return thrown;
  if (known.has(thrown)) return known.get(thrown);
  const copy = Object.create(Object.getPrototypeOf(thrown), Object.getOwnPropertyDescriptors(thrown));
  known.set(thrown, copy);
  const put = (name: string, value: unknown, enumerable = false) =>
    Object.defineProperty(copy, name, { value, enumerable, configurable: true });
  put('message', shownText(String(thrown.message)));
  put('stack', shownStack(thrown));
  if ('cause' in thrown) put('cause', forShowing(thrown.cause, known));
  if (thrown instanceof AggregateError) {
    put(
      'errors',
      thrown.errors.map((error) => forShowing(error, known)),
    );
  }
  return copy;
}

/** Includes errors of other realms. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || util()?.types.isNativeError(thrown) === true;
}

function escaped(character: string): string {
  return character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`;
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
