// Checks an order of the page to send a request, and makes the request of it.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { RawField } from '../../process/records.js';
import type { SendOrder } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';
import { Secrets } from './secrets.js';
import { unmaskBody, unmaskFields, unmaskTarget } from './unmasking.js';

/** A request that is ready to be sent to the app. */
export interface ReadyRequest {
  readonly method: string;
  readonly target: string;
  readonly isEncrypted: boolean;
  readonly fields: readonly RawField[];
  readonly body: Buffer;
}

/** Fields that belong to the connection, or that follow from the body. */
const ownFields =
  /^(?:host|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|content-length|upgrade|expect|fw-order)$/i;
const mostFields = 200;

/** @throws Refusal if it is not an order */
export function checkOrder(value: unknown): SendOrder {
  const order = (value ?? {}) as Partial<Record<keyof SendOrder, unknown>>;
  const { from, method, target, headers, body } = order;
  if (from !== undefined && !Number.isInteger(from)) throw bad('from is not the number of a request');
  if (typeof method !== 'string' || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$/.test(method)) {
    throw bad('the method is not one of HTTP');
  }
  // As fetch (Fetch Standard, section 2.2.1): a tunnel, and an answer that repeats the secrets.
  if (/^(?:connect|trace|track)$/i.test(method)) throw bad(`${method} is not sent`);
  if (typeof target !== 'string' || !/^\/[^\s#]*$/.test(target) || target.length > 16_384) {
    throw bad('the target is a path with a query, without white space');
  }
  if (!Array.isArray(headers) || headers.length > mostFields || !headers.every(isPair)) {
    throw bad('the header fields are pairs of a name and a value');
  }
  if (body !== undefined && typeof body !== 'string') throw bad('the body is not a text');
  return value as SendOrder;
}

/**
 * @param host of the app, for an order from scratch
 * @throws Refusal for invalid header fields, and masked values that are not known
 */
export function readyRequest(order: SendOrder, from: StoredRequest | undefined, host: string): ReadyRequest {
  const raw = from?.raw;
  if (raw?.isWebSocket === true) throw bad('a WebSocket cannot be sent again');
  const secrets = new Secrets(raw?.secrets);
  const fields = unmaskFields(order.headers, raw?.requestHeaders ?? [], secrets).filter(
    ([name]) => !ownFields.test(name),
  );
  for (const [name, value] of fields) checkField(name, value);
  const body = unmaskBody(order.body, raw?.requestBody, raw?.requestHeaders ?? [], secrets);
  const origin = raw === undefined ? undefined : new URL(raw.origin);
  // What is encoded already stays: only characters that a request line cannot have are.
  const target = unmaskTarget(order.target, raw?.target ?? '', secrets).replace(
    /[^\x21-\x7e]+/g,
    encodeURIComponent,
  );
  return {
    method: order.method,
    target,
    isEncrypted: origin?.protocol === 'https:',
    fields: [
      ['Host', origin?.host ?? host],
      ...fields,
      ...(body.length > 0 || /^(?:POST|PUT|PATCH)$/i.test(order.method)
        ? [['Content-Length', String(body.length)] as const]
        : []),
    ],
    body,
  };
}

function checkField(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw bad(`the header field ${JSON.stringify(name.slice(0, 100))} is not valid`);
  }
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
}

function bad(message: string): Refusal {
  return new Refusal(400, 'BadRequest', message);
}
