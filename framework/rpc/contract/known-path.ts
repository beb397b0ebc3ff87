// RPC: finds what a contract knows about a path of an App.

/**
 * An App knows its paths without the prefix that it is mounted under, except for a beginning that its type declares.
 *
 * @param whole the path as the outermost App knows it
 * @param own the path as it was registered
 * @param find looks it up in the contract
 */
export function knownPath<Known extends { readonly prefix?: string }>(
  whole: string,
  own: string,
  find: (path: string) => Known | undefined,
): Known | undefined {
  for (const known of endsOf(whole)) {
    const found = find(known);
    if (found !== undefined && joined(found.prefix ?? '', own) === known) return found;
  }
  // The path `/` of an App that is mounted somewhere.
  const root = own === '/' ? find('/') : undefined;
  return root?.prefix === undefined ? root : undefined;
}

/** `/api/users/:id`, `/users/:id` and `/:id`. */
function endsOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(index));
}

function joined(prefix: string, path: string): string {
  return path === '/' && prefix !== '' ? prefix : prefix + path;
}
