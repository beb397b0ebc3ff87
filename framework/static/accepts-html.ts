// Single-page fallback: whether a client would take an HTML page (RFC 9110, section 12.5.1).

/** A missing field accepts everything; the most specific range that names `text/html` decides. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const weights = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const name = range.trim().toLowerCase();
    if (!weights.has(name)) weights.set(name, weightOf(parameters));
  }
  const weight = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0;
  return weight > 0;
}

/** A weight that is no number refuses. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const found = /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter);
    if (found) return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(found[1] ?? '') ? Number(found[1]) : 0;
  }
  return 1;
}
