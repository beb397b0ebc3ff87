// RPC errors: the codes of JSON-RPC 2.0, the error that procedures throw, and the code of every other error.
import { asFwError, FwError, type FwErrorVariant } from '../http/errors.js';
import type { JsonRpcErrorObject } from './messages.js';

/** The codes that the specification of JSON-RPC 2.0 defines (section 5.1), and that of another contract. */
export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The client was generated for other types: see the client's option `checkContract`. */
  contractMismatch: -32010,
} as const;

/** The code and status of errors that are not a JsonRpcError, by their variant. */
const CODES: Readonly<Record<FwErrorVariant, number>> = {
  BadRequest: errorCode.invalidParams,
  ValidationError: errorCode.invalidParams,
  Unauthorized: -32001,
  Forbidden: -32003,
  NotFound: -32004,
  MethodNotAllowed: -32005,
  RequestTimeout: -32008,
  PayloadTooLarge: -32013,
  UnsupportedMediaType: -32015,
  RangeNotSatisfiable: -32016,
  TooManyRequests: -32029,
  ServiceUnavailable: -32053,
  Internal: errorCode.internalError,
  DatabaseError: errorCode.internalError,
};

/** The HTTP error of a code; all other codes are a 400. */
const VARIANTS: ReadonlyMap<number, FwErrorVariant> = new Map<number, FwErrorVariant>([
  ...(Object.entries(CODES) as [FwErrorVariant, number][]).map(
    ([variant, code]): [number, FwErrorVariant] => [code, variant],
  ),
  [errorCode.methodNotFound, 'NotFound'],
  [errorCode.invalidParams, 'BadRequest'],
  [errorCode.internalError, 'Internal'],
]);

const DEFINED: ReadonlySet<number> = new Set(Object.values(errorCode));

/**
 * An error with a code and data for the client. Throw one from a procedure:
 *
 * ```ts
 * throw new JsonRpcError(4001, 'out of stock', { left: 0 });
 * ```
 *
 * Over plain HTTP (`mountRest`, or a route that uses `call`) it is a 400 with its message, without the data.
 * The message of `errorCode.internalError` stays on the server.
 */
export class JsonRpcError<Data = unknown> extends FwError {
  override readonly name: string = 'JsonRpcError';
  readonly code: number;
  /** Not sent if it is undefined. */
  readonly data: Data | undefined;

  /** @throws Error if the code is not an integer, or one that JSON-RPC 2.0 reserves (section 5.1: -32768 to -32100) */
  constructor(code: number, message: string, data?: Data, options: { cause?: unknown } = {}) {
    const status = code === errorCode.contractMismatch ? { status: 409 } : {};
    super(VARIANTS.get(code) ?? 'BadRequest', message, { ...options, ...status });
    if (!Number.isSafeInteger(code)) throw new Error(`${code} is not a JSON-RPC error code: use an integer`);
    if (code >= -32768 && code <= -32100 && !DEFINED.has(code)) {
      throw new Error(
        `the error code ${code} is reserved by JSON-RPC 2.0; use one outside of -32768 to -32000`,
      );
    }
    this.code = code;
    this.data = data;
  }
}

/**
 * The error that a client gets for anything that was thrown: its code, message and data, or the generic -32603
 * without the message of an unexpected error.
 */
export function wireError(thrown: unknown): JsonRpcErrorObject {
  const error = asFwError(thrown);
  if (error === undefined) return internal;
  const code = error instanceof JsonRpcError ? error.code : CODES[error.variant];
  if (code === errorCode.internalError) return internal;
  const { message } = error;
  if (!(error instanceof JsonRpcError)) {
    const { variant, status, issues } = error;
    return { code, message, data: { error: variant, status, ...(issues && { issues }) } };
  }
  return error.data === undefined ? { code, message } : { code, message, data: error.data };
}

const internal: JsonRpcErrorObject = { code: errorCode.internalError, message: 'Internal error' };
