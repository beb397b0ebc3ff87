// Static files: which bytes a Range field asks for (RFC 9110, section 14).

/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The one range that the field asks for; undefined where the whole file answers: another unit, several ranges,
 * what is no range at all. `'unsatisfiable'` where the file has no such byte.
 */
export function readRange(field: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = ONE_RANGE.exec(field);
  if (found === null) return undefined;
  const [, from, to, suffix] = found;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    if (Number(suffix) === 0) return 'unsatisfiable';
    // An empty file satisfies any other suffix, and has no range to name.
    return size === 0 ? undefined : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
