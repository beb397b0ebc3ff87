// Notes the response of a recorded request as it is written.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawField } from '../../../process/records.js';
import { CapturedBody } from './captured-body.js';

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
}

type Write = (...args: unknown[]) => never;

export function watchResponse(request: IncomingMessage, response: ServerResponse, of: Watched): Answer {
  const body = new CapturedBody();
  const write = response.write as unknown as Write;
  const end = response.end as unknown as Write;
  // The `end` of HTTP/2 calls `write`.
  let isEnding = false;

  response.write = function writeRecorded(...args: unknown[]) {
    if (!isEnding) of.note(() => body.add(args[0], args[1]));
    return write.apply(response, args);
  } as typeof response.write;

  response.end = function endRecorded(...args: unknown[]) {
    // What comes after the end is refused.
    if (!response.writableEnded) of.note(() => body.add(args[0], args[1]));
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
