// The request side of a context: the fields and files of a form, in memory.
import { charsetDecoder } from '../http/charset.js';
import { formLimits, type MultipartOptions, overLimit } from '../multipart/limits.js';
import type { FwRequest } from './request.js';

/**
 * @throws FwError `BadRequest` (400) if the media type is another one or the body is malformed, `PayloadTooLarge` (413)
 *   if a limit is exceeded; Error if an option is malformed
 */
export async function readForm(request: FwRequest, options: MultipartOptions): Promise<FormData> {
  const { readFormType } = await import('../multipart/form-type.js');
  const limits = formLimits(options);
  const type = readFormType(request.header('content-type'));
  if (type.kind === 'multipart') {
    const { parseForm } = await import('../multipart/read-parts.js');
    return parseForm(await request.bytes(), type.boundary, limits);
  }
  const form = new FormData();
  let count = 0;
  for (const [name, value] of new URLSearchParams(await urlencoded(request))) {
    count += 1;
    if (count > limits.maxParts) throw overLimit(`more than ${limits.maxParts} fields`);
    form.append(name, value);
  }
  return form;
}

/** The text of a form, percent-encoded in UTF-8 whatever charset it declares. */
async function urlencoded(request: FwRequest): Promise<string> {
  const decoder = charsetDecoder(request.header('content-type'));
  const text = await request.text();
  if (decoder === undefined) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) =>
    encodeURIComponent(decoder.decode(bytesOf(encoded))),
  );
}

/** The bytes of percent-encoded text. */
function bytesOf(encoded: string): Uint8Array {
  return Uint8Array.from(encoded.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
}
