// OpenAPI: parts of a document that do not fit together.
import { ConfigError, type ConfigErrorCode } from '../config-error.js';

type OpenApiErrorCode = Extract<ConfigErrorCode, `FW_OPENAPI_${string}`>;

/** Parts of a document that do not fit together. */
export function openApiError(code: OpenApiErrorCode, message: string, cause?: unknown): ConfigError {
  return new ConfigError(code, message, cause === undefined ? {} : { cause });
}

/** What is wrong with a schema, with what it describes, such as `the body of POST /users`. */
export function schemaError(what: string, error: Error): ConfigError {
  const isTwice = error instanceof ConfigError && error.code === 'FW_OPENAPI_TYPE_TWICE';
  return openApiError(
    isTwice ? 'FW_OPENAPI_TYPE_TWICE' : 'FW_OPENAPI_SCHEMA',
    `${what}: ${error.message}`,
    error,
  );
}
