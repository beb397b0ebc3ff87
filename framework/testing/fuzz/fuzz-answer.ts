// Fuzzing: what a request was answered, read as far as the checks need it.
import type { TestStream } from '../test-stream.js';

/** What was read of a response. */
export interface FuzzResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Headers;
  /** The start of the body. */
  readonly text: string;
  /** False for a stream of events, and a body that is very long. */
  readonly isComplete: boolean;
}

export type FuzzAnswer =
  | FuzzResponse
  /** No answer, or no end of it, within the time. */
  | { readonly kind: 'late'; readonly timeoutMs: number }
  /** The connection or the body broke off. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** Nobody listens there any more. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Longer bodies are not read to their end, in characters. */
const LONGEST = 2 ** 20;
/** How long a stream of events is read, in milliseconds, and how long after its first event. */
const STREAM_MS = 25;
const MORE_EVENTS_MS = 5;

export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream/i.test(headers.get('content-type') ?? '');
}

export async function readAnswer(
  stream: TestStream,
  isStream: boolean,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<FuzzAnswer> {
  const { status, headers } = stream;
  const over = new Over(signal);
  if (isStream) over.in(STREAM_MS);
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length <= LONGEST) {
      const chunk = await Promise.race([stream.next(), over.promise]);
      if (chunk === undefined)
        return { kind: 'response', status, headers, text: text + decoder.decode(), isComplete: true };
      if (chunk === 'over') {
        if (!isStream) return { kind: 'late', timeoutMs };
        break;
      }
      if (isStream && text === '') over.in(MORE_EVENTS_MS);
      text += decoder.decode(chunk, { stream: true });
    }
    return { kind: 'response', status, headers, text, isComplete: false };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    over.stop();
    await stream.close();
  }
}

/** When enough was read. */
class Over {
  readonly promise: Promise<'over'>;
  #end!: () => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.promise = new Promise((resolve) => {
      this.#end = () => resolve('over');
    });
    if (signal.aborted) this.#end();
    else signal.addEventListener('abort', this.#end, { once: true });
  }

  /** Instead of what was set before. */
  in(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#end, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#end);
  }
}

/** The value of a body of JSON; undefined if it is not one. */
export function jsonOf({ headers, text, isComplete }: FuzzResponse): unknown {
  if (!isComplete || !/[/+]json\b/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The checks say so.
    return undefined;
  }
}
