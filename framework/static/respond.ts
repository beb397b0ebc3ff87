// Static files: the answer from a file that was found: 200, 206, 304, 412 or 416.
import type { Context } from '../context.js';
import { FwError } from '../errors.js';
import type { FwHeaders } from '../headers.js';
import { FwResponse } from '../response.js';
import { FileChunks } from './file-chunks.js';
import { checkPreconditions, passesIfRange } from './preconditions.js';
import { type ByteRange, readRange } from './range.js';
import type { StaticFile } from './static-file.js';

/** Takes the file's descriptor over, or closes it. */
export function respond(ctx: Context, file: StaticFile): FwResponse {
  let response: FwResponse | undefined;
  try {
    response = choose(ctx, file);
    return response;
  } finally {
    if (!response?.isStream) file.close();
  }
}

function choose(ctx: Context, file: StaticFile): FwResponse {
  const { req } = ctx;
  const verdict = checkPreconditions(req, file);
  if (verdict === 'not modified') return FwResponse.withHeaders('', 304, file.shared.copy());
  if (verdict === 'failed') throw FwError.badRequest('the file is another one by now', { status: 412 });
  const range = requestedRange(ctx, file);
  if (range === undefined)
    return sendBytes(file, { first: 0, last: file.size - 1 }, 200, file.complete.copy());
  const headers = file.complete.copy();
  headers.set('Content-Range', `bytes ${range.first}-${range.last}/${file.size}`);
  return sendBytes(file, range, 206, headers);
}

/** RFC 9110, section 14.2: ranges are for GET, and only where `If-Range` names this very file. */
function requestedRange({ method, req }: Context, file: StaticFile): ByteRange | undefined {
  const field = req.header('range');
  if (field === undefined || method !== 'GET' || file.coding !== undefined) return undefined;
  if (!passesIfRange(req.header('if-range'), file)) return undefined;
  const range = readRange(field, file.size);
  if (range !== 'unsatisfiable') return range;
  throw FwError.rangeNotSatisfiable(`the file has ${file.size} bytes`, {
    headers: { 'Content-Range': `bytes */${file.size}` },
  });
}

function sendBytes(
  file: StaticFile,
  { first, last }: ByteRange,
  status: number,
  headers: FwHeaders,
): FwResponse {
  const { content, size } = file;
  const length = last - first + 1;
  if (typeof content !== 'number') {
    const bytes = length === size ? content : content.subarray(first, last + 1);
    return FwResponse.withHeaders(bytes, status, headers);
  }
  headers.set('Content-Length', length);
  return FwResponse.withHeaders(new FileChunks(content, first, length), status, headers, true);
}
