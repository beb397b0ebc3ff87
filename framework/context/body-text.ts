// The request side of a context: the bytes of a body as text and as JSON.
import { FwError } from '../http/errors.js';

const decoder = new TextDecoder();

/** The bytes as UTF-8, without a byte order mark. */
export function decodeBody(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The value, whose type is not checked. @throws FwError `BadRequest` (400) */
export function parseJsonBody<T>(bytes: Uint8Array): T {
  const text = decoder.decode(bytes);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw FwError.badRequest(`malformed JSON body: ${(error as SyntaxError).message}`, { cause: error });
  }
}
