// The client: procedures over JSON-RPC, each call by itself or together with those of its tick.
import {
  type FwRpcAroundCalls,
  type FwRpcCallable,
  type FwRpcProcedure,
  type FwRpcTable,
  runCall,
} from './calls.js';
import type { FwRpcArguments, FwRpcCaller, FwRpcConnection, FwRpcEntry } from './define-client.js';
import { type FwRpcStreamProtocol, isLostStatus } from './event-stream.js';
import {
  type FwRpcCallOptions,
  FwRpcHttpError,
  type FwRpcRequestOptions,
  mayPass,
  readJson,
  sendRequest,
} from './requests.js';
import { type FwRpcSignal, platform, withinLimits } from './signals.js';

export interface JsonRpcError {
  code: number;
  message: string;
  /** Of an error that the procedure declares. */
  name?: string;
  data?: unknown;
}

/** The server answered with a JSON-RPC error. */
export class JsonRpcClientError extends Error {
  override readonly name: string = 'JsonRpcClientError';
  readonly error: JsonRpcError;
  readonly code: number;
  readonly data: unknown;
  /** The procedure that failed; undefined if the request failed as a whole. */
  readonly procedure: string | undefined;

  constructor(error: JsonRpcError, procedure?: string) {
    super(error.message);
    this.error = error;
    this.code = error.code;
    this.data = error.data;
    this.procedure = procedure;
  }
}

/** Whether it is an error that the procedure declares. */
export function isJsonRpcErrorOf(
  error: unknown,
  method: string,
  { errors = [] }: Pick<FwRpcProcedure, 'errors'>,
): boolean {
  if (!(error instanceof JsonRpcClientError) || error.procedure !== method) return false;
  const { name } = error.error;
  return name !== undefined && errors.includes(name);
}

interface FwRpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

type FwRpcOutcome =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: JsonRpcError };

/** A call that waits for the end of the tick. */
interface FwRpcWaitingCall {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  /** Aborts when the call ends before its answer. */
  readonly ended: FwRpcSignal;
  readonly resolve: (answer: Promise<unknown>) => void;
}

export interface FwRpcAutoBatch {
  /** Sends the calls of one tick in one request, 50 of them at most by default; switched off by default. */
  autoBatch?: boolean | { maxCalls?: number | undefined } | undefined;
}

export interface FwRpcNamedUrls {
  /**
   * Adds the names of the calls to the URL, such as `/rpc?call=getUser`, for people who look at requests in a browser,
   * a proxy or a log. The server ignores it. Switched off by default.
   */
  callsInUrl?: boolean | undefined;
}

type FwRpcJsonRpcOptions<Body> = FwRpcRequestOptions<Body> &
  FwRpcAroundCalls &
  FwRpcAutoBatch &
  FwRpcNamedUrls;

/** More names of a batch would make a URL that some servers refuse. */
const MOST_NAMES = 10;

function urlOf(connection: FwRpcConnection<unknown>, names: readonly string[]): string {
  const { baseUrl } = connection;
  const { callsInUrl } = connection.options as FwRpcNamedUrls;
  if (callsInUrl !== true) return baseUrl;
  const shown = [...new Set(names)].slice(0, MOST_NAMES).map(encodeURIComponent).join(',');
  return `${baseUrl}${baseUrl.includes('?') ? '&' : '?'}call=${shown}`;
}

/** @param encode makes the body of a request */
export function jsonRpcCaller<Body>(
  encode: (value: unknown) => Body,
): FwRpcCaller<FwRpcCallable, FwRpcArguments<FwRpcCallOptions>, FwRpcJsonRpcOptions<Body>> {
  return async (connection, [name, { kind, hasOutput }], input, options = {}) => {
    const call = { name, kind, input, options };
    const mayRepeat = kind === 'query' && mayPass;
    return await runCall(connection.options, call, hasOutput, mayRepeat, async (params, own) => {
      const found = outcomeOf(await askJsonRpc(connection, encode, name, params, own));
      if (found.error !== undefined) throw new JsonRpcClientError(found.error, name);
      return found.result;
    });
  };
}

/** Params cannot be null; absent params mean the same. */
function jsonRpcRequest(
  connection: FwRpcConnection<unknown>,
  method: string,
  params: unknown,
): { readonly id: number } {
  const request = { jsonrpc: '2.0', method, params: params ?? undefined, id: connection.nextId++ };
  return request;
}

async function postJsonRpc<Body>(
  connection: FwRpcConnection<FwRpcRequestOptions<Body>>,
  body: Body,
  names: readonly string[],
  call: FwRpcCallOptions,
): Promise<unknown> {
  const url = urlOf(connection, names);
  const { text } = await sendRequest(connection.options, url, 'POST', body, names, call);
  return readJson(text, url);
}

/** The answer to a call, which may share its request with others. */
async function askJsonRpc<Body>(
  connection: FwRpcConnection<FwRpcJsonRpcOptions<Body>>,
  encode: (value: unknown) => Body,
  name: string,
  params: unknown,
  options: FwRpcCallOptions,
): Promise<unknown> {
  const request = jsonRpcRequest(connection, name, params);
  const text = encode(request);
  const { autoBatch } = connection.options;
  if (!autoBatch || options.headers !== undefined || typeof text !== 'string')
    return await postJsonRpc(connection, text, [name], options);
  const { maxCalls = 50 } = autoBatch === true ? {} : autoBatch;
  const waiting = connection.waiting as FwRpcWaitingCall[];
  return await withinLimits(
    [options, connection.options],
    async (ended) =>
      await new Promise((resolve) => {
        if (waiting.push({ id: request.id, name, text, ended, resolve }) > 1) return;
        // After all promises of the tick, so that calls behind an `await` are in the same request.
        platform.setTimeout(() => {
          const calls = waiting.splice(0).filter((call) => !call.ended.aborted);
          const most = Math.max(1, Math.floor(maxCalls) || 1);
          while (calls.length > 0) sendTogether(connection, calls.splice(0, most));
        }, 0);
      }),
  );
}

/** Each call has its own signals and timeout; the request ends early only with the last of its calls. */
function sendTogether<Body>(
  connection: FwRpcConnection<FwRpcJsonRpcOptions<Body>>,
  calls: readonly FwRpcWaitingCall[],
): void {
  const controller = new platform.AbortController();
  for (const { ended } of calls) {
    ended.addEventListener('abort', () => {
      if (calls.every((call) => call.ended.aborted)) controller.abort(ended.reason);
    });
  }
  const texts = calls.map(({ text }) => text).join(',');
  const names = calls.map(({ name }) => name);
  const options = { signal: controller.signal, timeoutMs: Infinity };
  // What waits is text, which every fetch takes.
  const body = (calls.length === 1 ? texts : `[${texts}]`) as Body;
  const answer = postJsonRpc(connection, body, names, options);
  const answers = calls.length === 1 ? undefined : answer.then(answersOf);
  for (const { id, resolve } of calls) resolve(answers?.then((byId) => byId.get(id)) ?? answer);
}

/** The answers to a batch, by the ids of its calls. */
function answersOf(answer: unknown): Map<unknown, FwRpcAnswer | null> {
  // One object instead of an array refuses the batch as a whole.
  if (!Array.isArray(answer)) throw new JsonRpcClientError(outcomeOf(answer).error ?? noAnswer());
  return new Map((answer as (FwRpcAnswer | null)[]).map((one) => [one?.id, one]));
}

/** The result or the error of a response, also if the server deviates from the specification. */
function outcomeOf(answer: unknown): FwRpcOutcome {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return { error: noAnswer() };
  const { result, error } = answer as FwRpcAnswer;
  // JSON-RPC 1.0 servers send null if there is no error; others leave out a result that is undefined.
  return error === undefined || error === null ? { result: result ?? null } : { error: jsonRpcError(error) };
}

function jsonRpcError(error: unknown): JsonRpcError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'number' && typeof message === 'string') return error as JsonRpcError;
  return {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : 'the server sent no message',
    data: error,
  };
}

function noAnswer(): JsonRpcError {
  return { code: -32603, message: 'the server sent no response to this call' };
}

/** What subscriptions send, and what they fail with. */
export const jsonRpcStreams: FwRpcStreamProtocol = {
  request: (connection, name, input) => ({
    url: urlOf(connection, [name]),
    method: 'POST',
    body: JSON.stringify(jsonRpcRequest(connection, name, input)),
    headers: { 'Content-Type': 'application/json' },
  }),
  refusal(text, url, name) {
    const { error } = outcomeOf(readJson(text, url));
    return error === undefined ? undefined : new JsonRpcClientError(error, name);
  },
  failure: (sent, [name]) => new JsonRpcClientError(jsonRpcError(sent ?? {}), name),
  httpError: ({ status, statusText }, body) => new FwRpcHttpError(status, statusText, body),
  isLost(error) {
    // The codes that stand for 500, 503, 408 and 429.
    if (error instanceof JsonRpcClientError) return [-32603, -32053, -32008, -32029].includes(error.code);
    return isLostStatus(error);
  },
};

/** The procedures that a batch may call; a subscription is called alone. */
export type FwRpcMethodOf<Procedures> = {
  [Method in keyof Procedures]: Procedures[Method] extends { kind: 'subscription' } ? never : Method;
}[keyof Procedures];

/** What a procedure takes and gives. */
export interface FwRpcTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** One call of a batch; `params` is the input of the procedure. */
export type FwRpcBatchCallOf<
  Procedures extends Record<keyof Procedures, FwRpcTypes>,
  Methods extends keyof Procedures,
> = {
  [Method in Methods]: undefined extends Procedures[Method]['input']
    ? { method: Method; params?: Procedures[Method]['input'] }
    : { method: Method; params: Procedures[Method]['input'] };
}[Methods];

/** The outcome of a call of a batch: its result (null if there is none) or its error. */
export type FwRpcBatchResultOf<
  Procedures extends Record<keyof Procedures, FwRpcTypes>,
  Errors,
  Call,
> = Call extends {
  method: infer Method extends keyof Procedures;
}
  ?
      | {
          result: [Procedures[Method]['output']] extends [undefined] ? null : Procedures[Method]['output'];
          error?: undefined;
        }
      | { result?: undefined; error: FwRpcBatchErrorOf<Errors, Method> }
  : never;

/** An error that the procedure declares, or another one, which has no name. */
export type FwRpcBatchErrorOf<Errors, Method> = Method extends keyof Errors
  ? Errors[Method] | (JsonRpcError & { name?: undefined })
  : JsonRpcError;

/** The arguments of a notification after the method; params may be left out if the procedure takes none. */
export type FwRpcNotifyRestOf<Procedure extends FwRpcTypes> = undefined extends Procedure['input']
  ? [params?: Procedure['input'], options?: FwRpcCallOptions]
  : [params: Procedure['input'], options?: FwRpcCallOptions];

/** The methods of `batchCaller`. */
export const batchTable: FwRpcTable<FwRpcEntry> = { batch: {}, notify: {} };

/** `notify` and `batch`. @param encode makes the body of a request */
export function batchCaller<Body>(
  encode: (value: unknown) => Body,
): FwRpcCaller<FwRpcEntry, readonly unknown[], FwRpcRequestOptions<Body>> {
  return async (connection, [name], ...args) => {
    if (name === 'notify') {
      const [method, params, options = {}] = args as [string, unknown, FwRpcCallOptions?];
      const body = encode({ jsonrpc: '2.0', method, params: params ?? undefined });
      const answer = await postJsonRpc(connection, body, [method], options);
      const { error } = (answer ?? {}) as FwRpcAnswer;
      // There is an error only if the server could not read the request.
      if (error !== undefined && error !== null) throw new JsonRpcClientError(jsonRpcError(error));
      return undefined;
    }
    const [calls, options = {}] = args as [
      readonly { readonly method: string; readonly params?: unknown }[],
      FwRpcCallOptions?,
    ];
    if (calls.length === 0) return [];
    const requests = calls.map(({ method, params }) => jsonRpcRequest(connection, method, params));
    const names = calls.map(({ method }) => method);
    const answers = answersOf(await postJsonRpc(connection, encode(requests), names, options));
    return requests.map(({ id }) => outcomeOf(answers.get(id)));
  };
}
