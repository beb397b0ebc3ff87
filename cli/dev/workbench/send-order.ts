// Checks an order of the page to send a request, and makes the request of it.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { RawBody, RawField } from '../../process/records.js';
import { MASKED } from '../../process/secret-names.js';
import { maskField, maskForm, maskQuery, replaceSecrets } from './masking.js';
import type { HeaderField, SendOrder } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { Refusal } from './refusals.js';
import { Secrets, unsaid } from './secrets.js';
import { fieldOf, shownBody } from './shown-body.js';

/** A request that is ready to be sent to the app. */
export interface ReadyRequest {
  readonly method: string;
  readonly target: string;
  readonly isEncrypted: boolean;
  readonly fields: readonly RawField[];
  readonly body: Buffer;
}

/** Fields that belong to the connection, or that follow from the body. */
const OWN_FIELDS =
  /^(?:host|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|content-length|upgrade|expect|fw-order)$/i;
const MOST_FIELDS = 200;

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
  if (!Array.isArray(headers) || headers.length > MOST_FIELDS || !headers.every(isPair)) {
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
    ([name]) => !OWN_FIELDS.test(name),
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

/**
 * Header fields that are masked get the value of the newest request that has such a field, so that a call that was
 * saved goes on with the session of the browser.
 */
export function withKnownFields(order: SendOrder, requests: Iterable<StoredRequest>): SendOrder {
  if (!order.headers.some(([, value]) => value.includes(MASKED))) return order;
  const newest = [...requests].reverse();
  const headers = order.headers.map(([name, value]): HeaderField => {
    if (!value.includes(MASKED)) return [name, value];
    for (const { raw } of newest) {
      const secrets = new Secrets(raw.secrets);
      const found = raw.requestHeaders.find(
        ([one, its]) => one.toLowerCase() === name.toLowerCase() && maskField(one, its, secrets) === value,
      );
      if (found !== undefined) return [name, found[1]];
    }
    throw new Refusal(
      400,
      'BadRequest',
      `the header ${name} is masked, and no request since the start of fw dev had one like it; write the value to send`,
    );
  });
  return { ...order, headers };
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

const encodedMask = encodeURIComponent(MASKED);

/** @throws Refusal for a masked value that was not stored */
export function unmaskFields(
  given: readonly HeaderField[],
  stored: readonly RawField[],
  secrets: Secrets = unsaid,
): RawField[] {
  return given.map(([name, value]) => {
    if (!value.includes(MASKED)) return [name, value];
    const found = stored.find(
      ([one, its]) => one.toLowerCase() === name.toLowerCase() && maskField(one, its, secrets) === value,
    );
    if (found === undefined) throw unknownMask(`the header field ${name}`);
    return [name, found[1]];
  });
}

export function unmaskTarget(given: string, stored: string, secrets: Secrets = unsaid): string {
  if (!hasMask(given)) return given;
  const own = queryOf(stored);
  return `${given.slice(0, given.indexOf('?') + 1)}${unmaskForm(queryOf(given), own, maskQuery(own, stored.split('?', 1)[0] ?? '', secrets))}`;
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}

/** The bytes to send. @param given undefined for the stored body */
export function unmaskBody(
  given: string | undefined,
  stored: RawBody | undefined,
  fields: readonly RawField[],
  secrets: Secrets = unsaid,
): Buffer {
  const bytes = stored && Buffer.from(stored.data, 'base64');
  const isCut = stored !== undefined && bytes !== undefined && stored.size > bytes.length;
  if (given === undefined) {
    if (!isCut) return bytes ?? Buffer.alloc(0);
    throw new Refusal(400, 'BadRequest', 'the body was too long to be kept; write the one to send');
  }
  if (!given.includes(MASKED) && !given.includes(encodedMask)) return Buffer.from(given);
  if (stored === undefined || bytes === undefined) throw unknownMask('the body');
  if (!isCut && shownBody(stored, fields, secrets).text === given) return bytes;
  const text = bytes.toString();
  if (/^application\/x-www-form-urlencoded/i.test(fieldOf(fields, 'content-type'))) {
    return Buffer.from(unmaskForm(given, text, maskForm(text, secrets)));
  }
  return Buffer.from(unmaskJson(given, text, secrets));
}

/** Each masked pair is that which is shown as it is. */
function unmaskForm(given: string, stored: string, shown: string): string {
  const secrets = stored.split('&');
  const pairs = shown.split('&');
  return given
    .split('&')
    .map((pair) => {
      if (!hasMask(pair)) return pair;
      const plain = pair.replaceAll(encodedMask, MASKED);
      const index = pairs.indexOf(plain);
      const secret = secrets[index];
      if (secret === undefined) throw unknownMask(`'${plain.slice(0, 100)}'`);
      // The next pair that is shown in the same way is another one.
      pairs[index] = '';
      return secret;
    })
    .join('&');
}

/** The secrets in the order in which they were stored: names may move, but none may be missing. */
function unmaskJson(given: string, stored: string, kept: Secrets): string {
  const secrets: string[] = [];
  replaceSecrets(stored, kept, (value) => {
    secrets.push(value);
    return value;
  });
  let count = 0;
  replaceSecrets(given, kept, (value) => {
    count += 1;
    return value;
  });
  if (count !== secrets.length) throw unknownMask('the body');
  const text = replaceSecrets(given, kept, (value, index) =>
    value === JSON.stringify(MASKED) ? (secrets[index] ?? value) : value,
  );
  if (text.includes(MASKED)) throw unknownMask('the body');
  return text;
}

function hasMask(text: string): boolean {
  return text.includes(MASKED) || text.includes(encodedMask);
}

function unknownMask(where: string): Refusal {
  return new Refusal(
    400,
    'BadRequest',
    `${where} has a masked value that is not known; write the value to send`,
  );
}
