// The client: the sockets of an App.
import type { FwRpcArguments, FwRpcCaller, FwRpcConnection, FwRpcEntry } from './define-client.js';
import type { FwRpcSignal } from './signals.js';
import { FwSocket } from './socket.js';
import type { FwSocketOptions } from './socket-types.js';
import { filledPath, querySearch } from './urls.js';

/** How a socket is opened. */
export interface FwSocketCall extends FwRpcEntry {
  readonly path: string;
  readonly query: readonly string[];
  /** Whether subscriptions can travel over it. */
  readonly hasRpc?: true;
}

export interface FwRpcSocketsOptions {
  signal?: FwRpcSignal | undefined;
  /** Options of every socket. */
  sockets?: FwSocketOptions | undefined;
}

export type FwSocketOpener = (
  url: string,
  options: FwSocketOptions,
  signals: readonly FwRpcSignal[],
  socket: FwSocketCall,
) => unknown;

/**
 * @param base what stands before the paths
 * @param open makes a socket
 */
export function socketCaller<Options>(
  base: (connection: FwRpcConnection<Options>) => string,
  open: FwSocketOpener,
): FwRpcCaller<FwSocketCall, FwRpcArguments<FwSocketOptions>, Options & FwRpcSocketsOptions> {
  return (connection, [, socket], input = {}, own = {}) => {
    const values = input as Readonly<Record<string, unknown>>;
    const url = base(connection) + filledPath(socket.path, values) + querySearch(socket.query, values);
    const { signal, sockets: common } = connection.options;
    const signals = [signal, common?.signal, own.signal].filter((one) => one !== undefined);
    return open(socketUrl(url), { ...common, ...own }, signals, socket);
  };
}

export const openSocket: FwSocketOpener = (url, options, signals) => new FwSocket(url, options, signals);

interface FwSocketPage {
  readonly location?: { readonly protocol: string; readonly host: string };
}

/** A path alone belongs to the origin of the page. */
function socketUrl(url: string): string {
  if (/^https?:/i.test(url)) return url.replace(/^http/i, 'ws');
  if (/^wss?:/i.test(url)) return url;
  const { location } = globalThis as unknown as FwSocketPage;
  if (location === undefined) {
    throw new TypeError(
      `a socket needs an absolute URL, not '${url}': give the client one, such as https://example.org`,
    );
  }
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${url}`;
}
