// The client: the URLs of routes and sockets.
import type { FwRpcConnection } from './define-client.js';

export interface FwRpcRoutesUrl {
  /** What stands before the paths of routes; the origin of the URL that the constructor gets by default. */
  routesUrl?: string | undefined;
}

/** What stands before the paths of a client that has procedures too, whose URL is that of the constructor. */
export function besideProcedures({ baseUrl, options }: FwRpcConnection<FwRpcRoutesUrl>): string {
  return options.routesUrl ?? /^\w+:\/\/[^/]+/.exec(baseUrl)?.[0] ?? '';
}

/** What stands before the paths of a client without procedures. */
export function belowBaseUrl({ baseUrl }: FwRpcConnection<unknown>): string {
  return baseUrl.replace(/\/$/, '');
}

/** The path with its parameters; servers and URLs give `.`, `..` and nothing another meaning. */
export function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\/([:*])([^/]+)/g, (_match, kind: string, name: string) => {
    const value = urlText(name, values[name]);
    const parts = kind === '*' ? value.split('/') : [value];
    const odd = parts.find((part) => part === '' || part === '.' || part === '..');
    if (odd !== undefined || values[name] === undefined || values[name] === null) {
      throw new TypeError(`the parameter '${name}' of ${path} cannot be '${value}'`);
    }
    return `/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
  });
}

export function querySearch(names: readonly string[], values: Readonly<Record<string, unknown>>): string {
  return searchOf(names.map((name) => [name, values[name]]));
}

/** A list is a pair for each of its items; what is not there has none. */
export function searchOf(fields: readonly (readonly [name: string, value: unknown])[]): string {
  const pairs: string[] = [];
  for (const [name, value] of fields) {
    if (value === undefined || value === null) continue;
    for (const one of (Array.isArray(value) ? value : [value]) as readonly unknown[]) {
      // Without it, the list would be another one.
      if (one === undefined || one === null) throw notInUrl(name, `${String(one)} in a list`);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(urlText(name, one))}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The text of a value. That of a date, and of every object that has one, is the one that it has in JSON. */
function urlText(name: string, value: unknown): string {
  const text = String(value);
  if (typeof value !== 'object' || value === null) return text;
  const json: unknown = JSON.parse(JSON.stringify(value));
  if (typeof json === 'string') return json;
  if (json === null || Array.isArray(value) || text.startsWith('[object ')) throw notInUrl(name, text);
  return text;
}

function notInUrl(name: string, what: string): TypeError {
  return new TypeError(`'${name}' has ${what}, for which a URL has no form`);
}
