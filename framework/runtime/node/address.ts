// Node: parses the address that is given to `listen` into host and port.
import { ConfigError } from '../../config-error.js';

/** A port on 127.0.0.1, or `host:port`; an IPv6 host is written in brackets, as in `[::1]:3000`. */
export type ListenAddress = number | string;

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** @throws ConfigError that names the value and the accepted forms. */
export function parseAddress(address: ListenAddress): HostPort {
  if (typeof address === 'number') return { host: '127.0.0.1', port: checkPort(address, address) };
  const found = /^(?:\[(?=[\w.%]*:)([\w:.%]+)\]|([^:[\]\s/]*)):(\d{1,5})$/.exec(address);
  if (!found) {
    if (/^\d+$/.test(address))
      throw new ConfigError(
        'FW_ADDRESS',
        `cannot listen on '${address}': give the port as a number, or write ':${address}'`,
      );
    throw new ConfigError(
      'FW_ADDRESS',
      `cannot listen on '${address}': give a port, 'host:port' or '[::1]:port'`,
    );
  }
  const [, v6, name, port] = found;
  return { host: v6 ?? (name || '127.0.0.1'), port: checkPort(Number(port), address) };
}

/** The address as text, such as `127.0.0.1:3000` or `[::1]:3000`. */
export function formatAddress({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function checkPort(port: number, given: ListenAddress): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ConfigError(
    'FW_ADDRESS',
    `cannot listen on ${typeof given === 'string' ? `'${given}'` : given}: a port is 0 to 65535`,
  );
}
