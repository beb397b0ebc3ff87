// A model of an API: the values of parameters as text, by their styles (OpenAPI 3.0, section 4.7.12).
import type { Parameter } from './detail.js';
import { isObject } from './value-path.js';

type Pairs = readonly (readonly [string, string])[];

/** The text of a parameter of the path, encoded. */
export function pathText({ name, style, explode, isJson }: Parameter, value: unknown): string {
  if (isJson) return encodedPart(JSON.stringify(value));
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${encodedPart(name)}=` : '';
  if (style === 'matrix' && explode && (Array.isArray(value) || isObject(value))) {
    const pairs = isObject(value) ? Object.entries(value) : value.map((one) => [name, one] as const);
    return pairs.map(([key, one]) => `;${encodedPart(key)}=${encoded(one)}`).join('');
  }
  const between = style === 'label' && explode ? '.' : ',';
  return (
    prefix +
    flat(value, explode)
      .map(encodedPart)
      .join(between)
      .replaceAll('%3D', explode ? '=' : '%3D')
  );
}

/** The names and values in a query, not encoded. */
export function queryPairs({ name, style, explode, isJson }: Parameter, value: unknown): Pairs {
  if (isJson) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (explode && style === 'form') return value.map((one) => [name, plain(one)] as const);
    const between = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
    return value.length === 0 ? [] : [[name, value.map(plain).join(between)]];
  }
  if (!isObject(value)) return [[name, plain(value)]];
  if (style === 'deepObject')
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, plain(one)]);
  return explode
    ? Object.entries(value).map(([key, one]) => [key, plain(one)])
    : [[name, flat(value, false).join(',')]];
}

/** The text of a header field or a cookie. */
export function fieldText({ explode, isJson }: Parameter, value: unknown): string {
  return isJson ? JSON.stringify(value) : flat(value, explode).join(',');
}

function flat(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return [plain(value)];
  return Object.entries(value).flatMap(([key, one]) =>
    explode ? [`${key}=${plain(one)}`] : [key, plain(one)],
  );
}

function encoded(value: unknown): string {
  return encodedPart(plain(value));
}

/** An object inside of a parameter has no text of its own. */
export function plain(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** A part of a URL. Half of a pair of surrogates is not a character, and becomes U+FFFD, as in browsers. */
export function encodedPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}
