// Single-page fallback: whether a client would take an HTML page (RFC 9110, section 12.5.1).
import { readWeights } from '../field-list.js';
import { trimBlanks } from '../white-space.js';

/** A missing field accepts everything; the most specific range that names `text/html` decides. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (accept === undefined || trimBlanks(accept) === '') return true;
  const weights = readWeights(accept);
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0;
}
