// Static files: makes the response from a file: 200, 206, 304, 412 or 416.
import type { Context } from '../context/context.js';
import { FwError } from '../http/errors.js';
import type { FwHeaders } from '../http/headers.js';
import { FwResponse } from '../http/response.js';
import { FileChunks } from './file-chunks.js';
import { checkPreconditions, passesIfRange } from './preconditions.js';
import type { StaticFile } from './static-file.js';

/** Takes over the descriptor of the file, or closes it. */
export function respond(ctx: Context, file: StaticFile): FwResponse {
  let response: FwResponse | undefined;
  try {
    response = choose(ctx, file);
    return response;
  } finally {
    if (response?.stream === undefined) file.close();
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

/** RFC 9110, section 14.2: ranges apply to GET, if `If-Range` matches, and here only to uncompressed files. */
function requestedRange({ method, req }: Context, file: StaticFile): ByteRange | undefined {
  const field = req.header('range');
  // Stryker disable next-line ConditionalExpression: a missing field requests no range; this is only faster
  if (field === undefined || method !== 'GET') return undefined;
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
  return FwResponse.ofStream(new FileChunks(content, first, length), status, headers);
}

/** First and last byte, both included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The requested range; undefined if the whole file must be sent: for another unit, several ranges, or a malformed
 * field. `'unsatisfiable'` if the range is outside of the file.
 */
export function readRange(field: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = ONE_RANGE.exec(field);
  if (found === null) return undefined;
  const [, from, to, suffix] = found;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    if (Number(suffix) === 0) return 'unsatisfiable';
    // An empty file satisfies every other suffix, but has no range.
    return size === 0 ? undefined : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
