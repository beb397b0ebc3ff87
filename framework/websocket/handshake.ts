// WebSocket: checks a handshake before the connection is upgraded (RFC 6455, section 4.2).
import type { Context } from '../context/context.js';
import { Identity } from '../context/identity.js';
import { FwError } from '../http/errors.js';
import { listMembers } from '../http/field-list.js';
import { isLoopbackHost } from '../http/request-target.js';
import { TOKEN_PROTOCOL } from '../http/upgrade.js';
import type { SocketLimits } from './socket-config.js';

/** The sub-protocol of clients that `fw generate` makes: their first frame tells what they have received before. */
export const EVENTS_PROTOCOL = 'fw.events';

/** Selected if nothing else is, for clients that have only a token to offer: they fail if nothing is selected. */
const PLAIN_PROTOCOL = 'fw';

/** RFC 6455, section 4.1: 16 bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';

/** The sub-protocol to select; empty for none. @throws FwError 400, 403 or 426, as which the handshake is refused. */
export function checkHandshake(ctx: Context, limits: SocketLimits, hasEvents: boolean): string {
  const { req } = ctx;
  if (req.header('sec-websocket-version') !== VERSION) {
    const headers = { 'Sec-WebSocket-Version': VERSION, Upgrade: 'websocket', Connection: 'Upgrade' };
    throw FwError.upgradeRequired(`only WebSocket version ${VERSION} is supported`, { headers });
  }
  // Several fields of one name are joined, so that neither a key nor an origin may be repeated.
  if (!KEY.test(req.header('sec-websocket-key') ?? '')) {
    throw FwError.badRequest('the header Sec-WebSocket-Key is missing or malformed');
  }
  checkOrigin(ctx, limits.origins);
  return selectProtocol(req.header('sec-websocket-protocol'), limits.protocols, hasEvents);
}

function checkOrigin(ctx: Context, allowed: ReadonlySet<string> | undefined): void {
  const origin = ctx.req.header('origin');
  if (allowed === undefined) {
    if (origin !== undefined) checkCookies(ctx, origin);
    return;
  }
  if (allowed.size === 0) return;
  if (origin !== undefined && allowed.has(origin)) return;
  throw FwError.forbidden(
    origin === undefined
      ? 'the handshake has no Origin, and only listed origins may connect'
      : `${shown(origin)} may not connect; name it in allowedOrigins if it is yours`,
  );
}

/**
 * A page of another site could otherwise use the session of its visitor: cookies are sent along, and the same-origin
 * policy does not apply to WebSockets.
 */
function checkCookies(ctx: Context, origin: string): void {
  const check = (what: string): void => {
    if (isSame(origin, ctx)) return;
    throw FwError.forbidden(
      `connections with ${what} must come from the server's own origin, not from ${shown(origin)}; name it in allowedOrigins if it is yours`,
    );
  };
  if (ctx.ownSession?.userId !== undefined) check('a session');
  else if (ctx.credentials.some((one) => one.isCookie)) check('the token of a cookie');
  // A subscription authenticates later, if it has middleware of its own.
  ctx.identity ??= new Identity();
  ctx.identity.checkCookies = () => check('the token of a cookie');
}

/**
 * A proxy that ends TLS makes the scheme of the request useless, so hosts are compared; a session whose cookie is for
 * HTTPS alone says that the app is served over HTTPS, so that a page over plain HTTP is another origin.
 */
function isSame(origin: string, ctx: Context): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, protocol, origin: normal } = new URL(origin);
  const isPlain = protocol === 'http:' && ctx.ownSession?.isSecure === true && !isLoopbackHost(host);
  return host === ctx.req.uri.host && normal === origin && !isPlain;
}

/** The value comes from the client. */
function shown(origin: string): string {
  return `the origin ${JSON.stringify(origin.slice(0, 100))}`;
}

/** RFC 6455, section 4.2.2: one of those that the client offers, in the order that the server prefers. */
function selectProtocol(field: string | undefined, spoken: readonly string[], hasEvents: boolean): string {
  if (field === undefined) return '';
  const offered = listMembers(field).filter((one) => !one.startsWith(TOKEN_PROTOCOL));
  if (hasEvents && offered.includes(EVENTS_PROTOCOL)) return EVENTS_PROTOCOL;
  const found = spoken.find((one) => offered.includes(one));
  return found ?? (offered.includes(PLAIN_PROTOCOL) ? PLAIN_PROTOCOL : '');
}
