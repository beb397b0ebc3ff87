// Checks orders of the page to pin a request, and to save a call.
import { maskBody, maskFields, maskTarget } from './masking.js';
import type { SavedCall } from './protocol.js';
import { Refusal } from './refusals.js';
import { checkOrder } from './send-order.js';

const LONGEST_NAME = 100;
/** In characters. */
const LONGEST_BODY = 256 * 1024;

/** Returns the number of the request. @throws Refusal */
export function checkPin(value: unknown): number {
  const { request } = (value ?? {}) as { request?: unknown };
  if (!Number.isSafeInteger(request))
    throw new Refusal(400, 'BadRequest', 'request is not the number of a request');
  return request as number;
}

/** @throws Refusal if it could not be sent, or has no name */
export function checkSaved(value: unknown): Omit<SavedCall, 'id'> {
  const { name } = (value ?? {}) as { name?: unknown };
  if (typeof name !== 'string' || !/[^ \t]/.test(name))
    throw new Refusal(400, 'BadRequest', 'the call needs a name');
  if (name.length > LONGEST_NAME)
    throw new Refusal(400, 'BadRequest', `the name is longer than ${LONGEST_NAME} characters`);
  const { method, target, headers, body } = checkOrder(value);
  if (body !== undefined && body.length > LONGEST_BODY)
    throw new Refusal(413, 'TooLong', `the body is longer than ${LONGEST_BODY} characters`);
  const type = headers.find(([one]) => one.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    name,
    method,
    target: maskTarget(target),
    // What was typed in is not written to a disk either.
    headers: maskFields(headers),
    ...(body !== undefined && body !== '' && { body: maskBody(body, type) }),
  };
}
