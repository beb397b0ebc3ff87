// Configuration errors: thrown during registration or start, before any request, each with a stable code.

/** The cause and the remedy of each code are described in `docs/error-codes.md`. */
export type ConfigErrorCode =
  | 'FW_ROUTE_CONFLICT'
  | 'FW_ROUTE_PATTERN'
  | 'FW_HANDLER'
  | 'FW_EXTRACTOR'
  | 'FW_SCHEMA'
  | 'FW_MOUNT'
  | 'FW_REGISTERED_TOO_LATE'
  | 'FW_SETTING'
  | 'FW_OPTION'
  | 'FW_SECRET'
  | 'FW_ADDRESS'
  | 'FW_LISTENER'
  | 'FW_STATIC_FILES'
  | 'FW_RPC_PROCEDURE'
  | 'FW_RPC_TYPE'
  | 'FW_RPC_MODE'
  | 'FW_RPC_MERGE'
  | 'FW_RPC_CONTRACT'
  | 'FW_RPC_ERROR'
  | 'FW_OPENAPI';

/**
 * Thrown when something that an application registers or sets cannot work. The message names the value and the
 * remedy; `code` is for programs and stays the same from version to version.
 */
export class ConfigError extends Error {
  /** Stable code of the kind of mistake, such as `FW_ROUTE_CONFLICT`. */
  readonly code: ConfigErrorCode;

  /** @internal */
  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static {
    ConfigError.prototype.name = 'ConfigError';
  }
}
