// Testing: parses an event stream into its blocks (WHATWG HTML, section 9.2.6).

/** One block of an event stream: an event, or only comments. */
export interface TestEvent {
  /** The type of the event; `message` if the block has none. */
  readonly event: string;
  /** The data lines joined by LF; undefined if the block has none, so that an EventSource would ignore it. */
  readonly data: string | undefined;
  readonly id: string | undefined;
  /** How many milliseconds the client waits before it reconnects. */
  readonly retry: number | undefined;
  readonly comments: readonly string[];
}

/** Parses text chunk by chunk; an incomplete block at the end is dropped, as in browsers. */
export class EventParser {
  /** The last line, which is not complete yet. */
  #rest = '';
  #heldBreak: '' | '\r' = '';
  #isFirst = true;
  readonly #lines: string[] = [];

  push(text: string): TestEvent[] {
    const start = this.#isFirst ? text.replace(/^\ufeff/, '') : text;
    this.#isFirst &&= text === '';
    const events: TestEvent[] = [];
    for (const line of this.#completeLines(start)) {
      if (line !== '') this.#lines.push(line);
      else if (this.#lines.length > 0) events.push(parseBlock(this.#lines.splice(0)));
    }
    return events;
  }

  /** Searches only the new text, so that a line in many chunks takes no more time than one in a single chunk. */
  #completeLines(text: string): string[] {
    // A CR at the end may be half of CR LF.
    const lines = (this.#heldBreak + text).split(/\r\n|\n|\r(?!$)/);
    const last = lines.pop() as string;
    this.#heldBreak = last.endsWith('\r') ? '\r' : '';
    const unfinished = this.#heldBreak === '' ? last : last.slice(0, -1);
    if (lines.length === 0) {
      this.#rest += unfinished;
      return lines;
    }
    lines[0] = this.#rest + lines[0];
    this.#rest = unfinished;
    return lines;
  }
}

function parseBlock(lines: readonly string[]): TestEvent {
  let event = 'message';
  let id: string | undefined;
  let retry: number | undefined;
  const data: string[] = [];
  const comments: string[] = [];
  for (const line of lines) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (field === 'event' && value !== '') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
    else if (field === '' && line.startsWith(':')) comments.push(value);
  }
  return { event, data: data.length === 0 ? undefined : data.join('\n'), id, retry, comments };
}
