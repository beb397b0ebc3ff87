// Requests: whether a Host field is one, and whether it names this machine.

/**
 * RFC 9112, section 3.2 and RFC 3986, section 3.2.2: host and optional port, with brackets for IPv6 only. Several Host
 * fields are joined by ',' and so do not match.
 */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+;=%]+|\[(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Why a Host field is refused; undefined if it is one, which may be empty. RFC 3986 allows names and ports that no URL
 * can have, such as `a%zz`, `256.1.1.1` and `a:99999`.
 */
export function hostFault(host: string): string | undefined {
  // Nearly all requests to a server have the same Host, so it is checked only when it changes.
  if (host === lastGoodHost || host === '') return undefined;
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return 'the Host header is malformed';
  lastGoodHost = host;
  return undefined;
}

let lastGoodHost = '';

/** Hosts that only name this machine, with or without a port: browsers send `Secure` cookies to them over plain HTTP. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|[^.]+\.localhost)(?::\d+)?$/;

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}
