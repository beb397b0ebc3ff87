// Lambda: a web Response as the result that a platform takes.
import { type HttpEvent, isV2 } from './event.js';

/** What a function returns for a request. */
export interface LambdaResult {
  readonly statusCode: number;
  /** For payload 2.0, and for load balancers without lists. */
  readonly headers?: Record<string, string>;
  /** For payload 1.0, and for load balancers with lists. */
  readonly multiValueHeaders?: Record<string, string[]>;
  /** For payload 2.0: the values of `Set-Cookie`. */
  readonly cookies?: string[];
  readonly body: string;
  /** Whether the body is in base64, which every body is that is not a text in UTF-8. */
  readonly isBase64Encoded: boolean;
}

/** What a function that streams sends before its body. */
export interface StreamHead {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export async function toResult(event: HttpEvent, response: Response): Promise<LambdaResult> {
  const { status: statusCode } = response;
  const body = bodyOf(new Uint8Array(await response.arrayBuffer()));
  if (isV2(event)) return { ...streamHead(response), ...body };
  const isSingle = event.requestContext.elb !== undefined && !event.multiValueHeaders;
  return isSingle
    ? { statusCode, headers: singleFields(response), ...body }
    : { statusCode, multiValueHeaders: fieldLists(response), ...body };
}

export function streamHead({ status, headers }: Response): StreamHead {
  return { statusCode: status, headers: withoutCookies(headers), cookies: headers.getSetCookie() };
}

/** As a text if it is one: REST APIs decode base64 only for the media types that they are told. */
function bodyOf(bytes: Uint8Array): { body: string; isBase64Encoded: boolean } {
  try {
    return { body: decoder.decode(bytes), isBase64Encoded: false };
  } catch {
    // Not in UTF-8.
    return { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  }
}

function withoutCookies(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie'));
}

function fieldLists({ headers }: Response): Record<string, string[]> {
  const lists = Object.entries(withoutCookies(headers)).map(([name, value]) => [name, [value]] as const);
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(lists), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** A load balancer takes one value for a name; names are case-insensitive, so each cookie gets another spelling. */
function singleFields({ headers }: Response): Record<string, string> {
  const cookies = headers.getSetCookie().map((value, index) => [spelling('set-cookie', index), value]);
  return { ...withoutCookies(headers), ...Object.fromEntries(cookies) };
}

/** The letters whose bit in the number is set are upper case. */
function spelling(name: string, number: number): string {
  return name.replace(/[a-z]/g, (letter, at: number) =>
    (number >> (at > 3 ? at - 1 : at)) & 1 ? letter.toUpperCase() : letter,
  );
}
