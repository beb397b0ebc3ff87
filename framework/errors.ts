// Errors: what a handler or middleware throws on purpose.

/** The `error` field of the wire body: the variant's name. */
export type FwErrorVariant =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'RangeNotSatisfiable'
  | 'ValidationError'
  | 'TooManyRequests'
  | 'Internal'
  | 'DatabaseError'
  | 'ServiceUnavailable';

/** One field that a validation refused. */
export interface FwIssue {
  /** Keys and indices from the value's root to the field; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface FwErrorOptions {
  cause?: unknown;
  issues?: readonly FwIssue[];
  /** Another status than the variant's own. */
  status?: number;
  /** Header fields that the error's response must carry, like `Allow` with 405. */
  headers?: Readonly<Record<string, string>>;
}

const STATUS: Record<FwErrorVariant, number> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  ValidationError: 400,
  TooManyRequests: 429,
  Internal: 500,
  DatabaseError: 500,
  ServiceUnavailable: 503,
};

/** Undefined for anything else that was thrown; a proxy may throw when it is asked what it is. */
export function asFwError(thrown: unknown): FwError | undefined {
  try {
    return thrown instanceof FwError ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An error with a defined answer. Throw one from a handler or middleware:
 *
 * ```ts
 * throw FwError.notFound(`no user ${id}`); // 404 {"error":"NotFound","message":"no user 7"}
 * ```
 *
 * The messages of `internal` and `databaseError` stay on the server; the client sees a generic one.
 */
export class FwError extends Error {
  override readonly name: string = 'FwError';
  readonly variant: FwErrorVariant;
  readonly status: number;
  /** The refused fields of a failed validation. */
  declare readonly issues?: readonly FwIssue[];
  /** Header fields of the error's response. */
  declare readonly headers?: Readonly<Record<string, string>>;

  constructor(variant: FwErrorVariant, message: string, options: FwErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.variant = variant;
    this.status = options.status ?? STATUS[variant];
    // Absent rather than undefined, so that a logged error shows only what it has.
    if (options.issues) this.issues = options.issues;
    if (options.headers) this.headers = options.headers;
  }

  static badRequest(message: string, options?: FwErrorOptions): FwError {
    return new FwError('BadRequest', message, options);
  }
  static unauthorized(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Unauthorized', message, options);
  }
  static forbidden(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Forbidden', message, options);
  }
  static notFound(message: string, options?: FwErrorOptions): FwError {
    return new FwError('NotFound', message, options);
  }
  static methodNotAllowed(message: string, options?: FwErrorOptions): FwError {
    return new FwError('MethodNotAllowed', message, options);
  }
  static requestTimeout(message: string, options?: FwErrorOptions): FwError {
    return new FwError('RequestTimeout', message, options);
  }
  static payloadTooLarge(message: string, options?: FwErrorOptions): FwError {
    return new FwError('PayloadTooLarge', message, options);
  }
  static unsupportedMediaType(message: string, options?: FwErrorOptions): FwError {
    return new FwError('UnsupportedMediaType', message, options);
  }
  static rangeNotSatisfiable(message: string, options?: FwErrorOptions): FwError {
    return new FwError('RangeNotSatisfiable', message, options);
  }
  static validationError(message: string, options?: FwErrorOptions): FwError {
    return new FwError('ValidationError', message, options);
  }
  static tooManyRequests(message: string, options?: FwErrorOptions): FwError {
    return new FwError('TooManyRequests', message, options);
  }
  static internal(message: string, options?: FwErrorOptions): FwError {
    return new FwError('Internal', message, options);
  }
  static databaseError(message: string, options?: FwErrorOptions): FwError {
    return new FwError('DatabaseError', message, options);
  }
  static serviceUnavailable(message: string, options?: FwErrorOptions): FwError {
    return new FwError('ServiceUnavailable', message, options);
  }
}
