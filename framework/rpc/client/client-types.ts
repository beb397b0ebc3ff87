// The client: the types that every generated client brings along, as text; the same in its declarations.

/** Of both kinds of client. */
export const sharedTypes: string = `/** What the client needs of an AbortSignal. */
export interface FwRpcSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What the client needs of a Response. */
export interface FwRpcResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  text(): Promise<string>;
}

export type FwRpcFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: FwRpcSignal },
) => Promise<FwRpcResponse>;

export interface FwRpcClientOptions {
  /** Header fields of every call. */
  headers?: Record<string, string>;
  /** In place of the global \`fetch\`. */
  fetch?: FwRpcFetch;
  /** Ends every call. */
  signal?: FwRpcSignal;
  /** How long a call may take, in milliseconds. */
  timeoutMs?: number;
  /** Lets the server refuse the call where it serves another contract than this client was made for. */
  contract?: boolean;
}

export interface FwRpcCallOptions {
  headers?: Record<string, string>;
  signal?: FwRpcSignal;
  timeoutMs?: number;
}
`;

/** Of a JSON-RPC client: its error, as the server sends it. */
export const jsonRpcErrorType: string = `export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}
`;

/** Of a JSON-RPC client: entries of a batch and what they give. */
export const batchTypes: string = `export type FwRpcMethod = keyof FwRpcProcedures;

/** One entry of a batch; \`params\` as the procedure takes them. */
export type FwRpcBatchCall = {
  [Method in FwRpcMethod]: { method: Method; params?: FwRpcProcedures[Method]['input'] };
}[FwRpcMethod];

/** What a call of a batch gave: its result, or the error in its place. */
export type FwRpcBatchResult<Call> = Call extends { method: infer Method extends FwRpcMethod }
  ? { result: FwRpcProcedures[Method]['output']; error?: undefined } | { result?: undefined; error: JsonRpcError }
  : never;
`;

/** Of the declarations of a JSON-RPC client: what its run-time part defines. */
export const declaredJsonRpcError: string = `/** The server answered with a JSON-RPC error. */
export declare class JsonRpcClientError extends Error {
  readonly name: string;
  readonly error: JsonRpcError;
  readonly code: number;
  readonly data: unknown;
  constructor(error: JsonRpcError);
}
`;

/** Of the declarations of a JSON-RPC client: the end of its class. */
export const declaredJsonRpcTail: string = `
  /** Sends a notification: the server does the work and answers nothing. */
  notify<Method extends FwRpcMethod>(
    method: Method,
    params?: FwRpcProcedures[Method]['input'],
    options?: FwRpcCallOptions,
  ): Promise<void>;

  /** Sends several calls at once; the results are in the order of the calls. */
  batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }>;
`;

/** Of the declarations of a REST client: what its run-time part defines. */
export const declaredHttpError: string = `/** The server answered with a status that is no success. */
export declare class FwRpcHttpError extends Error {
  readonly name: string;
  readonly status: number;
  /** The body of the answer, parsed where it is JSON. */
  readonly body: unknown;
  constructor(status: number, statusText: string, body: unknown);
}
`;
