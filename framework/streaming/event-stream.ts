// Streaming: makes the response of an event stream, and recognizes such responses.

import { type Chunks, holdErrors, readChunks } from '../http/chunks.js';
import { FwResponse } from '../http/response.js';
import { kindOf } from '../options/shown.js';
import { KeepAlive } from './keep-alive.js';
import { SseEvent } from './sse-event.js';

/** Makes a response of `text/event-stream`; with `pingMs`, a comment is sent after this idle time. */
export function eventStream(events: AsyncIterable<SseEvent>, pingMs?: number): FwResponse {
  holdErrors(events);
  const response = FwResponse.ofStream(new EventStreamBody(events, pingMs), 200);
  response.headers.set('Content-Type', 'text/event-stream');
  response.headers.set('Cache-Control', 'no-cache');
  // Otherwise nginx buffers events until its buffer is full.
  response.headers.set('X-Accel-Buffering', 'no');
  return response;
}

/** Checks the Content-Type, because a web Response can be an event stream too. */
export function isEventStream({ stream, headers }: FwResponse): boolean {
  return stream !== undefined && /^text\/event-stream[\t ]*(?:;|$)/i.test(headers.get('Content-Type') ?? '');
}

/**
 * Not a generator: its `return()` would wait for a pending event, and would not reach `events` at all if the reading
 * never began, as for `HEAD`.
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
  throw new Error(`an event stream yielded ${kindOf(event)}; yield SseEvent.data(text) instead`);
}
