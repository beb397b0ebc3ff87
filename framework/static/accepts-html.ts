// Single-page fallback: whether a client accepts HTML (RFC 9110, section 12.5.1).
import { readWeights } from '../http/field-list.js';
import { trimBlanks } from '../http/white-space.js';

/** A missing field accepts everything; otherwise the most specific range that matches `text/html` decides. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (accept === undefined || trimBlanks(accept) === '') return true;
  const weights = readWeights(accept);
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0;
}
