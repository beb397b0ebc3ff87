// RPC: the records of JSON-RPC 2.0, as they travel.

/** What correlates an answer with its request; null where the request could not be read. */
export type JsonRpcId = string | number | null;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: object | readonly unknown[];
  /** Absent in a notification, which is not answered. */
  readonly id?: JsonRpcId;
}

/** The answer to a call that succeeded. */
export interface JsonRpcResponse<Result = unknown> {
  readonly jsonrpc: '2.0';
  readonly result: Result;
  readonly id: JsonRpcId;
}

/** The answer to a call that failed. */
export interface JsonRpcErrorResponse<Data = unknown> {
  readonly jsonrpc: '2.0';
  readonly error: JsonRpcErrorObject<Data>;
  readonly id: JsonRpcId;
}

/** The error as it travels; `JsonRpcError` is the one that is thrown. */
export interface JsonRpcErrorObject<Data = unknown> {
  readonly code: number;
  readonly message: string;
  readonly data?: Data;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @throws Error where it is no body, such as one that was parsed already. */
export function messageText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return decoder.decode(body as Uint8Array);
  const given = body === null ? 'null' : typeof body;
  throw new Error(
    `handleRequest takes the body of a request as bytes or text, got ${given}; pass it await ctx.req.bytes()`,
  );
}

/** What `handleRequest` answers: bytes, or nothing where all was notifications. */
export class JsonRpcOutput {
  readonly #text: string | undefined;

  /** @internal */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  /** The body of the answer, in UTF-8; undefined where there is nothing to answer (HTTP status 204). */
  intoBody(): Uint8Array | undefined {
    return this.#text === undefined ? undefined : encoder.encode(this.#text);
  }
}
