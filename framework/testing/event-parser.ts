// Testing: text of an event stream in, its blocks out (HTML, section 9.2.6).

/** One block of an event stream, as it was sent. */
export interface TestEvent {
  /** `message` where the block names none. */
  readonly event: string;
  /** Lines joined by LF; undefined where the block has no data, so that an EventSource would pass over it. */
  readonly data: string | undefined;
  readonly id: string | undefined;
  /** Milliseconds that a client waits before it connects again. */
  readonly retry: number | undefined;
  readonly comments: readonly string[];
}

/** Reads text piece by piece; a block that the end cuts off is dropped, as browsers do. */
export class EventParser {
  /** The line that has no end yet. */
  #rest = '';
  #heldBreak: '' | '\r' = '';
  #isFirst = true;
  #lines: string[] = [];

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

  /** Only what is new is searched: a line that comes in many pieces costs no more than one that comes whole. */
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
