// The client: its requests, with header fields, a body and a response that is read as a whole.
import { type FwRpcCsrf, fetchOf } from './csrf.js';
import { abortReason, type FwRpcSignal, withinLimits } from './signals.js';

/** The types that a client was generated for. */
export interface FwRpcContract {
  readonly hash: string;
  readonly procedures: Readonly<
    Record<
      string,
      readonly [
        kind: string,
        input: string,
        output: string,
        names: readonly string[],
        errors?: Readonly<Record<string, string>>,
      ]
    >
  >;
  readonly types: Readonly<Record<string, string>>;
  /** The header field for calls of these procedures. */
  field(names: readonly string[]): Record<string, string>;
}

/** Servers limit the size of all header fields together, many to 8 KB. */
const LONGEST_FIELD = 4096;

/**
 * The method `field` of contracts: the types of the called procedures; if that is too long for a header field, the hash
 * of all types. Clients that send no contract do without it.
 */
export function contractField(this: FwRpcContract, names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const procedures: Record<string, readonly unknown[]> = {};
  const types: Record<string, string | undefined> = {};
  for (const name of names) {
    const found = this.procedures[name];
    if (found === undefined) continue;
    const [kind, input, output, used, ...errors] = found;
    procedures[name] = [kind, input, output, ...errors];
    for (const type of used) types[type] = this.types[type];
  }
  const text = JSON.stringify({ procedures, types }).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { 'X-Fw-Contract': text.length > LONGEST_FIELD ? this.hash : text };
}

/** The part of a Response that the client uses. */
export interface FwRpcTextResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers?: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The part of `fetch` that the client uses. */
export interface FwRpcRequestOf<Body> {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: Body;
  readonly signal: FwRpcSignal;
}

export type FwRpcFetchOf<Body, Response> = (url: string, init: FwRpcRequestOf<Body>) => Promise<Response>;

export interface FwRpcRequestOptions<Body, Response = FwRpcTextResponse> {
  /** Header fields of every call, or a function that is asked for them before each call, such as for a token. */
  headers?:
    | Record<string, string>
    | (() => Record<string, string> | Promise<Record<string, string>>)
    | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: FwRpcFetchOf<Body, Response> | undefined;
  /**
   * Sends the token of the middleware `csrf`, from the cookie of the page, to its own origin. A request that is refused
   * because its token is not valid any more is repeated with the new one, twice at most. Switched off by default.
   */
  csrf?: boolean | FwRpcCsrf | undefined;
  /** Aborts every call. */
  signal?: FwRpcSignal | undefined;
  /** How long a call may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /** The exported `contract`: the server refuses calls if a change of their types breaks this client. */
  checkContract?: FwRpcContract | undefined;
}

export interface FwRpcCallOptions {
  headers?: Record<string, string> | undefined;
  signal?: FwRpcSignal | undefined;
  timeoutMs?: number | undefined;
}

export interface FwRpcDeclaredError {
  code: number;
  message: string;
  name: string;
  data?: unknown;
}

/** The server answered with a status that is not a success. */
export class FwRpcHttpError extends Error {
  override readonly name: string = 'FwRpcHttpError';
  readonly status: number;
  /** The body of the response, parsed if it is JSON. */
  readonly body: unknown;
  /** The procedure that failed; undefined if the request failed as a whole. */
  readonly procedure: string | undefined;
  /** The error, if it is one that the procedure declares. */
  readonly error: FwRpcDeclaredError | undefined;

  constructor(
    status: number,
    statusText: string,
    body: unknown,
    procedure?: string,
    error?: FwRpcDeclaredError,
  ) {
    super(`HTTP ${String(status)}: ${statusText}`);
    this.status = status;
    this.body = body;
    this.procedure = procedure;
    this.error = error;
  }
}

/** A successful response. */
export interface FwRpcReceived {
  readonly status: number;
  readonly text: string;
}

/** What fetch has rejected with: another attempt may help. */
const networkFailures = new WeakSet();

/**
 * @param names of the called procedures
 * @param failed makes the error of a status that is not a success
 */
export async function sendRequest<Body>(
  options: FwRpcRequestOptions<Body>,
  url: string,
  method: string,
  body: Body | undefined,
  names: readonly string[],
  call: FwRpcCallOptions,
  failed = (...given: [number, string, unknown]): Error => new FwRpcHttpError(...given),
): Promise<FwRpcReceived> {
  // The body is read inside, so that signals and the timeout apply to it too, even if fetch ignores signals.
  return await withinLimits([call, options], async (signal) => {
    const { headers: own, checkContract } = options;
    const fetch = fetchOf(options);
    const type: Record<string, string> =
      typeof body === 'string' ? { 'Content-Type': 'application/json' } : { 'X-Fw-Upload': '1' };
    const headers = mergedFields(
      body === undefined ? {} : type,
      checkContract?.field(names),
      typeof own === 'function' ? await own() : own,
      call.headers,
    );
    // The call may have ended while the function made its header fields.
    if (signal.aborted) throw abortReason(signal);
    const init = { method, headers, signal };
    try {
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      return { response, text: await response.text() };
    } catch (error) {
      // What has ended the call, fetch rejects with too.
      if (error instanceof Object && !hasAborted(signal)) networkFailures.add(error);
      throw error;
    }
  }).then(({ response: { ok, status, statusText }, text }) => {
    if (!ok) throw failed(status, statusText, parsedText(text));
    return { status, text };
  });
}

/** Names of header fields are case-insensitive: the last value of a name is used. */
export function mergedFields(...lists: (Record<string, string> | undefined)[]): Record<string, string> {
  const named = new Map<string, [string, string]>();
  for (const list of lists)
    for (const field of Object.entries(list ?? {})) named.set(field[0].toLowerCase(), field);
  return Object.fromEntries(named.values());
}

/** What another attempt may help against: statuses, and the codes of JSON-RPC that stand for 408, 429 and 503. */
const PASSING: readonly unknown[] = [408, 429, 502, 503, 504, -32008, -32029, -32053];

export function mayPass(error: unknown): boolean {
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  return networkFailures.has(error as object) || PASSING.includes(status ?? code);
}

/** JSON, or the text as it is. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function readJson(text: string, url: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    throw new Error(
      `${url} answered '${text.trim().slice(0, 60)}', which is not JSON; is the base URL right?`,
    );
  }
}

/** Asked anew: the types take it for what it was before something was awaited. */
function hasAborted({ aborted }: { readonly aborted: boolean }): boolean {
  return aborted;
}
