// JWT: the parts of a token: JSON in base64url without padding (RFC 7515, section 2).

/** True for one or more characters of the alphabet, in a number that some bytes can have. */
function isBase64url(text: string): boolean {
  return text.length % 4 !== 1 && /^[A-Za-z0-9_-]+$/.test(text);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON object in a part of a token; undefined if it has none. */
export function jsonObject(part: string): Record<string, unknown> | undefined {
  if (!isBase64url(part)) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(Buffer.from(part, 'base64url')));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
    // Stryker disable next-line BlockStatement: without it, the result is undefined too
  } catch {
    // Neither UTF-8 nor JSON: the caller refuses the token.
    return undefined;
  }
}

/**
 * Whether nothing in the header changes what the token means: critical extensions are refused, because none is
 * implemented (RFC 7515, section 4.1.11), and so are unencoded payloads (RFC 7797), compression, and tokens inside
 * of tokens or of other kinds (RFC 8725, section 3.11).
 */
export function isPlainHeader(header: Readonly<Record<string, unknown>>): boolean {
  if ('crit' in header || 'b64' in header || 'zip' in header || 'cty' in header) return false;
  const { typ } = header;
  return typ === undefined || (typeof typ === 'string' && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));
}
