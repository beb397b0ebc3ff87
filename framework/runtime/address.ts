// Node: parses the address that is given to `listen` into host and port, or the path of a Unix socket.
import { ConfigError } from '../config-error.js';
import { checkOptions, checkValue } from '../options/check.js';
import { matching, type Rules, required } from '../options/rules.js';

/**
 * A port on 127.0.0.1, or `host:port`; an IPv6 host is written in brackets, as in `[::1]:3000`. Or the path of a Unix
 * socket, which on Windows is the name of a pipe: `{ path: '/run/app.sock' }`.
 */
export type ListenAddress = number | string | { readonly path: string };

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface SocketPath {
  readonly path: string;
}

/** The longest path that fits into an address of Linux, where that of other systems is four bytes shorter. */
const LONGEST_PATH = 107;
const SOCKET: Rules<SocketPath> = {
  path: required(matching(/^[^\0]+$/, "that of a Unix socket, such as '/run/app.sock'")),
};

const ADDRESS = matching(/^/, "a port, 'host:port' or '[::1]:port'");

/** @throws ConfigError that names the value and the accepted forms. */
export function parseAddress(address: ListenAddress): HostPort | SocketPath {
  if (typeof address === 'object' && address !== null) return { path: checkPath(address) };
  if (typeof address === 'number') return { host: '127.0.0.1', port: checkPort(address, address) };
  checkValue('listen', 'the address', address, ADDRESS);
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

/** The address as text, such as `127.0.0.1:3000`, `[::1]:3000` or `/run/app.sock`. */
export function formatAddress(address: HostPort | SocketPath): string {
  if ('path' in address) return address.path;
  const { host, port } = address;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** What `listen` gives about its address. */
export function boundTo(
  wanted: HostPort | SocketPath,
  port: number,
): { readonly host: string; readonly port: number; readonly path?: string; readonly url: string } {
  if ('path' in wanted) return { host: '', port: 0, path: wanted.path, url: `unix:${wanted.path}` };
  const bound = { host: wanted.host, port };
  return { ...bound, url: `http://${formatAddress(bound)}` };
}

function checkPath(address: SocketPath): string {
  const { path } = readSocket(address);
  const isPipe = path.startsWith('\\\\');
  if (isPipe || new TextEncoder().encode(path).length <= LONGEST_PATH) return path;
  throw new ConfigError(
    'FW_ADDRESS_PATH',
    `cannot listen on the path '${path}': Unix sockets have paths of at most ${LONGEST_PATH} bytes; choose a shorter one`,
  );
}

function readSocket(address: SocketPath): SocketPath {
  try {
    return checkOptions('listen', address, SOCKET);
  } catch (error) {
    const isUnknown = error instanceof ConfigError && error.code === 'FW_OPTION_UNKNOWN';
    throw isUnknown && !('path' in address) ? asObject(address) : error;
  }
}

/** The options of Node.js, Fastify, Bun and Deno. */
function asObject(address: object): ConfigError {
  const given = address as Readonly<Record<string, unknown>>;
  const host = given.host ?? given.hostname;
  const port = typeof given.port === 'number' ? given.port : 3000;
  const written = formatAddress({ host: typeof host === 'string' ? host : '0.0.0.0', port });
  return new ConfigError(
    'FW_ADDRESS',
    `listen takes no options 'port' and 'host': give a port of this machine, such as listen(${port}), or both as a text, such as listen('${written}')`,
  );
}

function checkPort(port: number, given: ListenAddress): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ConfigError(
    'FW_ADDRESS_PORT',
    `cannot listen on ${typeof given === 'string' ? `'${given}'` : given}: a port is 0 to 65535`,
  );
}
