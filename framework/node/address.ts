// Node: what may be given to `listen`, read into host and port.

/** A port on 127.0.0.1, or `host:port`; an IPv6 host stands in brackets, `[::1]:3000`. */
export type ListenAddress = number | string;

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** @throws Error naming the value and the accepted forms. */
export function parseAddress(address: ListenAddress): HostPort {
  if (typeof address === 'number') return { host: '127.0.0.1', port: checkPort(address, address) };
  const found = /^(?:\[(?=[\w.%]*:)([\w:.%]+)\]|([^:[\]\s/]*)):(\d{1,5})$/.exec(address);
  if (!found) {
    if (/^\d+$/.test(address))
      throw new Error(`cannot listen on '${address}': give a port alone as a number, or write ':${address}'`);
    throw new Error(`cannot listen on '${address}': give a port, 'host:port' or '[::1]:port'`);
  }
  const [, v6, name, port] = found;
  return { host: v6 ?? (name || '127.0.0.1'), port: checkPort(Number(port), address) };
}

/** `127.0.0.1:3000`, `[::1]:3000`. */
export function formatAddress({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function checkPort(port: number, given: ListenAddress): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(
    `cannot listen on ${typeof given === 'string' ? `'${given}'` : given}: a port is 0 to 65535`,
  );
}
