// The client: the text of the types that every generated client and its declarations contain.
import { batchOption } from './client-batch.js';
import { callOptions, callTypes, makesCalls } from './client-calls.js';
import type { ClientKind } from './client-kind.js';
import { socketOptions } from './client-sockets.js';
import { uploadTypes, withForms } from './client-upload.js';

/** Of both kinds of client. */
export function sharedTypes(kind: ClientKind): string {
  const response = kind.hasSubscriptions ? streamedResponse : plainResponse;
  const own = requestTypes(kind);
  const request = kind.hasFiles || kind.hasForms ? uploadTypes + withForms(own) : own;
  return abortTypes + response + contractType(kind.hasErrors) + request;
}

export const abortTypes = `/** The part of an AbortSignal that the client uses. */
export interface FwRpcAbortSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The AbortSignal of the libraries that the program is compiled with, or the part that the client uses. */
export type FwRpcSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal extends FwRpcAbortSignal } }
  ? Signal
  : FwRpcAbortSignal;

`;

const plainResponse = `/** The part of a Response that the client uses. */
export interface FwRpcResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  text(): Promise<string>;
}

`;

const streamedResponse = `/** The part of a reader of a ReadableStream that the client uses. */
export interface FwRpcReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

${plainResponse.trim().slice(0, -1)}  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): FwRpcReader } | null;
}

`;

function contractType(hasErrors: boolean): string {
  const entry =
    'Record<string, readonly [kind: string, input: string, output: string, names: readonly string[]]>';
  const withErrors = `Record<
      string,
      readonly [
        kind: string,
        input: string,
        output: string,
        names: readonly string[],
        errors?: Readonly<Record<string, string>>,
      ]
    >`;
  return `/** The types that a client was generated for. */
export interface FwRpcContract {
  readonly hash: string;
  readonly procedures: Readonly<
    ${hasErrors ? withErrors : entry}
  >;
  readonly types: Readonly<Record<string, string>>;
}
`;
}

/** Whether the paths of routes do not belong to the URL of the constructor, which is that of procedures. */
function hasOrigin({ isRest, hasCalls, hasSubscriptions, hasRoutes, hasSockets }: ClientKind): boolean {
  return (hasRoutes || hasSockets) && (!isRest || hasCalls || hasSubscriptions);
}

function requestTypes(kind: ClientKind): string {
  const calls = makesCalls(kind);
  const routesUrl = hasOrigin(kind)
    ? `  /** What stands before the paths of routes; the origin of the URL that the constructor gets by default. */
  routesUrl?: string | undefined;
`
    : '';
  return `
/** The part of \`fetch\` that the client uses. */
export interface FwRpcRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: FwRpcSignal;
}

export type FwRpcFetch = (url: string, init: FwRpcRequest) => Promise<FwRpcResponse>;

export interface FwRpcClientOptions {
  /** Header fields of every call, or a function that is asked for them before each call, such as for a token. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>) | undefined;
  /** Used instead of the global \`fetch\`. */
  fetch?: FwRpcFetch | undefined;
  /** Aborts every call. */
  signal?: FwRpcSignal | undefined;
  /** How long a call may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /** The exported \`contract\`: the server refuses calls if a change of their types breaks this client. */
  checkContract?: FwRpcContract | undefined;
${calls ? callOptions : ''}${batchOption(kind)}${routesUrl}${socketOptions(kind)}}

export interface FwRpcCallOptions {
  headers?: Record<string, string> | undefined;
  signal?: FwRpcSignal | undefined;
  timeoutMs?: number | undefined;
}
${calls ? callTypes : ''}`;
}

/** Of a JSON-RPC client: its error, as the server sends it. */
export function jsonRpcErrorType(hasErrors: boolean): string {
  const name = hasErrors ? '  /** Of an error that the procedure declares. */\n  name?: string;\n' : '';
  return `export interface JsonRpcError {
  code: number;
  message: string;
${name}  data?: unknown;
}
`;
}

/** Of a JSON-RPC client: the calls of a batch and their outcomes. */
export function batchTypes({
  hasErrors,
  hasSubscriptions,
}: Pick<ClientKind, 'hasErrors' | 'hasSubscriptions'>): string {
  return `${hasSubscriptions ? calledMethods : 'export type FwRpcMethod = keyof FwRpcProcedures;'}

/** One call of a batch; \`params\` is the input of the procedure. */
export type FwRpcBatchCall = {
  [Method in FwRpcMethod]: undefined extends FwRpcProcedures[Method]['input']
    ? { method: Method; params?: FwRpcProcedures[Method]['input'] }
    : { method: Method; params: FwRpcProcedures[Method]['input'] };
}[FwRpcMethod];

/** The outcome of a call of a batch: its result (null if there is none) or its error. */
export type FwRpcBatchResult<Call> = Call extends { method: infer Method extends FwRpcMethod }
  ?
      | {
          result: [FwRpcProcedures[Method]['output']] extends [undefined] ? null : FwRpcProcedures[Method]['output'];
          error?: undefined;
        }
      | { result?: undefined; error: ${hasErrors ? 'FwRpcBatchError<Method>' : 'JsonRpcError'} }
  : never;
${hasErrors ? batchError : ''}
/** The arguments of a notification after the method; params may be left out if the procedure takes none. */
export type FwRpcNotifyRest<Method extends FwRpcMethod> = undefined extends FwRpcProcedures[Method]['input']
  ? [params?: FwRpcProcedures[Method]['input'], options?: FwRpcCallOptions]
  : [params: FwRpcProcedures[Method]['input'], options?: FwRpcCallOptions];
`;
}

const calledMethods = `/** The procedures that a batch may call; a subscription is called alone. */
export type FwRpcMethod = {
  [Method in keyof FwRpcProcedures]: FwRpcProcedures[Method] extends { kind: 'subscription' } ? never : Method;
}[keyof FwRpcProcedures];`;

const batchError = `
/** An error that the procedure declares, or another one, which has no name. */
export type FwRpcBatchError<Method> = Method extends keyof FwRpcErrors
  ? FwRpcErrors[Method] | (JsonRpcError & { name?: undefined })
  : JsonRpcError;
`;

/** Of the declarations of a JSON-RPC client: the error class. */
export function declaredJsonRpcError(hasErrors: boolean): string {
  return `/** The server answered with a JSON-RPC error. */
export declare class JsonRpcClientError extends Error {
  readonly name: string;
  readonly error: JsonRpcError;
  readonly code: number;
  readonly data: unknown;
${hasErrors ? procedureField : ''}  constructor(error: JsonRpcError${procedureParameter(hasErrors)});
}
`;
}

/** Of the error class of a client with declared errors. */
export const procedureField = `  /** The procedure that failed; undefined if the request failed as a whole. */
  readonly procedure: string | undefined;
`;

export function procedureParameter(hasErrors: boolean): string {
  return hasErrors ? ', procedure?: string' : '';
}

/** Of the declarations of a JSON-RPC client: the end of its class. */
export const declaredJsonRpcTail: string = `
  /** Sends a notification: the server runs the procedure and does not return its result. */
  notify<Method extends FwRpcMethod>(method: Method, ...rest: FwRpcNotifyRest<Method>): Promise<void>;

  /** Sends several calls at once; the results are in the order of the calls. */
  batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }>;
`;

/**
 * Of the declarations of both kinds of client: the error classes.
 *
 * @param hasErrors of a REST client whose procedures declare errors
 */
export function declaredErrors(hasErrors: boolean): string {
  return `${hasErrors ? declaredErrorType : ''}/** The server answered with a status that is not a success. */
export declare class FwRpcHttpError extends Error {
  readonly name: string;
  readonly status: number;
  /** The body of the response, parsed if it is JSON. */
  readonly body: unknown;
${hasErrors ? procedureField + errorField : ''}  constructor(status: number, statusText: string, body: unknown${procedureParameter(hasErrors)});
}

/** There was no response within \`timeoutMs\`. The name is \`TimeoutError\`, as of \`AbortSignal.timeout()\`. */
export declare class FwRpcTimeoutError extends Error {
  readonly name: string;
  /** In milliseconds. */
  readonly timeoutMs: number;
  constructor(timeoutMs: number);
}
`;
}

/** Of a REST client with declared errors: an error as the server sends it. */
export const declaredErrorType = `export interface FwRpcDeclaredError {
  code: number;
  message: string;
  name: string;
  data?: unknown;
}

`;

export const errorField = `  /** The error, if it is one that the procedure declares. */
  readonly error: FwRpcDeclaredError | undefined;
`;
