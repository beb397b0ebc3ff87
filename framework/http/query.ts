// Query strings: one value is read without parsing all of them.

/** The first value of a parameter, decoded; undefined if it is absent. @param search without the `?` */
export function firstQueryValue(search: string, name: string): string | undefined {
  if (search === '') return undefined;
  if (isEncoded(search) || name === '' || name.includes('=') || name.includes('&')) {
    return new URLSearchParams(`?${search}`).get(name) ?? undefined;
  }
  for (let start = 0; start < search.length; ) {
    const next = search.indexOf('&', start);
    const end = next === -1 ? search.length : next;
    const afterName = start + name.length;
    if (search.startsWith(name, start)) {
      if (afterName === end) return '';
      if (search.charCodeAt(afterName) === EQUALS) return search.slice(afterName + 1, end);
    }
    start = end + 1;
  }
  return undefined;
}

const EQUALS = 61;

function isEncoded(search: string): boolean {
  return search.includes('%') || search.includes('+');
}
