// The page about an API: what it can be about.
import { ConfigError } from '../../config-error.js';

/**
 * What the page is about: an App, an `RpcRegistry`, or an OpenAPI document, as an object or as an object whose
 * `toJson()` returns one.
 */
export type DocsSource = { toJson(): string } | object;

/** The message about a source that is none of these. */
export const NOT_SHOWN =
  'serveDocs takes an App, an RpcRegistry or an OpenAPI document: an OpenApiSpec, or an object with openapi and info.title';

/**
 * What is not a document is found at once; what is wrong inside of one, when the page is asked for.
 *
 * @throws ConfigError if the source is nothing that can be shown
 */
export function assertSource(source: DocsSource): void {
  const { toJson, accessList, generateOpenapi, openapi, info } = (source ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if ([toJson, accessList, generateOpenapi].some((method) => typeof method === 'function')) return;
  if (typeof openapi === 'string' && typeof (info as { title?: unknown } | null)?.title === 'string') return;
  throw new ConfigError('FW_DOCS_SOURCE', NOT_SHOWN);
}

/** Whether the document is made of the source, an App or a registry, and is not finished yet. */
export function isDescribedHere(source: DocsSource): boolean {
  const { accessList, generateOpenapi } = source as Readonly<Record<string, unknown>>;
  return typeof accessList === 'function' || typeof generateOpenapi === 'function';
}
