// Errors that a handler or middleware throws to answer with a defined status.
import { addRenamed } from '../options/check.js';
import { shown } from '../options/shown.js';

/** The kind of an error, which is the `error` field of the response body. */
export type FwErrorVariant =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'PreconditionFailed'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'RangeNotSatisfiable'
  | 'UpgradeRequired'
  | 'PreconditionRequired'
  | 'ValidationError'
  | 'TooManyRequests'
  | 'Internal'
  | 'DatabaseError'
  | 'BadGateway'
  | 'ServiceUnavailable'
  | 'GatewayTimeout';

/** A field that validation rejected, and why. */
export interface FwIssue {
  /** Keys and indices from the root of the value to the field; empty for the value itself. */
  readonly path: readonly (string | number)[];
  /** Why the field was rejected; sent to the client. */
  readonly message: string;
}

/** Options of an FwError. */
export interface FwErrorOptions {
  /** What caused the error, for logs; never sent to the client. */
  cause?: unknown;
  /** The fields that validation rejected; sent to the client as `issues`. */
  issues?: readonly FwIssue[];
  /** A status instead of the one of the variant. */
  status?: number;
  /** Header fields of the response to this error, such as `Allow` for 405. */
  headers?: Readonly<Record<string, string>>;
  /** The statement that the database refused, for logs; never sent to the client. */
  sql?: string;
}

/** Issues come from the client, so the size of the body is limited. */
const MOST_ISSUES = 20;

const STATUS: Record<FwErrorVariant, number> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  UpgradeRequired: 426,
  PreconditionRequired: 428,
  ValidationError: 400,
  TooManyRequests: 429,
  Internal: 500,
  DatabaseError: 500,
  BadGateway: 502,
  ServiceUnavailable: 503,
  GatewayTimeout: 504,
};

/** The message that a client gets for an error whose message is internal. */
const GENERIC_MESSAGE = 'internal server error';

/** The message that a client may see of anything that was thrown. */
export function publicMessage(thrown: unknown): string {
  return asFwError(thrown)?.publicMessage ?? GENERIC_MESSAGE;
}

/** Whether the thrown value is of a class. `instanceof` itself throws for some Proxies, which may be thrown too. */
export function isThrown<Class>(
  thrown: unknown,
  of: abstract new (...args: never) => Class,
): thrown is Class {
  try {
    return thrown instanceof of;
  } catch {
    return false;
  }
}

/** The thrown value if it is an FwError, and one for an error of `http-errors` that is meant for the client. */
export function asFwError(thrown: unknown): FwError | undefined {
  return isThrown(thrown, FwError) ? thrown : fromExposed(thrown);
}

/**
 * Errors of `http-errors`, which middleware of Connect and Express throws, have a `statusCode`, and `expose` if the
 * message is for the client. A status alone says nothing of that: errors of HTTP clients have that of another server.
 */
function fromExposed(thrown: unknown): FwError | undefined {
  try {
    if (!(thrown instanceof Error)) return undefined;
    const { expose, status, statusCode, headers } = thrown as Error & Record<string, unknown>;
    if (expose !== true || typeof statusCode !== 'number' || status !== statusCode) return undefined;
    if (!Number.isInteger(statusCode) || statusCode < 400 || statusCode > 499) return undefined;
    const fields = typeof headers === 'object' && headers !== null ? { headers: texts(headers) } : {};
    return new FwError(variantOf(statusCode), String(thrown.message), { status: statusCode, ...fields });
  } catch {
    // A Proxy, or a getter that throws.
    return undefined;
  }
}

function texts(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** The first variant of the status, which no other 4xx status has. */
function variantOf(status: number): FwErrorVariant {
  const found = Object.entries(STATUS).find(([, one]) => one === status);
  return (found?.[0] ?? 'BadRequest') as FwErrorVariant;
}

/**
 * An error with a status and a message for the client. Throw one from a handler or middleware:
 *
 * ```ts
 * throw FwError.notFound(`no user ${id}`); // 404 {"error":"NotFound","message":"no user 7"}
 * ```
 *
 * The messages of `internal` and `databaseError` are not sent to the client, which gets a generic one.
 */
export class FwError extends Error {
  override readonly name: string = 'FwError';
  /** The kind of the error, such as `NotFound`. */
  readonly variant: FwErrorVariant;
  /** The HTTP status of the response. */
  readonly status: number;
  /** The fields that validation rejected. */
  declare readonly issues?: readonly FwIssue[];
  /** Header fields of the response to this error. */
  declare readonly headers?: Readonly<Record<string, string>>;
  /** The statement that the database refused, without its parameters; never sent to the client. */
  declare readonly sql?: string;

  constructor(variant: FwErrorVariant, message: string, options: FwErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    const { status } = options;
    if (!Object.hasOwn(STATUS, variant)) {
      throw new TypeError(
        `${shown(variant)} is not a variant of FwError; write FwError.notFound(message) or one of the others`,
      );
    }
    this.variant = variant;
    this.status = status ?? STATUS[variant];
    if (typeof this.status !== 'number') {
      throw new TypeError(`the status of an FwError is ${shown(status)}; give a number from 200 to 599`);
    }
    // Absent instead of undefined, so that a logged error does not show empty properties.
    if (options.issues) this.issues = options.issues;
    if (options.headers) this.headers = options.headers;
    if (options.sql) this.sql = options.sql;
  }

  static {
    const name = (variant: string) => variant.charAt(0).toLowerCase() + variant.slice(1);
    const here = Object.keys(STATUS).map((variant) => [variant, `FwError.${name(variant)}(…)`]);
    addRenamed(FwError, 'FwError', Object.fromEntries(here));
  }

  /** True if the client gets the variant and a generic message alone. @internal */
  get isInternal(): boolean {
    return this.variant === 'Internal' || this.variant === 'DatabaseError';
  }

  /**
   * The message for the client: `internal server error` for the variants `Internal` and `DatabaseError`, whose
   * `message` stays on the server, and the `message` of all others.
   */
  get publicMessage(): string {
    return this.isInternal ? GENERIC_MESSAGE : this.message;
  }

  /** The fields of the response's body beside the variant and the message. @internal */
  bodyFields(): Readonly<Record<string, unknown>> {
    return this.issues === undefined ? {} : { issues: this.issues.slice(0, MOST_ISSUES) };
  }

  /** 400: the request is malformed. */
  static badRequest(message: string, options?: FwErrorOptions): FwError {
    return new FwError('BadRequest', message, options);
  }

  /**
   * 401: the client is not authenticated. With HTTP authentication, add `WWW-Authenticate` to `options.headers`
   * (RFC 9110, section 15.5.2).
   */
  static unauthorized(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Unauthorized', message, options);
  }

  /** 403: the client is not permitted to do this. */
  static forbidden(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Forbidden', message, options);
  }

  /** 404: the resource does not exist, or the client may not know that it exists. */
  static notFound(message: string, options?: FwErrorOptions): FwError {
    return new FwError('NotFound', message, options);
  }

  /**
   * 405: the resource does not support the method. Add the supported ones as `Allow` to `options.headers`
   * (RFC 9110, section 15.5.6).
   */
  static methodNotAllowed(message: string, options?: FwErrorOptions): FwError {
    return new FwError('MethodNotAllowed', message, options);
  }

  /** 408: the request took too long to arrive or to be answered. */
  static requestTimeout(message: string, options?: FwErrorOptions): FwError {
    return new FwError('RequestTimeout', message, options);
  }

  /** 409: the request does not fit the current state of the resource, such as a name that is taken. */
  static conflict(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Conflict', message, options);
  }

  /** 412: a condition of the request, such as `If-Match`, does not hold (RFC 9110, section 15.5.13). */
  static preconditionFailed(message: string, options?: FwErrorOptions): FwError {
    return new FwError('PreconditionFailed', message, options);
  }

  /** 413: the body is larger than the server accepts. */
  static payloadTooLarge(message: string, options?: FwErrorOptions): FwError {
    return new FwError('PayloadTooLarge', message, options);
  }

  /** 415: the media type or the content coding of the body is not supported. */
  static unsupportedMediaType(message: string, options?: FwErrorOptions): FwError {
    return new FwError('UnsupportedMediaType', message, options);
  }

  /** 416: the requested range is outside of the resource. */
  static rangeNotSatisfiable(message: string, options?: FwErrorOptions): FwError {
    return new FwError('RangeNotSatisfiable', message, options);
  }

  /** 426: the resource wants another protocol, which `options.headers` names in `Upgrade`. */
  static upgradeRequired(message: string, options?: FwErrorOptions): FwError {
    return new FwError('UpgradeRequired', message, options);
  }

  /** 428: the request must have a condition, such as `If-Match` (RFC 6585, section 3). */
  static preconditionRequired(message: string, options?: FwErrorOptions): FwError {
    return new FwError('PreconditionRequired', message, options);
  }

  /** 400: fields of the request are invalid; list them in `options.issues`. */
  static validationError(message: string, options?: FwErrorOptions): FwError {
    return new FwError('ValidationError', message, options);
  }

  /** 429: the client made too many requests. Add `Retry-After` to `options.headers`. */
  static tooManyRequests(message: string, options?: FwErrorOptions): FwError {
    return new FwError('TooManyRequests', message, options);
  }

  /** 500: something failed. The message is not sent to the client. */
  static internal(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Internal', message, options);
  }

  /** 500: the database failed. The message is not sent to the client. */
  static databaseError(message: string, options?: FwErrorOptions): FwError {
    return new FwError('DatabaseError', message, options);
  }

  /** 502: a server that is asked to answer the request failed, or cannot be reached. */
  static badGateway(message: string, options?: FwErrorOptions): FwError {
    return new FwError('BadGateway', message, options);
  }

  /** 503: the server cannot answer at the moment; the client may try again later. */
  static serviceUnavailable(message: string, options?: FwErrorOptions): FwError {
    return new FwError('ServiceUnavailable', message, options);
  }

  /** 504: a server that is asked to answer the request did not answer in time. */
  static gatewayTimeout(message: string, options?: FwErrorOptions): FwError {
    return new FwError('GatewayTimeout', message, options);
  }
}
