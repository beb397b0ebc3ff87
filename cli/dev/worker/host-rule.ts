// Which Host names the dev server accepts, so that no web page can reach it through DNS rebinding.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { BoundAddress } from '../../process/messages.js';

/**
 * True for loopback names and addresses, the bound address, `*.localhost`, and what is listed; on a wildcard
 * address also for any IP literal, which no DNS answer can redirect. A listed `.example.test` covers the
 * name and its subdomains, `*` every name.
 */
export function createHostRule(address: BoundAddress, allowed: string[]): (host: string) => boolean {
  const listed = allowed.map((name) => name.toLowerCase());
  const wildcard = address.address === '0.0.0.0' || address.address === '::';
  return function isAllowed(host) {
    if (listed.includes('*')) return true;
    const name = hostName(host);
    if (name === undefined) return false;
    // Before isIP, whose expression for IPv6 takes milliseconds to compile at the first name that is not an IPv4 address.
    if (name === 'localhost' || name.endsWith('.localhost')) return true;
    if (isIP(name)) return wildcard || isLoopback(name) || name === address.address || listed.includes(name);
    return listed.some((entry) =>
      entry.startsWith('.') ? name === entry.slice(1) || name.endsWith(entry) : name === entry,
    );
  };
}

export function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '::1' || ip.startsWith('::ffff:127.');
}

/** The name in a Host value, lower case, without port, brackets or trailing dot; undefined if malformed. */
export function hostName(host: string): string | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  if (!found) return undefined;
  const name = (found[1] ?? found[2] ?? '').toLowerCase();
  if (found[1] !== undefined && isIP(name) !== 6) return undefined;
  return name.replace(/\.$/, '');
}

/** All host names in a request: in Host fields, the HTTP/2 `:authority`, and an absolute-form request target. */
export function hostsOf(request: IncomingMessage): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase();
    if (name === 'host' || name === ':authority') hosts.push(request.rawHeaders[index + 1] ?? '');
  }
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '');
  if (absolute) hosts.push(absolute[1] ?? '');
  return hosts;
}

export function refusal(host: string): string {
  const name = hostName(host) ?? host.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
  return `fw dev does not answer for the host name "${name}".\nIf it is yours, allow it: fw dev --allowed-host ${name}\nor in fw.toml: [dev] allowed_hosts = ["${name}"]\n`;
}
