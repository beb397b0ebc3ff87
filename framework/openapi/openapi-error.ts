// OpenAPI: parts of a document that do not fit together.
import { ConfigError, type ConfigErrorCode } from '../config-error.js';

type OpenApiErrorCode = Extract<ConfigErrorCode, `FW_OPENAPI_${string}`>;

/** Parts of a document that do not fit together. */
export function openApiError(code: OpenApiErrorCode, message: string, cause?: unknown): ConfigError {
  return new ConfigError(code, message, cause === undefined ? {} : { cause });
}
