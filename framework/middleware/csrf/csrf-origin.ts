// CSRF: whether a browser says that a request comes from a page of another origin.
import type { Context } from '../../context/context.js';
import { isLoopbackHost } from '../../http/host.js';
import type { CsrfSettings } from './csrf-options.js';

/**
 * Why a request is refused by `Origin` and `Sec-Fetch-Site` (Fetch Metadata), which scripts cannot set; clients that
 * are not browsers send neither. Another subdomain counts as foreign, because it may be in other hands. So does
 * `Origin: null`, which browsers send for sandboxed frames, unless `Sec-Fetch-Site` says that the page is of this origin:
 * they also send it for the forms of a page with `Referrer-Policy: no-referrer` (Fetch, "append a request `Origin`
 * header").
 */
export function foreignReason(ctx: Context, { origins, secure }: CsrfSettings): string | undefined {
  const origin = ctx.req.header('origin');
  if (origin !== undefined && origins.has(origin)) return undefined;
  const site = ctx.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return FOREIGN;
  if (origin === undefined || (origin === 'null' && site === 'same-origin')) return undefined;
  const { host } = ctx.req.uri;
  // A proxy that ends TLS makes the scheme of the request useless, so the option decides.
  if (origin === originOf('https', host)) return undefined;
  if (origin !== originOf('http', host)) return FOREIGN;
  return !secure || isLoopbackHost(host) ? undefined : PLAIN;
}

const FOREIGN = 'the request comes from a page of another site';
const PLAIN = 'the request comes from a page over plain HTTP, and the app expects HTTPS';

function originOf(scheme: string, host: string): string | undefined {
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
