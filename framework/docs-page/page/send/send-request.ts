// The page about an API: sends the request of a call, and reads the answer.

import { eventReader, type StreamEvent } from '../../../api-model/event-stream.js';
import { isFieldText, isToken, type RequestPlan, searchOf } from '../../../api-model/request-plan.js';
import type { ApiCsrf } from '../../../rpc/api-description.js';
import { withCookies } from './cookies.js';
import { type ReceivedBody, readBody } from './received-body.js';

/** An answer, as far as its head. */
export interface ReceivedHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** From the request to the head, in milliseconds. */
  readonly headMs: number;
}

export interface Received extends ReceivedHead {
  /** Until the end of the body. */
  readonly totalMs: number;
  readonly size: number;
  readonly body: ReceivedBody;
}

export interface SendOptions {
  readonly csrf: ApiCsrf | null;
  readonly signal: AbortSignal;
  /** Called when the answer is a stream of events, before the first. */
  readonly onStream: (head: ReceivedHead) => void;
  readonly onEvents: (events: readonly StreamEvent[]) => void;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Undefined when a stream of events has ended. Rejects if there is no answer, or the signal aborts. */
export async function sendRequest(plan: RequestPlan, options: SendOptions): Promise<Received | undefined> {
  const { signal, csrf } = options;
  const began = performance.now();
  const request: RequestInit = {
    method: plan.method,
    headers: headersOf(plan, csrf),
    signal,
    redirect: 'follow',
    cache: 'no-store',
  };
  const body = bodyOf(plan);
  if (body !== undefined && !SAFE.has(plan.method)) request.body = body;
  const response = await withCookies(cookiesOf(plan), () => fetch(urlOf(plan), request));
  const head: ReceivedHead = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    headMs: performance.now() - began,
  };
  const type = response.headers.get('Content-Type') ?? '';
  if (/^text\/event-stream/i.test(type) && response.body !== null) {
    options.onStream(head);
    await readEvents(response.body, options);
    return undefined;
  }
  const bytes = await response.blob();
  const totalMs = performance.now() - began;
  return { ...head, totalMs, size: bytes.size, body: await readBody(bytes, type) };
}

async function readEvents(stream: ReadableStream<Uint8Array>, { onEvents }: SendOptions): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const read = eventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = read(decoder.decode(value, { stream: true }));
      if (events.length > 0) onEvents(events);
    }
  } finally {
    // After a line that is too long, the rest is not wanted. A stream that has ended already refuses nothing.
    reader.cancel().catch(() => {});
  }
}

/** With what authenticates, and the token that proves that the request comes from a page of the app. */
function headersOf({ headers, secrets, method }: RequestPlan, csrf: ApiCsrf | null): [string, string][] {
  const own = secrets.filter(({ place }) => place === 'header');
  for (const { name, value } of own) {
    if (isToken(name) && isFieldText(value)) continue;
    throw new Error(`the credentials for '${name}' have characters that a header field cannot have`);
  }
  const token = csrf === null || SAFE.has(method) ? undefined : cookieValue(csrf.cookie);
  return [
    ...headers.map(([name, value]): [string, string] => [name, value]),
    ...own.map(({ name, prefix, value }): [string, string] => [name, prefix + value]),
    ...(csrf === null || token === undefined ? [] : [[csrf.header, token] as [string, string]]),
  ];
}

function cookieValue(name: string): string | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

export function urlOf({ url, secrets }: RequestPlan): string {
  const found = secrets.filter(({ place }) => place === 'query');
  const search = searchOf(found.map(({ name, value }) => [name, value]));
  return url + (url.includes('?') ? search.replace('?', '&') : search);
}

export function cookiesOf({ cookies, secrets }: RequestPlan): (readonly [string, string])[] {
  const own = secrets.filter(({ place }) => place === 'cookie');
  return [...cookies, ...own.map(({ name, value }) => [name, encodeURIComponent(value)] as const)];
}

function bodyOf({ body }: RequestPlan): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (body.kind === 'text') return body.text;
  if (body.kind === 'file') return body.file;
  const form = new FormData();
  for (const [name, value] of body.parts) form.append(name, value);
  return form;
}
