// OpenAPI: what a document was made from, so that the page about it can tell more than the document.

import type { OpenApiSpec } from '../../openapi/openapi-spec.js';
import type { RegistryDocuments } from './registry-documents.js';

/** A registry, or an App with the contract that its document was made with. `App` stands above this folder. */
export type SpecOrigin =
  | { readonly from: 'registry'; readonly registry: RegistryDocuments }
  | { readonly from: 'app'; readonly app: object; readonly contract: unknown };

const origins = new WeakMap<object, SpecOrigin>();

export function rememberOrigin(spec: OpenApiSpec, origin: SpecOrigin): OpenApiSpec {
  origins.set(spec, origin);
  return spec;
}

/** Undefined for a document that was made by hand, or elsewhere. */
export function originOf(spec: object): SpecOrigin | undefined {
  return origins.get(spec);
}
