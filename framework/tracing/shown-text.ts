// Tracing: text of strangers as a log or a terminal may show it, on one line and without a hidden character.

/** C0, DEL, C1, the two line separators of Unicode, and what turns the direction of text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that are made visible.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** The same but for a line feed before a frame of a stack. */
const HIDDEN_IN_STACK = new RegExp(`(?!\\n {4}at )${HIDDEN.source}`, 'g');
/** What JSON leaves as it is. */
const HIDDEN_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What `util.inspect` asks an object for. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Loaded at the first error that is shown: Node 22 loads its worker threads and streams with it. */
function util(): typeof import('node:util') | undefined {
  return globalThis.process?.getBuiltinModule?.('node:util');
}

/** The text with hidden characters as `\x0a` or `\u202e`, so that it forges no line and steers no terminal. */
export function shownText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** JSON text whose strings show hidden characters by JSON's own escapes. */
export function shownJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) => `\\u${hexOf(character, 4)}`);
}

/** The stack of an error, where only frames begin a line: the message may hold what a client sent. */
export function shownStack(error: Error): string {
  const message = String(error.message);
  const { stack } = error;
  if (typeof stack !== 'string') return shownText(`${error.name}: ${message}`);
  const at = stack.indexOf(message);
  const end = at === -1 ? 0 : at + message.length;
  return shownText(stack.slice(0, end)) + stack.slice(end).replace(HIDDEN_IN_STACK, escaped);
}

/**
 * Anything that was thrown, as `inspect` shows it: the stack, the causes, and the members. Runtimes without
 * `node:util` show the stack.
 *
 * @throws whatever its own code throws, such as a getter of its stack.
 */
export function shownThrown(thrown: unknown): string {
  const inspect = util()?.inspect;
  if (inspect === undefined) return isError(thrown) ? shownStack(thrown) : shownText(String(thrown));
  // What inspect adds are line feeds between members, and strings in quotes with theirs escaped.
  const lines = inspect(forShowing(thrown, new Map())).split('\n').map(shownText);
  return lines.join(showsItself(thrown) ? '\n    ' : '\n');
}

/** Its own code writes the text, so nothing is known of its lines but that they must not look like another event. */
function showsItself(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && INSPECT in thrown;
}

/** A copy of an error, and of what is behind it, whose texts hide nothing. */
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

/** Also of another realm. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || util()?.types.isNativeError(thrown) === true;
}

function escaped(character: string): string {
  return character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`;
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
