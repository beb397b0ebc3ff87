// The messages of one WebSocket or event stream that were not told to the supervisor yet.
import type { AppError } from '../../../process/messages.js';
import type { RawMessage, RawMessages } from '../../../process/records.js';

/** As many as the supervisor keeps of a connection; older ones are counted. */
const MOST_MESSAGES = 100;
/** How much of a text is kept, in bytes or characters. */
const TEXT_LIMIT = 2048;

export interface NotedMessage {
  readonly direction: RawMessage['direction'];
  readonly size: number;
  /** Undefined of binary ones. Bytes of UTF-8 are copied. */
  readonly text: string | Uint8Array | undefined;
  /** Of a server-sent event. */
  readonly event?: string | undefined;
}

export class MessageLog {
  readonly #began: number;
  #messages: RawMessage[] = [];
  #leftOut = 0;
  #end: RawMessages['end'];
  #error: AppError | undefined;

  /** @param began when its request began, by `performance.now()` */
  constructor(began: number) {
    this.#began = began;
  }

  /** Whether there is something to tell. */
  get hasNews(): boolean {
    return this.#messages.length > 0 || this.#leftOut > 0 || this.#end !== undefined;
  }

  add({ direction, size, text, event }: NotedMessage): void {
    if (this.#end !== undefined) return;
    if (this.#messages.length === MOST_MESSAGES) {
      this.#messages.shift();
      this.#leftOut += 1;
    }
    const shown = text === undefined ? undefined : beginOf(text);
    this.#messages.push({
      at: performance.now() - this.#began,
      direction,
      size,
      ...(shown !== undefined && { text: shown.text }),
      ...(shown?.isCut === true && { isCut: true as const }),
      ...(event !== undefined && { event: beginOf(event).text }),
    });
  }

  /** A callback of the app threw. @param message what is shown among the messages */
  fail(message: NotedMessage, error: AppError): void {
    this.#error = error;
    this.add(message);
  }

  /** The connection has closed, or is not followed any more. */
  end(how: NonNullable<RawMessages['end']>): void {
    this.#end ??= how;
  }

  /** What there is to tell, which is then told. */
  take(seq: number): RawMessages {
    const news: RawMessages = {
      seq,
      messages: this.#messages,
      leftOut: this.#leftOut,
      ...(this.#end !== undefined && { end: this.#end }),
      ...(this.#error !== undefined && { error: this.#error }),
    };
    this.#error = undefined;
    this.#messages = [];
    this.#leftOut = 0;
    return news;
  }
}

function beginOf(content: string | Uint8Array): { text: string; isCut: boolean } {
  if (typeof content === 'string') {
    return { text: content.slice(0, TEXT_LIMIT), isCut: content.length > TEXT_LIMIT };
  }
  const isCut = content.byteLength > TEXT_LIMIT;
  // A character that was cut in the middle is left out.
  const text = new TextDecoder().decode(content.subarray(0, TEXT_LIMIT), { stream: isCut });
  return { text, isCut };
}
