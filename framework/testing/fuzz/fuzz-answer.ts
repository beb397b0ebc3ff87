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
  | { readonly kind: 'broken'; readonly reason: string };

/** Longer bodies are not read to their end, in characters. */
const LONGEST = 2 ** 20;
/** How long a stream of events is read, in milliseconds. */
const STREAM_MS = 25;

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
  const enough = isStream ? AbortSignal.any([signal, AbortSignal.timeout(STREAM_MS)]) : signal;
  const over = new Promise<'over'>((resolve) => {
    if (enough.aborted) resolve('over');
    enough.addEventListener('abort', () => resolve('over'), { once: true });
  });
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length <= LONGEST) {
      const chunk = await Promise.race([stream.next(), over]);
      if (chunk === undefined)
        return { kind: 'response', status, headers, text: text + decoder.decode(), isComplete: true };
      if (chunk === 'over') {
        if (!isStream) return { kind: 'late', timeoutMs };
        break;
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return { kind: 'response', status, headers, text, isComplete: false };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await stream.close();
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
