// Streaming: a stream of events as a response, and how servers tell it from other streams.
import { FwResponse } from '../response.js';
import { type Chunks, holdErrors, readChunks } from './chunks.js';
import { KeepAlive } from './keep-alive.js';
import { SseEvent } from './sse-event.js';

/** A response of `text/event-stream`; `pingMs` is the idle time after which a comment is sent, if one is. */
export function eventStream(events: AsyncIterable<SseEvent>, pingMs?: number): FwResponse {
  holdErrors(events);
  const response = new FwResponse(new EventStreamBody(events, pingMs), 200, undefined, true);
  response.headers.set('Content-Type', 'text/event-stream');
  response.headers.set('Cache-Control', 'no-cache');
  // Else nginx collects events until its buffer is full.
  response.headers.set('X-Accel-Buffering', 'no');
  return response;
}

/** Asked of the field, not of the maker: a web Response may carry events too. */
export function isEventStream({ isStream, headers }: FwResponse): boolean {
  return isStream && /^text\/event-stream[\t ]*(?:;|$)/i.test(headers.get('Content-Type') ?? '');
}

/**
 * Not a generator: its `return` would wait for the event that is asked for, and not reach `events` at all
 * where the reading never began, as under HEAD.
 */
class EventStreamBody implements AsyncIterable<string> {
  readonly #events: AsyncIterable<SseEvent>;
  readonly #pingMs: number | undefined;

  constructor(events: AsyncIterable<SseEvent>, pingMs: number | undefined) {
    this.#events = events;
    this.#pingMs = pingMs;
  }

  get locked(): boolean {
    return (this.#events as { locked?: boolean }).locked === true;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    const texts = textsOf(readChunks(this.#events));
    if (this.#pingMs !== undefined) return new KeepAlive(texts, this.#pingMs);
    return {
      next: texts.next,
      return() {
        texts.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

function textsOf(events: Chunks<SseEvent>): Chunks<string> {
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: textOf(value) };
    },
    end: events.end,
  };
}

function textOf(event: unknown): string {
  if (event instanceof SseEvent) return event.toString();
  throw new Error(`an event stream gave a ${typeof event}; make an event of it: SseEvent.data(text)`);
}
