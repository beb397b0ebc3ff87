// Configuration errors: thrown during registration or start, before any request, each with a stable code.

/** Mistakes that every option can have. */
export type OptionErrorCode =
  | 'FW_OPTION_UNKNOWN'
  | 'FW_OPTION_MISSING'
  | 'FW_OPTION_TYPE'
  | 'FW_OPTION_RANGE'
  | 'FW_OPTION_CHOICE'
  | 'FW_OPTION_FORM'
  | 'FW_OPTION_EMPTY';

/** Each code has a page in `docs/errors/`, and a row in `docs/error-codes.md`. */
export type ConfigErrorCode =
  | OptionErrorCode
  | 'FW_ADDRESS'
  | 'FW_ADDRESS_PATH'
  | 'FW_ADDRESS_PORT'
  | 'FW_API_KEY_TWICE'
  | 'FW_ARGUMENTS'
  | 'FW_AUTHENTICATE'
  | 'FW_CHANNEL_HISTORY'
  | 'FW_CHANNEL_PRESENCE'
  | 'FW_CLIENT_FIELDS'
  | 'FW_CLIENT_NAMES'
  | 'FW_CLIENT_QUERIES'
  | 'FW_CONNECT_ERROR_HANDLER'
  | 'FW_COOKIE'
  | 'FW_CORS_WILDCARD_WITH_CREDENTIALS'
  | 'FW_DATABASE'
  | 'FW_DATABASE_SCHEMA'
  | 'FW_DATABASE_TWICE'
  | 'FW_DATABASE_URL'
  | 'FW_DOCS_OPTION'
  | 'FW_DOCS_SOURCE'
  | 'FW_ENV'
  | 'FW_EXTRACTOR'
  | 'FW_EXTRACTOR_COUNT'
  | 'FW_GUARD_EXCEPTION'
  | 'FW_GUARD_TWICE'
  | 'FW_HANDLER'
  | 'FW_JWKS'
  | 'FW_JWT_NOT_BOUND'
  | 'FW_LISTENER'
  | 'FW_LISTENER_KIND'
  | 'FW_MIDDLEWARE'
  | 'FW_MOUNT'
  | 'FW_MOUNT_HANDLER'
  | 'FW_MOUNT_ITSELF'
  | 'FW_MOUNT_PREFIX'
  | 'FW_MCP_TOOLS'
  | 'FW_MOUNT_REGISTRY'
  | 'FW_MOUNT_SETTING'
  | 'FW_NETWORK_BITS'
  | 'FW_OIDC_REDIRECT_URI'
  | 'FW_OIDC_SCOPE'
  | 'FW_OPENAPI_BODIES'
  | 'FW_OPENAPI_INFO'
  | 'FW_OPENAPI_METHOD'
  | 'FW_OPENAPI_OPERATION_ID'
  | 'FW_OPENAPI_OPERATION_TWICE'
  | 'FW_OPENAPI_PARAMETERS'
  | 'FW_OPENAPI_PATH'
  | 'FW_OPENAPI_SCHEMA'
  | 'FW_OPENAPI_SCHEMA_NAME'
  | 'FW_OPENAPI_SECURITY_JSON_RPC'
  | 'FW_OPENAPI_SECURITY_TWICE'
  | 'FW_OPENAPI_TYPE_TWICE'
  | 'FW_PACKAGE_MISSING'
  | 'FW_PACKAGE_VERSION'
  | 'FW_PASSWORD_COST'
  | 'FW_PATH_PARAMETER'
  | 'FW_PROVIDER_ADDRESS'
  | 'FW_REDIS_CLIENT'
  | 'FW_REGISTERED_TOO_LATE'
  | 'FW_ROUTE_CONFLICT'
  | 'FW_ROUTE_PATTERN'
  | 'FW_ROUTE_RETURNS'
  | 'FW_RPC_CONSTRUCTOR'
  | 'FW_RPC_CONTRACT'
  | 'FW_RPC_ERROR_CODE'
  | 'FW_RPC_ERROR_NAME'
  | 'FW_RPC_ERROR_STATUS'
  | 'FW_RPC_GROUP_NAME'
  | 'FW_RPC_INPUT_FILE'
  | 'FW_RPC_INPUT_QUERY'
  | 'FW_RPC_INPUT_SCALAR'
  | 'FW_RPC_MERGE'
  | 'FW_RPC_MERGE_GROUP'
  | 'FW_RPC_MERGE_MODE'
  | 'FW_RPC_MERGE_SETTING'
  | 'FW_RPC_MODE'
  | 'FW_RPC_NAME'
  | 'FW_RPC_NAME_AND_GROUP'
  | 'FW_RPC_NAME_TWICE'
  | 'FW_RPC_OUTPUT_FILE'
  | 'FW_RPC_REST_NAME'
  | 'FW_RPC_TYPE'
  | 'FW_RPC_TYPE_NAME'
  | 'FW_RPC_TYPE_SYNTAX'
  | 'FW_RPC_TYPE_TWICE'
  | 'FW_RUNTIME'
  | 'FW_RUNTIME_FILES'
  | 'FW_SCHEMA'
  | 'FW_SECRET'
  | 'FW_SESSION_SCHEMA_ASYNC'
  | 'FW_SESSION_SCHEMA_EMPTY'
  | 'FW_STATIC_KIND'
  | 'FW_STATIC_LINK'
  | 'FW_STATIC_MISSING'
  | 'FW_STATIC_PATH'
  | 'FW_STATIC_UNREADABLE'
  | 'FW_WEBSOCKET_EVENT'
  | 'FW_WEBSOCKET_EVENT_HANDLER'
  | 'FW_WEBSOCKET_NO_EVENTS'
  | 'FW_WEBSOCKET_RETURNS'
  | 'FW_WEBSOCKET_ROUTE';

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
