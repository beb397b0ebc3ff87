// Static files: parses a Range field (RFC 9110, section 14).

/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The requested range; undefined if the whole file must be sent: for another unit, several ranges, or a malformed
 * field. `'unsatisfiable'` if the range is outside of the file.
 */
export function readRange(field: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = ONE_RANGE.exec(field);
  if (found === null) return undefined;
  const [, from, to, suffix] = found;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    if (Number(suffix) === 0) return 'unsatisfiable';
    // An empty file satisfies every other suffix, but has no range.
    return size === 0 ? undefined : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
