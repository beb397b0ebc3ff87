// The header fields that are sent with a response, in every runtime.
import type { FwResponse } from '../http/response.js';
import { isEventStream } from '../streaming/event-stream.js';

/** Alternating names and values: of the response, then of the App. Servers set the Content-Length. */
export function sentFields(response: FwResponse): string[] {
  const { headers, defaultHeaders, status, stream } = response;
  // RFC 9110, section 8.6: no Content-Length with 204. A stream may have set its own; event streams have none.
  if (stream === undefined || status === 204 || status === 205 || isEventStream(response)) {
    headers.delete('Content-Length');
  }
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  for (const [name, value] of defaultHeaders) fields.push(name, value);
  return fields;
}
