// Limits: how many bytes of a request body an App accepts.
import { checkValue } from '../options/check.js';
import { either, type Rule, unlimited, whole } from '../options/rules.js';
import { FwError } from './errors.js';
import type { RequestSource } from './request-source.js';

/** The size of a body. */
export const bodyLimit: Rule = either(whole(0, Number.MAX_SAFE_INTEGER, 'bytes'), unlimited);

/** @throws ConfigError if the limit is neither a whole number of bytes, 0 or more, nor `Infinity` */
export function checkBodyLimit(bytes: number): number {
  return checkValue('maxBodySize', 'the limit', bytes, bodyLimit);
}

/** The error for a body over the limit. */
export function bodyTooLarge(maxBytes: number): FwError {
  return FwError.payloadTooLarge(`the request body is larger than ${maxBytes} bytes`);
}

/** Whether the `Content-Length` of a request is over the limit. */
export function declaresMore(source: RequestSource, maxBytes: number): boolean {
  const declared = source.header('content-length');
  return declared !== undefined && Number(declared) > maxBytes;
}

/** The unread body; at the first byte over the limit it fails with 413, and reading stops. */
export function limitedBody(source: RequestSource, maxBytes: number): ReadableStream<Uint8Array> {
  let size = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size <= maxBytes) {
        controller.enqueue(chunk);
        return;
      }
      source.abandonBody();
      controller.error(bodyTooLarge(maxBytes));
    },
  });
  return source.openBody().pipeThrough(counting);
}
