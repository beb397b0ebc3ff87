// Which requests come from the developer: from this machine, for a name that is this machine, and through no proxy.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostName, hostsOf, isLoopback } from './host-rule.js';

/**
 * Fields that proxies, tunnels and content delivery networks add. Such a program on this machine connects from
 * loopback and may ask for localhost, so that only its fields tell of it. Nothing that a browser sends by itself is
 * listed.
 */
const proxyFields = new RegExp(
  `^(?:${[
    // Standards and habits of proxies: RFC 7239, RFC 9110 (section 7.6.3), RFC 8586, nginx, Apache, IIS, WebLogic.
    'forwarded|via|cdn-loop|(?:x-)?forwarded-.*|(?:x-)?client-ip|x-cluster-client-ip|x-real-.*|x-original-.*',
    'x-rewrite-url|x-proxy.*|(?:wl-)?proxy-client-ip|x-nginx-.*|x-arr-.*|front-end-https|x-scheme|x-host|x-varnish',
    // Tunnels: Cloudflare, ngrok, Tailscale, dev tunnels, localtunnel.
    'cf-.*|true-client-ip|ngrok-.*|x-ngrok-.*|tailscale-.*|x-tunnel-.*|x-ms-proxy.*|x-localtunnel-.*',
    // Hosts and their balancers: Fastly, Akamai, Fly, Envoy, App Engine, Google, AWS, Azure, Vercel, Netlify, Heroku.
    'fastly-.*|(?:x-)?akamai-.*|fly-.*|x-envoy-.*|x-appengine-.*|x-google-.*|x-cloud-trace-context|x-amzn?-.*',
    'cloudfront-.*|x-azure-.*|x-vercel-.*|x-nf-.*|x-request-start',
  ].join('|')})$`,
  'i',
);

/** What tells where a request comes from; fields by lower-case name. */
interface Origin {
  /** The address of the other end of the connection. */
  readonly peer: string | undefined;
  readonly hosts: readonly string[];
  readonly fields: Iterable<string>;
}

export function isOwn({ peer, hosts, fields }: Origin): boolean {
  if (peer === undefined || !isLoopback(peer)) return false;
  if (hosts.length === 0 || !hosts.every(isLoopbackName)) return false;
  for (const name of fields) if (proxyFields.test(name)) return false;
  return true;
}

/** The same for a request of Node. */
export function isOwnRequest(request: IncomingMessage): boolean {
  const fields = request.rawHeaders.filter((_, index) => index % 2 === 0);
  return isOwn({ peer: request.socket.remoteAddress, hosts: hostsOf(request), fields });
}

/** A name that no DNS answer can lead elsewhere, or an address of this machine. */
function isLoopbackName(host: string): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return isIP(name) !== 0 && isLoopback(name);
}
