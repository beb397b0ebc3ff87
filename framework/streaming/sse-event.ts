// Streaming: one server-sent event, refused or escaped until it can be nothing else.

/**
 * An event of an event stream. Whatever the text holds, it is exactly one event on the other side.
 *
 * ```ts
 * SseEvent.new({ price: 12 }).event('price').id('42');
 * ```
 */
export class SseEvent {
  readonly #content: readonly string[];
  #event: string | undefined = undefined;
  #id: string | undefined = undefined;
  #retry: number | undefined = undefined;
  /** Made once: a broadcast writes the same event to every subscriber. */
  #text: string | undefined = undefined;

  private constructor(content: readonly string[]) {
    this.#content = content;
  }

  /** An event whose data is the value's JSON. @throws Error when the value has no JSON form. */
  static new(payload: unknown): SseEvent {
    const text: string | undefined = JSON.stringify(payload);
    if (text === undefined) throw new Error(`a ${typeof payload} has no JSON form; use SseEvent.data(text)`);
    return SseEvent.data(text);
  }

  /** An event with this text. Clients read every line break in it as `\n`. */
  static data(text: string): SseEvent {
    return new SseEvent(linesOf('data', text).map((line) => `data: ${line}`));
  }

  /** Lines that clients pass over. They keep a connection busy, and show in a trace. */
  static comment(text: string): SseEvent {
    return new SseEvent(linesOf('comment', text).map((line) => `: ${line}`));
  }

  /** The type that clients listen to; `message` without one. @throws Error when the name has a CR or LF. */
  event(name: string): this {
    this.#event = oneLine('event', name);
    return this.#changed();
  }

  /** What a client sends as `Last-Event-ID` when it reconnects. @throws Error when the id has a CR, LF or NUL. */
  id(id: string): this {
    // Clients ignore an id with a NUL, and would resume from the one before.
    if (oneLine('id', id).includes('\0')) throw new Error(`the id ${JSON.stringify(id)} holds a NUL`);
    this.#id = id;
    return this.#changed();
  }

  /** How long clients wait before they reconnect, from now on, in milliseconds. @throws Error unless it is a whole number. */
  retry(ms: number): this {
    if (!Number.isSafeInteger(ms) || ms < 0) {
      throw new Error(`${ms} is no reconnection time: give whole milliseconds, 0 or more`);
    }
    this.#retry = ms;
    return this.#changed();
  }

  /** The event as it is sent: WHATWG HTML, section 9.2.5 (parsing an event stream), ends it at an empty line. */
  toString(): string {
    this.#text ??= this.#write();
    return this.#text;
  }

  #changed(): this {
    this.#text = undefined;
    return this;
  }

  #write(): string {
    const lines: string[] = [];
    if (this.#event !== undefined) lines.push(`event: ${this.#event}`);
    if (this.#id !== undefined) lines.push(`id: ${this.#id}`);
    if (this.#retry !== undefined) lines.push(`retry: ${this.#retry}`);
    return `${[...lines, ...this.#content].join('\n')}\n\n`;
  }
}

const LINE_BREAK = /\r\n|\r|\n/;

function linesOf(what: 'data' | 'comment', text: string): string[] {
  if (typeof text !== 'string') throw new Error(`SseEvent.${what}() takes a string, got a ${typeof text}`);
  return text.split(LINE_BREAK);
}

function oneLine(field: 'event' | 'id', value: string): string {
  if (typeof value !== 'string') throw new Error(`SseEvent ${field}() takes a string, got a ${typeof value}`);
  if (!LINE_BREAK.test(value)) return value;
  throw new Error(
    `the ${field} ${JSON.stringify(value)} holds a line break, which would begin another field`,
  );
}
