// The server-sent events in what is written to a response, whoever makes them (WHATWG HTML, section 9.2.6).
import type { NotedMessage } from './message-log.js';

/** What waits for its end; more of one event is not looked at. */
const LONGEST_EVENT = 64 * 1024;

export class SseMessages {
  readonly #decoder = new TextDecoder();
  readonly #take: (message: NotedMessage) => void;
  #text = '';
  /** Bytes of the event that is being read, if it is too long. */
  #beyond = 0;

  constructor(take: (message: NotedMessage) => void) {
    this.#take = take;
  }

  write(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    const blocks = (this.#text + text).split(/\r\n\r\n|\n\n|\r\r/);
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      this.#read(block, this.#beyond);
      this.#beyond = 0;
    }
    if (this.#text.length <= LONGEST_EVENT) return;
    // The begin is kept, which is all that is shown of it.
    const kept = LONGEST_EVENT / 2;
    this.#beyond += this.#text.length - kept;
    this.#text = this.#text.slice(0, kept);
  }

  #read(block: string, beyond: number): void {
    let event: string | undefined;
    let id: string | undefined;
    const data: string[] = [];
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, name, value = ''] = /^(data|event|id)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id') id = value;
    }
    // A comment, which keeps the connection open, or a field that changes the next attempt alone.
    if (data.length === 0 && event === undefined && id === undefined) return;
    const text = data.join('\n');
    const name = [event ?? 'message', ...(id === undefined ? [] : [`id ${id}`])].join(', ');
    this.#take({ direction: 'sent', size: Buffer.byteLength(text) + beyond, text, event: name });
  }
}
