// The header fields that are sent with a response, in every runtime.
import type { FwResponse } from '../http/response.js';
import { isEventStream } from '../streaming/event-stream.js';

/**
 * Alternating names and values: of the response, then of the App. Servers set the Content-Length of a body in memory.
 *
 * @param isHead whether the request is HEAD
 */
export function sentFields(response: FwResponse, isHead: boolean): string[] {
  const { headers, defaultHeaders } = response;
  if (!keepsLength(response, isHead)) headers.delete('Content-Length');
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  for (const [name, value] of defaultHeaders) fields.push(name, value);
  return fields;
}

/** The fields of a response that switches the protocol, in pairs. */
export function fieldPairs(response: FwResponse): [name: string, value: string][] {
  const fields = sentFields(response, false);
  return fields.flatMap((name, index) =>
    index % 2 === 0 ? [[name, fields[index + 1] as string] as [string, string]] : [],
  );
}

/**
 * RFC 9110, section 8.6: there is no Content-Length with 204. A response to HEAD, and 304, may have the length of the
 * body that a GET would have got; a stream may have its own, and event streams have none.
 */
function keepsLength(response: FwResponse, isHead: boolean): boolean {
  const { status, stream, headers } = response;
  if (status === 204 || status === 205 || isEventStream(response)) return false;
  if (stream !== undefined) return true;
  if (!isHead && status !== 304) return false;
  return response.content.length === 0 && /^\d+$/.test(headers.get('Content-Length') ?? '');
}
