// A model of an API: server-sent events (WHATWG HTML, section 9.2.6) from text that arrives in parts.

export interface StreamEvent {
  /** `message` if the event has no name. */
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** A line that never ends must not fill the memory. */
const LONGEST_LINE = 5_000_000;

/** Returns a function that takes the next part, and returns the events that are complete. */
export function eventReader(): (text: string) => StreamEvent[] {
  let parts: string[] = [];
  let length = 0;
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  let wasCarriageReturn = false;
  const line = (text: string): StreamEvent | undefined => {
    if (text === '') {
      const found = data.length > 0 ? { event: event || 'message', data: data.join('\n'), id } : undefined;
      event = '';
      data = [];
      return found;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };
  return (text) => {
    const events: StreamEvent[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      if (character !== '\n' && character !== '\r') {
        wasCarriageReturn = false;
        continue;
      }
      // CR LF is one end of a line, also if it arrives in two parts.
      if (character === '\n' && wasCarriageReturn) {
        wasCarriageReturn = false;
        start = at + 1;
        continue;
      }
      wasCarriageReturn = character === '\r';
      const found = line(parts.join('') + text.slice(start, at));
      if (found !== undefined) events.push(found);
      parts = [];
      length = 0;
      start = at + 1;
    }
    parts.push(text.slice(start));
    length += text.length - start;
    if (length > LONGEST_LINE) throw new Error('a line of the stream is longer than 5 MB');
    return events;
  };
}
