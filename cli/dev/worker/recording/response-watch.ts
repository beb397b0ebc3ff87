// Notes the response of a recorded request as it is written.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawBody, RawField } from '../../../process/records.js';
import type { NotedMessage } from './message-log.js';
import { SseMessages } from './sse-messages.js';

export interface Head {
  readonly status: number;
  readonly fields: readonly RawField[];
}

/** What was answered so far. */
export interface Answer {
  readonly body: CapturedBody;
  /** Undefined until it was written. */
  head(): Head | undefined;
}

/** The exchange that it belongs to. */
export interface Watched {
  note(part: () => void): void;
  end(state: 'answered' | 'aborted'): void;
  /** A server-sent event was written. */
  streamed(event: NotedMessage): void;
}

type Write = (...args: unknown[]) => never;

export function watchResponse(request: IncomingMessage, response: ServerResponse, of: Watched): Answer {
  const body = new CapturedBody();
  const write = response.write as unknown as Write;
  const end = response.end as unknown as Write;
  // The `end` of HTTP/2 calls `write`.
  let isEnding = false;
  let events: SseMessages | undefined;
  let isFirst = true;

  const take = ([chunk, encoding]: unknown[]): void => {
    body.add(chunk, encoding);
    if (isFirst && isEventStream(headOf(response))) events = new SseMessages((event) => of.streamed(event));
    isFirst = false;
    events?.write(chunk);
  };

  response.write = function writeRecorded(...args: unknown[]) {
    if (isEnding) return write.apply(response, args);
    const result = write.apply(response, args);
    of.note(() => take(args));
    return result;
  } as typeof response.write;

  response.end = function endRecorded(...args: unknown[]) {
    // What comes after the end is refused.
    if (!response.writableEnded) of.note(() => take(args));
    isEnding = true;
    return end.apply(response, args);
  } as typeof response.end;

  response.once('finish', () => of.end('answered'));
  response.once('close', () => of.end('aborted'));
  const isBodiless = () => request.method === 'HEAD' || [204, 304].includes(response.statusCode);
  return {
    get body() {
      return isBodiless() ? new CapturedBody() : body;
    },
    head: () => headOf(response),
  };
}

/** One that is compressed cannot be read. */
function isEventStream(head: Head | undefined): boolean {
  const value = (name: string): string => head?.fields.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  return /^text\/event-stream\b/i.test(value('content-type')) && value('content-encoding') === '';
}

function headOf(response: ServerResponse): Head | undefined {
  if (!response.headersSent) return undefined;
  // The head as text, with the fields that only `writeHead` was given; HTTP/2 has none.
  const { _header: text } = response as unknown as { _header?: unknown };
  const fields = typeof text === 'string' ? parseFields(text) : fieldsOf(response);
  return { status: response.statusCode, fields };
}

/** The fields of a head as it is sent. */
export function parseFields(head: string): RawField[] {
  const fields: RawField[] = [];
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.push([line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+/, '')]);
  }
  return fields;
}

function fieldsOf(response: ServerResponse): RawField[] {
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => {
    if (name.startsWith(':')) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => [name, String(one)] as const);
  });
}

/** How many bytes of a body are kept. */
const BODY_LIMIT: number = 64 * 1024;

export class CapturedBody {
  size = 0;
  readonly #parts: (Buffer | { text: string; encoding: BufferEncoding })[] = [];
  #kept = 0;

  add(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === 'string') this.#addText(chunk, encodingOf(encoding));
    else if (chunk instanceof Uint8Array) this.#addBytes(chunk);
  }

  /** Undefined if nothing passed. */
  raw(): RawBody | undefined {
    if (this.size === 0) return undefined;
    const parts = this.#parts.map((part) => ('text' in part ? Buffer.from(part.text, part.encoding) : part));
    return { size: this.size, data: Buffer.concat(parts).subarray(0, BODY_LIMIT).toString('base64') };
  }

  /** How much memory it takes, about. */
  get kept(): number {
    return this.#kept;
  }

  /** A short text is converted only when it is sent to the supervisor, which is not done with all of them. */
  #addText(text: string, encoding: BufferEncoding): void {
    if (text.length > BODY_LIMIT) {
      this.#addBytes(Buffer.from(text, encoding));
      return;
    }
    const length = Buffer.byteLength(text, encoding);
    this.size += length;
    if (length === 0 || this.#kept >= BODY_LIMIT) return;
    this.#parts.push({ text, encoding });
    this.#kept += length;
  }

  #addBytes(bytes: Uint8Array): void {
    this.size += bytes.byteLength;
    const room = BODY_LIMIT - this.#kept;
    if (bytes.byteLength === 0 || room <= 0) return;
    // A copy: the app may use its buffer again, and a part of a buffer would keep all of it.
    const copy = Buffer.from(bytes.subarray(0, room));
    this.#parts.push(copy);
    this.#kept += copy.length;
  }
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}
