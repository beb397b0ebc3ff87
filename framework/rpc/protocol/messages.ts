// RPC: the objects of JSON-RPC 2.0, as they are sent.

/** Correlates a response with its request; null if the request could not be read. */
export type JsonRpcId = string | number | null;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: object | readonly unknown[];
  /** Absent in a notification, which has no response. */
  readonly id?: JsonRpcId;
}

/** The response to a call that succeeded. */
export interface JsonRpcResponse<Result = unknown> {
  readonly jsonrpc: '2.0';
  readonly result: Result;
  readonly id: JsonRpcId;
}

/** The response to a call that failed. */
export interface JsonRpcErrorResponse<Data = unknown> {
  readonly jsonrpc: '2.0';
  readonly error: JsonRpcErrorObject<Data>;
  readonly id: JsonRpcId;
}

/** The error as it is sent; `JsonRpcError` is the class that is thrown. */
export interface JsonRpcErrorObject<Data = unknown> {
  readonly code: number;
  readonly message: string;
  /** The name of an error that the procedure declares. */
  readonly name?: string;
  readonly data?: Data;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @throws Error if it is not a body, for example because it was parsed already */
export function messageText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return decoder.decode(body as Uint8Array);
  const given = body === null ? 'null' : typeof body;
  throw new Error(
    `handleRequest takes the body of a request as bytes or text, got ${given}; pass it await ctx.req.bytes()`,
  );
}

/** The result of `handleRequest`: bytes, or nothing if the request has only notifications. */
export class JsonRpcOutput {
  readonly #text: string | undefined;

  /** @internal */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  /** The body of the response, in UTF-8; undefined if there is no response (HTTP status 204). */
  intoBody(): Uint8Array | undefined {
    return this.#text === undefined ? undefined : encoder.encode(this.#text);
  }
}
