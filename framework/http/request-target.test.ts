import { describe, expect, it } from 'vitest';
import { decodeParam, MatchedTarget, readTarget } from './request-target.js';

describe('a target whose path was matched', () => {
  it.each(['/a', '/a?', '/a?b=1?c', '/a?b#c'])('%s has its query', (target) => {
    const { path, search, refused } = new MatchedTarget('/a', { target });
    expect({ path, search, refused }).toEqual({ path: '/a', search: target.slice(3), refused: undefined });
  });
});

describe('readTarget', () => {
  it.each([
    ['/', '/', ''],
    ['/a/b', '/a/b', ''],
    ['/a?', '/a', ''],
    ['/a?b=1?c', '/a', 'b=1?c'],
    ['/?/../x', '/', '/../x'],
    ['/a.b', '/a.b', ''],
    ['/.well-known', '/.well-known', ''],
    ['/...', '/...', ''],
    ["/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@", ''],
    ['/caf%C3%A9', '/café', ''],
    ['/a%2fb%2F', '/a%2Fb%2F', ''],
    ['/%252f/%25', '/%252f/%25', ''],
    ['/a%20b/%7e', '/a b/~', ''],
    ['/%2e%2ex', '/..x', ''],
    ['//a//', '//a//', ''],
    ['/[', '/[', ''],
  ])('reads %s', (target, path, search) => {
    expect(readTarget(target)).toEqual({ path, search, refused: undefined });
  });

  it.each([
    ['', "the request target must start with '/'"],
    ['a/b', "the request target must start with '/'"],
    ['*', "the request target must start with '/'"],
    ['http://a/b', "the request target must start with '/'"],
    ['/a#b', "'#' is not allowed in a request target"],
    ['/a?b#c', "'#' is not allowed in a request target"],
    ['/a b', 'the path contains characters that must be percent-encoded'],
    ['/caf\u00e9', 'the path contains characters that must be percent-encoded'],
    ['/a\u007f', 'the path contains characters that must be percent-encoded'],
    ['/a\u0001%20', 'the path contains characters that must be percent-encoded'],
    ['/%', 'malformed percent-encoding in the path'],
    ['/%e9', 'malformed percent-encoding in the path'],
    ['/.', 'dot segments are not allowed in the path'],
    ['/..', 'dot segments are not allowed in the path'],
    ['/a/./b', 'dot segments are not allowed in the path'],
    ['/a/../b', 'dot segments are not allowed in the path'],
    ['/%2e', 'dot segments are not allowed in the path'],
    ['/a/%2E.', 'dot segments are not allowed in the path'],
  ])('refuses %j', (target, refused) => {
    expect(readTarget(target).refused).toBe(refused);
  });
});

describe('decodeParam', () => {
  it.each([
    ['a', 'a'],
    ['a%2Fb%2F', 'a/b/'],
    ['50%25', '50%'],
    ['%252F', '%2F'],
  ])('%s is decoded to %s', (text, decoded) => expect(decodeParam(text)).toBe(decoded));
});
