// Client address: the scheme and the host that the client has asked for, as trusted proxies report them.
import { hostFault } from '../http/host.js';
import type { RequestSource } from '../http/request-source.js';
import { trimBlanks } from '../http/white-space.js';
import type { ForwardedHeader } from './address-field.js';
import { forwardedParameter, fromTheRight } from './forwarded.js';

interface Reported {
  readonly proto: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
}

/**
 * The origin of a request that a trusted proxy has sent. What is not reported, or malformed, is that of the request
 * itself: a `Host` is often passed on.
 *
 * @param headers the fields that are read, the first one that is there
 * @param hop how many trusted proxies are between the server and the one that saw the client
 */
export function forwardedOrigin(
  source: RequestSource,
  headers: readonly ForwardedHeader[],
  hop: number,
): string {
  const { origin } = source;
  const reported = headers.map((header) => READ[header](source, hop)).find((one) => one !== undefined);
  if (reported === undefined) return origin;
  const [ownScheme = '', ownHost = ''] = origin.split('://');
  const scheme = SCHEMES[(reported.proto ?? '').toLowerCase()] ?? ownScheme;
  const host = reported.host !== undefined && isHost(reported.host) ? reported.host : ownHost;
  const hasPort = /:\d+$/.test(host);
  return `${scheme}://${host}${hasPort || !isPort(reported.port) ? '' : `:${reported.port}`}`;
}

const SCHEMES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  http: 'http',
  https: 'https',
  ws: 'http',
  wss: 'https',
});

const READ: Readonly<Record<ForwardedHeader, (source: RequestSource, hop: number) => Reported | undefined>> =
  {
    'x-forwarded-for': (source, hop) => {
      const [proto, host, port] = ['proto', 'host', 'port'].map((name) => {
        const value = source.header(`x-forwarded-${name}`);
        return value === undefined ? undefined : trimBlanks(atHop(value, false, hop));
      });
      // A proxy that writes the address alone passes `Forwarded` on as the client sent it.
      const isWritten =
        source.header('x-forwarded-for') !== undefined || (proto ?? host ?? port) !== undefined;
      return isWritten ? { proto, host, port } : undefined;
    },
    forwarded: (source, hop) => {
      const value = source.header('forwarded');
      if (value === undefined) return undefined;
      const element = atHop(value, true, hop);
      const [proto, host] = (['proto', 'host'] as const).map((name) => forwardedParameter(element, name));
      return { proto, host, port: undefined };
    },
  };

/** Each proxy appends to the list, or replaces it by what it knows. */
function atHop(list: string, hasQuotes: boolean, hop: number): string {
  const elements = [...fromTheRight(list, hasQuotes)];
  return elements[hop] ?? elements[0] ?? '';
}

function isHost(host: string): boolean {
  return host !== '' && hostFault(host) === undefined;
}

function isPort(port: string | undefined): boolean {
  return port !== undefined && /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535;
}
