// Connections: reads which database a URL names.
import { ConfigError } from '../config-error.js';
import { encodingFault, urlFault } from '../options/server-url.js';

export type Engine = 'postgres' | 'mysql' | 'sqlite';

export interface DatabaseUrl {
  readonly engine: Engine;
  /** As the driver takes it; for SQLite the path of the file, or `:memory:`. */
  readonly location: string;
}

const SCHEMES: ReadonlyMap<string, Engine> = new Map([
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['file', 'sqlite'],
  ['sqlite', 'sqlite'],
]);

const SUPPORTED =
  'use postgres://user:password@host/database, mysql://user:password@host/database, file:data.db or :memory:';

/** @throws ConfigError if it is not a URL of a supported database; the message has the scheme and no more of it. */
export function readDatabaseUrl(
  who: string,
  url: string,
  platform: string | undefined = globalThis.process?.platform,
): DatabaseUrl {
  if (typeof url !== 'string' || url === '') {
    throw wrong(who, url === '' ? 'got an empty URL' : `got ${url === null ? 'null' : typeof url}`);
  }
  if (url === ':memory:') return { engine: 'sqlite', location: url };
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(url) ?? [];
  if (scheme === '') throw wrong(who, 'got a URL without a scheme');
  const engine = SCHEMES.get(scheme.toLowerCase());
  if (engine === undefined) throw wrong(who, `got a URL of the scheme '${scheme}:'`);
  const rest = url.slice(scheme.length + 1);
  if (engine === 'sqlite') return { engine, location: sqlitePath(who, rest, platform) };
  return { engine, location: serverUrl(who, scheme, engine, rest) };
}

function serverUrl(who: string, scheme: string, engine: Engine, rest: string): string {
  const url = `${engine}:${rest}`;
  const fault = urlFault(url) ?? driverFault(engine, new URL(url));
  if (fault === undefined) return url;
  throw wrong(who, `the ${scheme}: URL is malformed: ${fault}`);
}

function driverFault(engine: Engine, url: URL): string | undefined {
  // A host is missing in postgres:///database too, which would mean a socket in the file system.
  if (url.hostname === '') return 'it has no host';
  // That of PostgreSQL takes a '%' as it is.
  return engine === 'mysql' ? encodingFault(url) : undefined;
}

/** `file:data.db`, `file:./data.db`, `file:/var/data.db`, `file:///var/data.db` and, on Windows, `file:///C:/data.db`. */
function sqlitePath(who: string, rest: string, platform: string | undefined): string {
  const named = /^\/\/[^/]/.test(rest) ? '' : rest.replace(/^\/\/(?=\/)/, '');
  const withoutQuery = named.split('?')[0] ?? '';
  if (withoutQuery === '') throw wrong(who, 'the URL names no file');
  try {
    const path = decodeURIComponent(withoutQuery);
    return platform === 'win32' ? path.replace(/^\/(?=[A-Za-z]:[\\/])/, '') : path;
  } catch {
    throw wrong(who, 'the path of the file is not percent-encoded correctly');
  }
}

function wrong(who: string, what: string): ConfigError {
  return new ConfigError('FW_DATABASE_URL', `${who}: ${what}; ${SUPPORTED}`);
}
