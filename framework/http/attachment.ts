// Responses: the header field that makes a browser save a response as a file.

/**
 * The value of `Content-Disposition` for a download (RFC 6266): `ctx.header('Content-Disposition', attachment(name))`.
 * Names in any language arrive (RFC 8187), and cannot add anything to the field. Of a path, the last segment counts.
 *
 * @param name the name of the file, also one that a user has chosen; without one, browsers take it from the URL
 */
export function attachment(name = ''): string {
  // Callers in JavaScript pass what a row of a database has.
  if (typeof name !== 'string') throw new Error(`attachment() takes the name of a file, got ${typeof name}`);
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  if (base === '') return 'attachment';
  const plain = base.replace(NOT_PLAIN, '_');
  // Clients that know the second one ignore the first (RFC 6266, section 4.3).
  const extended = plain === base ? '' : `; filename*=UTF-8''${encodeExtended(base)}`;
  return `attachment; filename="${plain}"${extended}`;
}

/** What a quoted string cannot have, or what some clients take for an escape (RFC 6266, appendix D). */
const NOT_PLAIN = /[^\x20-\x7e]|["%\\]/gu;

/** RFC 8187, section 3.2.1: what is not an attr-char is percent-encoded. */
function encodeExtended(text: string): string {
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(wellFormed).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
