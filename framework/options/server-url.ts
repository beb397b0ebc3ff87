// Options: what is wrong with the URL of a server. No part of the URL is told, because any part may be of the password.

const MALFORMED_PASSWORD = "percent-encode characters such as '@', '/' and '#' in the password";

/** Undefined if nothing is; a URL without a host is right. */
export function urlFault(url: string): string | undefined {
  if (URL.canParse(url)) return undefined;
  const rest = url.slice(url.indexOf('//') + 2);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // The password has ended the part with the host.
  if (host === authority && rest.includes('@')) return MALFORMED_PASSWORD;
  const port = host.slice(host.lastIndexOf(']') + 1).split(':')[1] ?? '';
  if (port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    return 'its port is not a number up to 65535';
  }
  return host === '' || host.startsWith(':') ? 'it has no host' : 'its host is not valid';
}

/** The fault of a URL whose user, password and path drivers decode. */
export function encodingFault({ username, password, pathname }: URL): string | undefined {
  return [username, password, pathname].every(isEncoded)
    ? undefined
    : "write a '%' of its user, password or path as '%25'";
}

function isEncoded(text: string): boolean {
  try {
    // A bundler may leave a call out whose result is not used.
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
