// Patterns of routes as the text of URLs, for clients and documents: literal text is percent-encoded there.

/** What a segment may hold as it is (RFC 3986, section 3.3, pchar), although `encodeURIComponent` encodes it. */
const PLAIN = /%(?:2[46BC]|3[ABD]|40)/g;

/** `/100%/:id` becomes `/100%25/:id`. */
export function urlPattern(pattern: string): string {
  return segmentsOf(pattern, (_name, segment) => segment);
}

/** As OpenAPI writes it: `/100%/:id` becomes `/100%25/{id}`. @param shown the name that a parameter has there */
export function urlTemplate(
  pattern: string,
  shown: (name: string, index: number) => string = (name) => name,
): string {
  let index = 0;
  return segmentsOf(pattern, (name) => `{${shown(name, index++)}}`);
}

function segmentsOf(pattern: string, named: (name: string, segment: string) => string): string {
  const segments = pattern.split('/').map((segment) => {
    return /^[:*]./.test(segment) ? named(segment.slice(1), segment) : encoded(segment);
  });
  return segments.join('/');
}

/** A path or a template of OpenAPI with what URLs cannot hold encoded; what is encoded, and braces, stay. */
export function urlPath(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^%\w\-.~!$&'()*+,;=:@/?#{}]+/g, encoded);
}

function encoded(text: string): string {
  // No URL has half of a pair of surrogates.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')).replace(PLAIN, decodeURIComponent);
}

/** The same for people: decoded, except what would look like another part of the path, or like nothing. */
export function shownPath(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
    try {
      const text = decodeURIComponent(part);
      return /[\p{C}{}%/?#]/u.test(text) ? part : text;
    } catch {
      // Not UTF-8.
      return part;
    }
  });
}
