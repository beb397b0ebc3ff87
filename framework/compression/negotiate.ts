// Compression: which content coding a client wants (RFC 9110, section 12.5.3).

/** A content coding that fw can make. */
export type Encoding = 'br' | 'gzip';

/**
 * The coding with the highest weight among the offered ones, brotli on a tie; undefined where the client
 * accepts none of them or prefers the body as it is.
 */
export function negotiate(
  acceptEncoding: string | undefined,
  offered: readonly Encoding[],
): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = parseWeights(acceptEncoding);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: Encoding | undefined;
  for (const coding of offered) {
    const weight =
      coding === 'gzip' ? Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0) : weightOf(coding);
    if (weight > 0 && (best === undefined || weight > weightOf(best))) best = coding;
  }
  const identity = weights.get('identity');
  return best !== undefined && identity !== undefined && identity > weightOf(best) ? undefined : best;
}

/** Codings by lower-case name; a malformed weight counts as 0, the first of duplicates wins. */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const coding = name.trim().toLowerCase();
    if (coding === '' || weights.has(coding)) continue;
    const weight = parameters.map((parameter) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    weights.set(coding, weight === undefined ? 1 : readWeight(weight));
  }
  return weights;
}

function readWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
