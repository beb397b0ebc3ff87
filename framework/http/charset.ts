// Charsets: what decodes the text of a body that declares another one than UTF-8.
import { FwError } from './errors.js';
import { readMediaType, shownType } from './media-type.js';

/** A `TextDecoder`. */
export type Decoder = InstanceType<typeof TextDecoder>;

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
