// The client: the types that every generated client brings along, as text; the same in its declarations.

/** Of both kinds of client. */
export const sharedTypes: string = `/** What the client needs of an AbortSignal. */
export interface FwRpcAbortSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The AbortSignal of the libraries that the program is compiled with; without any, what the client needs of one. */
export type FwRpcSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal extends FwRpcAbortSignal } }
  ? Signal
  : FwRpcAbortSignal;

/** What the client needs of a Response. */
export interface FwRpcResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  text(): Promise<string>;
}

/** The types that a client was made for. */
export interface FwRpcContract {
  readonly hash: string;
  readonly procedures: Readonly<
    Record<string, readonly [kind: string, input: string, output: string, names: readonly string[]]>
  >;
  readonly types: Readonly<Record<string, string>>;
}

/** What the client asks \`fetch\` for. */
export interface FwRpcRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: FwRpcSignal;
}

export type FwRpcFetch = (url: string, init: FwRpcRequest) => Promise<FwRpcResponse>;

export interface FwRpcClientOptions {
  /** Header fields of every call. */
  headers?: Record<string, string> | undefined;
  /** In place of the global \`fetch\`. */
  fetch?: FwRpcFetch | undefined;
  /** Ends every call. */
  signal?: FwRpcSignal | undefined;
  /** How long a call may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Has the server refuse calls of procedures whose types changed so that this client breaks. */
  checkContract?: FwRpcContract | undefined;
}

export interface FwRpcCallOptions {
  headers?: Record<string, string> | undefined;
  signal?: FwRpcSignal | undefined;
  timeoutMs?: number | undefined;
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
  [Method in FwRpcMethod]: undefined extends FwRpcProcedures[Method]['input']
    ? { method: Method; params?: FwRpcProcedures[Method]['input'] }
    : { method: Method; params: FwRpcProcedures[Method]['input'] };
}[FwRpcMethod];

/** What a call of a batch gave: its result, null where that is nothing, or the error in its place. */
export type FwRpcBatchResult<Call> = Call extends { method: infer Method extends FwRpcMethod }
  ?
      | {
          result: [FwRpcProcedures[Method]['output']] extends [undefined] ? null : FwRpcProcedures[Method]['output'];
          error?: undefined;
        }
      | { result?: undefined; error: JsonRpcError }
  : never;

/** What follows the method of a notification; params may be left out where the procedure takes none. */
export type FwRpcNotifyRest<Method extends FwRpcMethod> = undefined extends FwRpcProcedures[Method]['input']
  ? [params?: FwRpcProcedures[Method]['input'], options?: FwRpcCallOptions]
  : [params: FwRpcProcedures[Method]['input'], options?: FwRpcCallOptions];
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
  notify<Method extends FwRpcMethod>(method: Method, ...rest: FwRpcNotifyRest<Method>): Promise<void>;

  /** Sends several calls at once; the results are in the order of the calls. */
  batch<const Calls extends readonly FwRpcBatchCall[]>(
    calls: Calls,
    options?: FwRpcCallOptions,
  ): Promise<{ -readonly [Index in keyof Calls]: FwRpcBatchResult<Calls[Index]> }>;
`;

/** Of the declarations of both kinds of client: what their run-time part defines. */
export const declaredErrors: string = `/** The server answered with a status that is not a success. */
export declare class FwRpcHttpError extends Error {
  readonly name: string;
  readonly status: number;
  /** The body of the answer, parsed where it is JSON. */
  readonly body: unknown;
  constructor(status: number, statusText: string, body: unknown);
}

/** There was no answer within \`timeoutMs\`. Its name is \`TimeoutError\`, as that of \`AbortSignal.timeout()\`. */
export declare class FwRpcTimeoutError extends Error {
  readonly name: string;
  /** In milliseconds. */
  readonly timeoutMs: number;
  constructor(timeoutMs: number);
}
`;
