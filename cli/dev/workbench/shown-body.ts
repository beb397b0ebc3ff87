// A captured body as the page about the app shows it: as text if it is text, without the secrets.
import { brotliDecompressSync, constants, inflateSync, unzipSync } from 'node:zlib';
import type { RawBody, RawField } from '../../process/records.js';
import { maskBody } from './masking.js';
import type { ShownBody } from './protocol.js';
import { type Secrets, unsaid } from './secrets.js';

/** How much of a body is shown, and how far a compressed one is decompressed. */
const SHOWN_LIMIT = 64 * 1024;
const DECOMPRESSED_LIMIT = 1024 * 1024;

export function shownBody(body: RawBody, fields: readonly RawField[], secrets: Secrets = unsaid): ShownBody {
  const type = fieldOf(fields, 'content-type');
  const bytes = Buffer.from(body.data, 'base64');
  const wasCut = body.size > bytes.length;
  const plain = decompressed(bytes, fieldOf(fields, 'content-encoding'));
  const whole = plain && textOf(plain, wasCut || plain.length > SHOWN_LIMIT);
  const isCut = wasCut || (plain !== undefined && plain.length > SHOWN_LIMIT);
  return {
    size: body.size,
    type,
    ...(whole !== undefined && { text: maskBody(whole, type, secrets) }),
    ...(isCut && { isCut }),
  };
}

export function fieldOf(fields: readonly RawField[], name: string): string {
  return fields.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
}

/** Undefined if it cannot be decompressed. What was cut off is decompressed as far as it goes. */
function decompressed(bytes: Buffer, encoding: string): Buffer | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: DECOMPRESSED_LIMIT };
  try {
    if (encoding === '' || encoding === 'identity') return bytes;
    if (/^(?:x-)?gzip$/i.test(encoding)) return unzipSync(bytes, options);
    if (/^deflate$/i.test(encoding)) return inflateSync(bytes, options);
    if (!/^br$/i.test(encoding)) return undefined;
    const brotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: DECOMPRESSED_LIMIT };
    return brotliDecompressSync(bytes, brotli);
  } catch {
    // Not what its header field says, or more than is shown.
    return undefined;
  }
}

/** Undefined if it is not UTF-8, or has the control characters of binary data. */
function textOf(bytes: Buffer, isCut: boolean): string | undefined {
  const shown = bytes.subarray(0, SHOWN_LIMIT);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(shown, { stream: isCut });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data from text
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
