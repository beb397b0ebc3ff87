// A model of an API: the ways to authenticate, and what the user has entered for them.
import type { ApiDescription } from '../rpc/api-description.js';
import type { Access } from './detail.js';
import { resolved } from './references.js';
import { fieldsOf, textOf } from './unknown-value.js';

/** A way to authenticate. */
export interface Scheme {
  readonly name: string;
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie';
  /** The name of the header field, the parameter or the cookie. */
  readonly field: string;
  /** What stands before the value, such as `Bearer `. */
  readonly prefix: string;
  readonly description: string | undefined;
}

/** What a request carries, apart from its other parts, so that copied code need not have it. */
export interface Secret {
  readonly place: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  readonly value: string;
  /** The name of a variable that stands for the value. */
  readonly placeholder: string;
}

/** The values by the names of schemes. */
export type Credentials = Readonly<Record<string, string>>;

/** If the API describes none, a bearer token can be entered nevertheless. */
const UNDESCRIBED: Scheme = {
  name: 'Bearer token',
  kind: 'bearer',
  field: 'Authorization',
  prefix: 'Bearer ',
  description:
    'The API describes no way to authenticate. A token that is entered here is sent with every request.',
};

export function schemesOf({ document, schemes }: ApiDescription): readonly Scheme[] {
  const described = fieldsOf(fieldsOf(fieldsOf(document).components).securitySchemes);
  const all = new Map<string, unknown>([...Object.entries(schemes), ...Object.entries(described)]);
  const found = [...all].flatMap(([name, given]) =>
    schemeOf(name, fieldsOf(resolved(document, given).value)),
  );
  return found.length === 0 ? [UNDESCRIBED] : found;
}

function schemeOf(name: string, scheme: ReturnType<typeof fieldsOf>): Scheme[] {
  const description = textOf(scheme.description);
  const common = { name, description, field: 'Authorization' };
  const http = (textOf(scheme.scheme) ?? '').toLowerCase();
  if (scheme.type === 'apiKey') {
    const kind = (['header', 'query', 'cookie'] as const).find((one) => one === scheme.in);
    const field = textOf(scheme.name);
    return kind === undefined || field === undefined ? [] : [{ name, description, kind, field, prefix: '' }];
  }
  if (scheme.type === 'http' && http === 'basic') return [{ ...common, kind: 'basic', prefix: 'Basic ' }];
  if (scheme.type === 'http' && http !== 'bearer' && http !== '') {
    return [{ ...common, kind: 'header', prefix: `${textOf(scheme.scheme)} ` }];
  }
  return typeof scheme.type === 'string' ? [{ ...common, kind: 'bearer', prefix: 'Bearer ' }] : [];
}

/**
 * What a call carries: of the alternatives that the operation names, the first that is complete; without any, all that
 * was entered.
 */
export function secretsFor(
  access: Access,
  schemes: readonly Scheme[],
  entered: Credentials,
): readonly Secret[] {
  const has = (name: string): boolean => Object.hasOwn(entered, name) && entered[name] !== '';
  const names = new Set(access.schemes.find((group) => group.every(has)) ?? access.schemes.flat());
  const isUsed = ({ name }: Scheme): boolean => has(name) && (names.size === 0 || names.has(name));
  return schemes.filter(isUsed).map((scheme) => secretOf(scheme, entered[scheme.name] ?? ''));
}

function secretOf({ kind, field, prefix }: Scheme, value: string): Secret {
  const place = kind === 'query' || kind === 'cookie' ? kind : 'header';
  if (kind === 'basic')
    return { place, name: field, prefix, value: base64(value), placeholder: 'CREDENTIALS' };
  return { place, name: field, prefix, value, placeholder: kind === 'bearer' ? 'TOKEN' : 'API_KEY' };
}

/** Of `user:password` (RFC 7617), in UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
