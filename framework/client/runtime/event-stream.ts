// The client: one connection of a subscription, over which the server sends events.
import type { FwRpcProcedure } from './calls.js';
import { fetchOf } from './csrf.js';
import type { FwRpcConnection } from './define-client.js';
import {
  type FwRpcCallOptions,
  FwRpcHttpError,
  type FwRpcRequestOptions,
  type FwRpcTextResponse,
  mergedFields,
  parsedText,
  readJson,
} from './requests.js';
import {
  abortReason,
  type FwRpcSignal,
  FwRpcTimeoutError,
  LONGEST_MS,
  platform,
  untilAborted,
} from './signals.js';

/** The part of a reader of a ReadableStream that the client uses. */
export interface FwRpcReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The part of a Response that the client uses. */
export interface FwRpcStreamResponse extends FwRpcTextResponse {
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): FwRpcReader } | null;
}

export interface FwRpcStreamOptions extends FwRpcRequestOptions<string, FwRpcStreamResponse> {}

/** What differs between subscriptions over JSON-RPC and over REST. */
export interface FwRpcStreamProtocol {
  request(
    connection: FwRpcConnection<unknown>,
    name: string,
    input: unknown,
  ): {
    readonly url: string;
    readonly method: string;
    readonly body?: string;
    readonly headers: Record<string, string>;
  };
  /** The error in the text of a successful response that is not a stream; undefined if there is none. */
  refusal(text: string, url: string, name: string): Error | undefined;
  /** What the server has sent as an event, or over a socket, because the subscription has failed. */
  failure(sent: unknown, procedure: readonly [string, FwRpcProcedure]): Error;
  httpError(
    response: { readonly status: number; readonly statusText: string },
    body: unknown,
    procedure: readonly [string, FwRpcProcedure],
  ): Error;
  /** Whether another connection may help. */
  isLost(error: unknown): boolean;
}

/** What a subscription keeps when it reconnects. */
interface FwRpcProgress {
  lastEventId: string | undefined;
  wasOpen: boolean;
  /** Whether what fails now is not the connection: the server has sent an error, or the caller has an event. */
  isFinal: boolean;
  attempts: number;
}

/** Why a connection ends whose events nobody reads any more. */
export const LEFT: Error = new Error('the subscription was left');

/** A connection is lost if nothing arrived for so many intervals of the server's comments. */
const MISSED_HEARTBEATS = 3;

/** Whether a status says that another connection may help; also what is not the answer of a server. */
export function isLostStatus(error: unknown): boolean {
  if (!(error instanceof FwRpcHttpError)) return true;
  return error.status >= 500 || error.status === 408 || error.status === 429;
}

/** A connection that can be cut, and is cut when it is silent for too long. */
class FwRpcWatchedStream {
  readonly signal: FwRpcSignal;
  readonly #controller = new platform.AbortController();
  #reader: FwRpcReader | undefined;
  #timer: unknown;

  constructor() {
    this.signal = this.#controller.signal;
  }

  read(reader: FwRpcReader): void {
    this.#reader = reader;
    // A fetch that ignores signals has opened it too late.
    if (this.signal.aborted) reader.cancel().catch(() => undefined);
  }

  cut(reason: unknown): void {
    this.#controller.abort(reason);
    // For a fetch that ignores signals; otherwise the reader has failed already.
    this.#reader?.cancel().catch(() => undefined);
  }

  within(ms: number, reason: () => Error): void {
    this.rest();
    if (ms > LONGEST_MS) return;
    this.#timer = platform.setTimeout(() => {
      this.cut(reason());
    }, ms);
  }

  rest(): void {
    platform.clearTimeout(this.#timer);
  }

  check(): void {
    if (this.signal.aborted) throw abortReason(this.signal);
  }
}

/** The events of one connection; throws if it ends before the subscription does. */
export async function* streamEvents(
  connection: FwRpcConnection<FwRpcStreamOptions>,
  protocol: FwRpcStreamProtocol,
  procedure: readonly [string, FwRpcProcedure],
  input: unknown,
  options: FwRpcCallOptions & { readonly onState?: ((state: 'open') => void) | undefined },
  ended: FwRpcSignal,
  progress: FwRpcProgress,
): AsyncGenerator<unknown, void, undefined> {
  if (ended.aborted) throw abortReason(ended);
  const request = protocol.request(connection, procedure[0], input);
  const { url } = request;
  const stream = new FwRpcWatchedStream();
  const leave = (): void => {
    stream.cut(abortReason(ended));
  };
  ended.addEventListener('abort', leave);
  try {
    const timeoutMs = options.timeoutMs ?? connection.options.timeoutMs ?? Infinity;
    stream.within(timeoutMs, () => new FwRpcTimeoutError(timeoutMs));
    const opening = async (): Promise<FwRpcReader> => {
      const response = await openStream(connection, request, procedure[0], options, progress, stream);
      const opened = await readerOf(response, protocol, procedure, url);
      stream.read(opened);
      return opened;
    };
    // Neither a function that makes header fields nor fetch need to know of signals.
    const reader = await Promise.race([untilAborted(stream.signal), opening()]);
    const decoder = new streams.TextDecoder();
    const read = frameReader();
    let silentMs: number | undefined;
    for (;;) {
      stream.check();
      if (silentMs !== undefined) {
        const ms = silentMs;
        stream.within(ms, () => new Error(`${url} sent nothing for ${String(ms)} ms`));
      }
      const { done, value } = await reader.read();
      stream.check();
      if (done) throw new Error(`the connection to ${url} was closed before the subscription was done`);
      if (silentMs !== undefined) {
        // The time in which the caller works on an event does not count.
        stream.rest();
        progress.attempts = 0;
      }
      for (const { event, data, id } of read(decoder.decode(value, { stream: true }))) {
        if (event === 'done') return;
        if (event === 'error') {
          progress.isFinal = true;
          throw protocol.failure(readJson(data, url), procedure);
        }
        if (event === 'ready') {
          stream.rest();
          silentMs = (readJson(data, url) as { heartbeatMs: number }).heartbeatMs * MISSED_HEARTBEATS;
          progress.wasOpen = true;
          // What the callback throws is not of the connection.
          progress.isFinal = true;
          options.onState?.('open');
          progress.isFinal = false;
        } else if (event === '') {
          progress.attempts = 0;
          progress.lastEventId = id ?? progress.lastEventId;
          const sent = readJson(data, url);
          progress.isFinal = true;
          yield sent;
          progress.isFinal = false;
          stream.check();
        }
      }
    }
  } finally {
    stream.rest();
    ended.removeEventListener('abort', leave);
    stream.cut(LEFT);
  }
}

async function openStream(
  { options }: FwRpcConnection<FwRpcStreamOptions>,
  { url, method, body, headers: own }: ReturnType<FwRpcStreamProtocol['request']>,
  name: string,
  call: FwRpcCallOptions,
  { lastEventId }: FwRpcProgress,
  stream: FwRpcWatchedStream,
): Promise<FwRpcStreamResponse> {
  const { headers: common, checkContract } = options;
  const fetch = fetchOf(options);
  const headers = mergedFields(
    { ...own, Accept: 'text/event-stream' },
    checkContract?.field([name]),
    typeof common === 'function' ? await common() : common,
    call.headers,
    lastEventId === undefined ? {} : { 'Last-Event-ID': latin1(lastEventId) },
  );
  stream.check();
  const { signal } = stream;
  const init = { method, headers, signal };
  return await fetch(url, body === undefined ? init : { ...init, body });
}

/** @throws Error if the response is not a stream of events */
async function readerOf(
  response: FwRpcStreamResponse,
  protocol: FwRpcStreamProtocol,
  procedure: readonly [string, FwRpcProcedure],
  url: string,
): Promise<FwRpcReader> {
  const { body, ok } = response;
  const isStream = /^text\/event-stream/i.test(response.headers.get('Content-Type') ?? '');
  if (ok && isStream && body !== null) return body.getReader();
  const text = await response.text();
  if (!ok) throw protocol.httpError(response, parsedText(text), procedure);
  const refusal = protocol.refusal(text, url, procedure[0]);
  throw (
    refusal ??
    new Error(`${url} answered '${text.trim().slice(0, 60)}' instead of events; is the base URL right?`)
  );
}

interface FwRpcFrame {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

interface FwRpcStreamGlobals {
  readonly TextDecoder: new () => {
    decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string;
  };
}

const streams = globalThis as unknown as FwRpcStreamGlobals;

/** Reads server-sent events (WHATWG HTML, section 9.2.6) from text that arrives in parts. */
function frameReader(): (text: string) => FwRpcFrame[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  return (text) => {
    const frames: FwRpcFrame[] = [];
    // Only the new text is searched, so that a line in many parts takes no more time than one in a single part.
    const lines = text.split('\n');
    lines[0] = rest + String(lines[0]);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (event !== '' || data.length > 0) frames.push({ event, data: data.join('\n'), id });
        event = '';
        data = [];
        id = undefined;
      }
      // With \u2028 and \u2029 too, which JSON has as they are and which end no line here.
      const [, field = '', value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') event = value;
      else if (field === 'id') id = value;
    }
    return frames;
  };
}

/** Header fields are sent as Latin-1, but an id as UTF-8. */
function latin1(text: string): string {
  return encodeURIComponent(text).replace(/%([\dA-F]{2})/g, (_found, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
