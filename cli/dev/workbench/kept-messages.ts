// The last messages of one WebSocket or event stream. Nothing is masked here.
import type { RawMessage, RawMessages } from '../../process/records.js';

const MOST_MESSAGES = 100;

export class KeptMessages {
  /** All that have passed, also those that are not kept. */
  count = 0;
  /** About as much as they take. */
  bytes = 0;
  end: RawMessages['end'] | 'gone';
  /** What a callback of the app threw last. */
  error: RawMessages['error'];
  #kept: readonly RawMessage[] = [];

  /** The oldest first. */
  get last(): readonly RawMessage[] {
    return this.#kept;
  }

  add({ messages, leftOut, end, error }: RawMessages): void {
    this.count += messages.length + leftOut;
    this.#kept = [...this.#kept, ...messages].slice(-MOST_MESSAGES);
    this.bytes = this.#kept.reduce((sum, one) => sum + 200 + (one.text?.length ?? 0), 0);
    if (end !== undefined) this.end = end;
    if (error !== undefined) this.error = error;
  }
}
