// A model of an API: who may call an operation of the document, as the App says, or else the document.
import type { ApiAccess, ApiDescription } from '../rpc/api-description.js';
import type { Access } from './detail.js';
import { type Fields, fieldsOf, isFields, listOf } from './unknown-value.js';

export function accessOfOperation(
  api: ApiDescription,
  method: string,
  path: string,
  operation: Fields,
): Access {
  const key = `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
  const told = Object.hasOwn(api.access, key) ? api.access[key] : undefined;
  const written = securityOf(operation.security ?? fieldsOf(api.document).security);
  if (told === undefined) return written;
  const own = accessOf(told);
  // What an extractor or an option checks besides is only in the document.
  return own.isRequired && own.schemes.length > 0
    ? { ...own, schemes: written.schemes.length > 0 ? written.schemes : own.schemes }
    : { ...written, isRequired: own.isRequired || written.isRequired, scopes: own.scopes };
}

export function accessOf({ isRequired, scopes, schemes }: ApiAccess): Access {
  const texts = scopes.map(({ scopes: names, match }) => names.join(match === 'any' ? ' or ' : ' and '));
  return { isRequired, schemes: schemes.filter(({ length }) => length > 0), scopes: texts };
}

/** An empty alternative means that it can be called without. */
function securityOf(value: unknown): Access {
  const all = listOf(value).filter(isFields);
  const scopes = new Set<string>();
  for (const one of all) {
    for (const names of Object.values(one)) for (const name of listOf(names)) scopes.add(String(name));
  }
  const schemes = all.map((one) => Object.keys(one)).filter(({ length }) => length > 0);
  const isOpen = all.length === 0 || schemes.length < all.length;
  return { isRequired: !isOpen, schemes, scopes: scopes.size === 0 ? [] : [[...scopes].join(' and ')] };
}
