// Compression: which content coding a client wants (RFC 9110, section 12.5.3).
import { readWeights } from './field-list.js';

/** A content coding that fw can produce: brotli or gzip. */
export type CompressionEncoding = 'br' | 'gzip';

/**
 * The coding with the highest weight among the offered ones, brotli on a tie; undefined if the client accepts
 * none of them or prefers the unencoded body.
 */
export function negotiate(
  acceptEncoding: string | undefined,
  offered: readonly CompressionEncoding[],
): CompressionEncoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = readWeights(acceptEncoding);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  let best: CompressionEncoding | undefined;
  for (const coding of offered) {
    const weight =
      coding === 'gzip' ? Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0) : weightOf(coding);
    if (weight > 0 && (best === undefined || weight > weightOf(best))) best = coding;
  }
  const identity = weights.get('identity');
  return best !== undefined && identity !== undefined && identity > weightOf(best) ? undefined : best;
}
