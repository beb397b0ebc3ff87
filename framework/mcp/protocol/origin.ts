// MCP: which web pages may call a server. The name of a page's host can lead to any address (DNS rebinding), so that a
// page of a stranger could call a server that only this machine can reach (basic/transports, "Security Warning").
// Clients other than web pages send no `Origin`.

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Whether the page is one of the allowed origins, or is of this machine and has called it by a name that is always this
 * machine.
 */
export function isOwnOrigin(origin: string, host: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true;
  const page = URL.canParse(origin) ? new URL(origin).hostname : '';
  return LOOPBACK.test(page) && host !== undefined && LOOPBACK.test(nameOf(host));
}

function nameOf(host: string): string {
  const at = `http://${host}`;
  return URL.canParse(at) ? new URL(at).hostname : '';
}
