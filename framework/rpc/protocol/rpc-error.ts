// RPC errors: the codes of JSON-RPC 2.0, the error that procedures throw, and the code of every other error.
import { asFwError, FwError, type FwErrorOptions, type FwErrorVariant } from '../../http/errors.js';
import type { RpcErrorOptions } from './error-declarations.js';
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
  /** An error that the procedure declares, unless it declares another code; its `name` says which. */
  declared: -32000,
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
  Conflict: -32009,
  PreconditionFailed: -32012,
  PayloadTooLarge: -32013,
  UnsupportedMediaType: -32015,
  RangeNotSatisfiable: -32016,
  UpgradeRequired: -32026,
  PreconditionRequired: -32028,
  TooManyRequests: -32029,
  BadGateway: -32052,
  ServiceUnavailable: -32053,
  GatewayTimeout: -32054,
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

/** Whether it is the name of an error of fw, which a procedure cannot declare. */
export function isVariant(name: string): boolean {
  return Object.hasOwn(CODES, name);
}

/** Whether fw sends the code for errors that no procedure declares. */
export function isCodeOfFw(code: number): boolean {
  return code !== errorCode.declared && (DEFINED.has(code) || Object.values(CODES).includes(code));
}

/** Whether JSON-RPC 2.0 keeps the code for itself (section 5.1). */
export function isReservedCode(code: number): boolean {
  return code >= -32768 && code <= -32100;
}

/**
 * An error with a code and data for the client. Throw one from a procedure:
 *
 * ```ts
 * throw new JsonRpcError(4001, 'out of stock', { left: 0 });
 * ```
 *
 * Over plain HTTP (`mountRest`, or a route that uses `call`) it is a 400, or `options.status`, and its code and data are
 * fields of the body: `{"error":"BadRequest","message":"out of stock","code":4001,"data":{"left":0}}`. The message of
 * `errorCode.internalError` stays on the server. Errors that clients should tell apart by their types are better
 * declared: see the option `errors` of a procedure.
 */
export class JsonRpcError<Data = unknown> extends FwError {
  override readonly name: string = 'JsonRpcError';
  readonly code: number;
  /** Not sent if it is undefined. */
  readonly data: Data | undefined;

  /** @throws Error if the code is not an integer, or one that JSON-RPC 2.0 reserves (section 5.1: -32768 to -32100) */
  constructor(code: number, message: string, data?: Data, options: FwErrorOptions = {}) {
    const status = code === errorCode.contractMismatch ? { status: 409 } : {};
    super(VARIANTS.get(code) ?? 'BadRequest', message, { ...status, ...options });
    if (!Number.isSafeInteger(code)) throw new Error(`${code} is not a JSON-RPC error code: use an integer`);
    if (isReservedCode(code) && !DEFINED.has(code)) {
      throw new Error(
        `the error code ${code} is reserved by JSON-RPC 2.0; use one outside of -32768 to -32000`,
      );
    }
    this.code = code;
    this.data = data;
  }

  /** @internal */
  override bodyFields(): Readonly<Record<string, unknown>> {
    const { code, data } = this;
    return { code, ...(data !== undefined && { data }), ...super.bodyFields() };
  }
}

/**
 * An error that a procedure declares by its option `errors`, and makes by `errors.outOfStock({ left: 2 })`. Its name is
 * the declared one; its data was parsed by the declared schema.
 */
export class RpcError<Name extends string = string, Data = unknown> extends JsonRpcError<Data> {
  override readonly name: Name;
  declare readonly data: Data;
  /** The procedure that declares the error. */
  readonly procedure: string;

  private constructor(declared: Declared, data: Data, { message, cause }: RpcErrorOptions) {
    super(declared.code, message ?? declared.message, data, {
      status: declared.status,
      ...(cause !== undefined && { cause }),
    });
    this.name = declared.name as Name;
    this.procedure = declared.procedure;
  }

  /** @internal */
  static of(declared: Declared, data: unknown, options: RpcErrorOptions = {}): RpcError {
    return new RpcError(declared, data, options);
  }

  /** @internal */
  override bodyFields(): Readonly<Record<string, unknown>> {
    return { error: this.name, ...super.bodyFields() };
  }
}

/** The part of a declaration that an error needs. */
interface Declared {
  readonly name: string;
  readonly procedure: string;
  readonly code: number;
  readonly status: number;
  readonly message: string;
}

/**
 * What was thrown, as an error of this procedure: an error that another procedure declares loses its name, which
 * clients of this one would take for theirs.
 */
export function errorOf(procedure: string, thrown: unknown): unknown {
  const error = asFwError(thrown);
  if (!(error instanceof RpcError) || error.procedure === procedure) return thrown;
  const { code, message, data, status } = error;
  return new JsonRpcError(code, message, data, { status, cause: error });
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
  const { data } = error;
  const name = error instanceof RpcError ? { name: error.name } : {};
  return { code, message, ...name, ...(data !== undefined && { data }) };
}

/** The error of a call whose input is nested too deeply for its schema, or for JSON. */
export function tooDeep(cause?: unknown): JsonRpcError {
  const options = cause === undefined ? {} : { cause };
  return new JsonRpcError(errorCode.invalidParams, 'Invalid input: nested too deeply', undefined, options);
}

/** How a call ended that was answered with this error: the name of a declared one, else the code. */
export function outcomeOf({ name, code }: JsonRpcErrorObject): string {
  return name ?? String(code);
}

const internal: JsonRpcErrorObject = { code: errorCode.internalError, message: 'Internal error' };
