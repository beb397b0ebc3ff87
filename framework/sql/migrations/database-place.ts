// Where the databases are that the package has made from a URL: what may be reset, and what messages show of it.
import type { DatabaseUrl } from '../database-url.js';
import type { DatabasePlace } from './target.js';

const places = new WeakMap<object, DatabasePlace>();

/** @param key what all handles of the database share */
export function notePlaceOfDatabase(key: object, url: DatabaseUrl): void {
  places.set(key, placeOf(url));
}

export function placeOfDatabase(key: object): DatabasePlace | undefined {
  return places.get(key);
}

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

function placeOf({ engine, location }: DatabaseUrl): DatabasePlace {
  if (engine === 'sqlite') {
    return { shown: location === ':memory:' ? location : `file:${location}`, isLocal: true };
  }
  const url = new URL(location);
  // pg takes another host from the query, the last one there, which may be a socket in the file system.
  const others = url.searchParams.getAll('host');
  const isLocal =
    LOCAL.test(url.hostname) && others.every((other) => other.startsWith('/') || LOCAL.test(other));
  url.password = '';
  url.search = '';
  return { shown: url.href, isLocal };
}
