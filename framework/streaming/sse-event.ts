// Streaming: one server-sent event; its text cannot end it or add another event or field.

import { jsonOf } from '../http/json-form.js';
import { kindOf } from '../options/shown.js';

/** Only `new`, `data` and `comment` make events: other content could end one and begin another. */
const KEY = Symbol('SseEvent');

/**
 * A server-sent event. Whatever its text contains, the client receives exactly one event. `event`, `id` and `retry`
 * change this event and return it.
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
  /** Cached, because a broadcast writes the same event to every subscriber. */
  #text: string | undefined = undefined;

  private constructor(content: readonly string[], key: symbol) {
    if (key !== KEY)
      throw new Error('new SseEvent() is not possible; write SseEvent.new(value) or SseEvent.data(text)');
    this.#content = content;
  }

  /** Makes an event with the JSON of the value as data. @throws Error if the value has no JSON form. */
  static new(payload: unknown): SseEvent {
    const text = jsonOf(payload);
    if (text === undefined) throw new Error(`${kindOf(payload)} has no JSON form; use SseEvent.data(text)`);
    return SseEvent.data(text);
  }

  /** Makes an event with the text as data. Clients read every line break in it as `\n`. */
  static data(text: string): SseEvent {
    return new SseEvent(
      linesOf('data', text).map((line) => `data: ${line}`),
      KEY,
    );
  }

  /** Makes a comment, which clients ignore, for example to keep a connection open. */
  static comment(text: string): SseEvent {
    return new SseEvent(
      linesOf('comment', text).map((line) => `: ${line}`),
      KEY,
    );
  }

  /** Sets the type that clients listen to; `message` by default. @throws Error if the name has a CR or LF. */
  event(name: string): this {
    this.#event = oneLine('event', name);
    return this.#changed();
  }

  /**
   * Sets the id, which the client sends as `Last-Event-ID` when it reconnects.
   *
   * @throws Error if the id has a CR, LF or NUL.
   */
  id(id: string): this {
    // Clients ignore an id with a NUL, and would resume from the id before it.
    if (oneLine('id', id).includes('\0')) throw new Error(`the id ${JSON.stringify(id)} contains a NUL`);
    this.#id = id;
    return this.#changed();
  }

  /**
   * Sets how long the client waits before it reconnects, now and later, in milliseconds.
   *
   * @throws Error if it is not a whole number, 0 or more.
   */
  retry(ms: number): this {
    if (!Number.isSafeInteger(ms) || ms < 0) {
      throw new Error(`${String(ms)} is not a reconnection time: give whole milliseconds, 0 or more`);
    }
    this.#retry = ms;
    return this.#changed();
  }

  /** The event as it is sent; it ends with an empty line (WHATWG HTML, section 9.2.5). */
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
  if (typeof text !== 'string') throw new Error(`SseEvent.${what}() takes a string, got ${kindOf(text)}`);
  return text.split(LINE_BREAK);
}

function oneLine(field: 'event' | 'id', value: string): string {
  if (typeof value !== 'string') throw new Error(`SseEvent ${field}() takes a string, got ${kindOf(value)}`);
  if (!LINE_BREAK.test(value)) return value;
  throw new Error(
    `the ${field} ${JSON.stringify(value)} contains a line break, which would start another field`,
  );
}

const ASCII = /^[\x20-\x7e]*$/;

/** Clients send the id as UTF-8 (WHATWG HTML, section 9.2.3), but servers read header fields as Latin-1. */
export function decodeEventId(value: string | undefined): string | undefined {
  // Stryker disable next-line ConditionalExpression: decoding ASCII gives the same text; this is only faster
  if (value === undefined || ASCII.test(value)) return value;
  const bytes = Uint8Array.from(value, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
