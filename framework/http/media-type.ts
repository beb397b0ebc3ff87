// Media types: parses a `Content-Type`, recognizes JSON types, and shortens a type for messages.

import { FwError } from './errors.js';
import { trimBlanks } from './white-space.js';

const LONGEST_SHOWN = 100;

/** The media type, cut off after 100 characters, so that the client does not control the size of the response. */
export function shownType(type: string): string {
  return type.length > LONGEST_SHOWN ? `${type.slice(0, LONGEST_SHOWN)}…` : type;
}

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly name: string;
  /** Lower-case names and their values, unquoted and unescaped, in the order in which they were sent. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const NAME = /[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*/y;
/** RFC 9110, section 5.6.6 allows empty parameters. */
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?/y;

/** Parses one media type (RFC 9110, section 8.3.1); undefined if it is malformed, or if there are several. */
export function readMediaType(text: string): MediaType | undefined {
  NAME.lastIndex = 0;
  const start = NAME.exec(text)?.[0];
  if (start === undefined) return undefined;
  const parameters: [string, string][] = [];
  PARAMETER.lastIndex = start.length;
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text);
    if (found === null) return undefined;
    const [, name, token, quoted = ''] = found;
    if (name !== undefined) parameters.push([name.toLowerCase(), token ?? quoted.replace(/\\(.)/g, '$1')]);
  }
  return { name: trimBlanks(start).toLowerCase(), parameters };
}

/**
 * Whether this is `application/json` or a `+json` type with well-formed parameters. Anything that another parser
 * could take for a different type, such as two types in one field, is not JSON.
 */
export function isJsonType(type: string): boolean {
  // Stryker disable next-line ConditionalExpression: only a faster path for the most common type
  if (type === 'application/json') return true;
  const name = readMediaType(type)?.name;
  return name !== undefined && (name === 'application/json' || /\/.+\+json$/.test(name));
}

/** A `TextDecoder`. */
type Decoder = InstanceType<typeof TextDecoder>;

/**
 * The decoder of a media type with a `charset` (RFC 9110, section 8.3.2) other than UTF-8; undefined for all others,
 * which are read as UTF-8.
 *
 * @throws FwError `UnsupportedMediaType` (415) if there is no such charset, or two of them
 */
export function charsetDecoder(type: string | undefined): Decoder | undefined {
  // Nearly every body is of this type, or of one without parameters.
  if (type === undefined || type === 'application/json' || !type.includes(';')) return undefined;
  const declared = readMediaType(type)?.parameters.filter(([name]) => name === 'charset') ?? [];
  const [charset, second] = declared.map(([, value]) => value.toLowerCase());
  if (charset === undefined || (second === undefined && (charset === 'utf-8' || charset === 'utf8'))) {
    return undefined;
  }
  if (second !== undefined && second !== charset) throw noSuchCharset(type);
  try {
    return new TextDecoder(charset);
  } catch (cause) {
    throw noSuchCharset(type, cause);
  }
}

function noSuchCharset(type: string, cause?: unknown): FwError {
  const message = `the charset of '${shownType(type)}' is not supported; send UTF-8`;
  return FwError.unsupportedMediaType(message, { cause });
}
