import { ConfigError } from '../../config-error.js';

/** Parts of a document that do not fit together. */
export function openApiError(message: string, cause?: unknown): ConfigError {
  return new ConfigError('FW_OPENAPI', message, cause === undefined ? {} : { cause });
}
