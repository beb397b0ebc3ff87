// The request side of a context: a body that was read, as bytes, text, JSON and as a stream.
import { FwError } from '../http/errors.js';
import { isDeepJson } from '../http/json-depth.js';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** What decoding puts for bytes that are not UTF-8. */
const REPLACED = '\ufffd';
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** @throws FwError `UnsupportedMediaType` (415) unless there is no content coding (RFC 9110, section 8.4) */
export function refuseEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw FwError.unsupportedMediaType(`request bodies with Content-Encoding '${encoding}' are not accepted`);
}

/** The bytes as UTF-8, without a byte order mark; text that the runtime has decoded is kept. */
export function decodeBody(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : decoder.decode(content);
}

/**
 * The bytes of a body that was decoded.
 *
 * @param declared its Content-Length; without one, it loses a byte order mark
 * @throws FwError `BadRequest` (400) if it was not UTF-8, or has the character that stands for such bytes
 */
export function bytesOfText(text: string, declared: string | undefined): Uint8Array {
  const bytes = encoder.encode(text);
  const length = declared === undefined ? bytes.length : Number(declared);
  const isWhole = bytes.length === length || bytes.length + BYTE_ORDER_MARK.length === length;
  if (text.includes(REPLACED) || !isWhole)
    throw FwError.badRequest('the body is not UTF-8; to accept others, call bytes() before text() or json()');
  return bytes.length === length ? bytes : new Uint8Array([...BYTE_ORDER_MARK, ...bytes]);
}

/** The value of the content, whose type is not checked. @throws FwError `BadRequest` (400) */
export function parseJson<T>(content: string | Uint8Array): T {
  const text = typeof content === 'string' ? content : decoder.decode(content);
  let value: T;
  try {
    value = JSON.parse(text) as T;
  } catch (error) {
    // Without the error itself, whose message may have a part of the body, such as a password, and which logs show.
    throw FwError.badRequest(`malformed JSON body: ${withoutExcerpt(error as SyntaxError)}`);
  }
  if (isDeepJson(text)) throw FwError.badRequest('body: nested too deeply');
  return value;
}

/** The message of a parser up to what it quotes: `Unexpected token 'a', ..."word":abc"... is not valid JSON`. */
function withoutExcerpt({ message }: SyntaxError): string {
  return message.replace(/(?:,? (?:\.\.\.)?| ')"[\s\S]*$/, '');
}

/** A body as a stream, which has no chunk if it is empty. */
export function onlyChunk(bytes: Promise<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      const chunk = await bytes;
      if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** A stream that is opened when something reads from it. `failed` is called with the error if it breaks off. */
export function openedLate(
  open: () => ReadableStream<Uint8Array>,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          reader ??= open().getReader();
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          failed(error);
          throw error;
        }
      },
      cancel(reason) {
        return reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
