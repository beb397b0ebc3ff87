// Cookies as a browser keeps and sends them: the cases of RFC 6265, section 5.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CookieJar } from './cookie-jar.js';

const at = (path: string, origin = 'https://app.test') => new URL(path, origin);
function jarOf(...cookies: string[]): CookieJar {
  const jar = new CookieJar();
  for (const cookie of cookies) jar.keep(cookie, at('/'));
  return jar;
}
afterEach(() => {
  vi.useRealTimers();
});

describe('what is kept', () => {
  it('is the name and the value, without blanks around them', () => {
    const jar = jarOf(' a \t= b=c ; HttpOnly', 'd="e f"', 'g=');
    expect(jar.header(at('/'))).toBe('a=b=c; d="e f"; g=');
    expect([jar.get('a'), jar.get('g'), jar.get('h')]).toEqual(['b=c', '', undefined]);
  });

  it.each(['a', '', ';', '=b', ' =b; Path=/'])('is nothing of %j', (cookie) => {
    expect(jarOf(cookie).header(at('/'))).toBeUndefined();
  });

  it('is replaced by one of the same name and path, in its place', () => {
    expect(jarOf('a=1', 'b=2', 'a=3').header(at('/'))).toBe('a=3; b=2');
  });
});

describe('the path', () => {
  it.each([
    ['/', '/x/y', true],
    ['/x', '/x', true],
    ['/x', '/x/y', true],
    ['/x/', '/x/y', true],
    ['/x/', '/x', false],
    ['/x', '/xy', false],
    ['/x', '/X', false],
    ['/x/y', '/x', false],
  ])('%s of a cookie and %s of a request: %s', (path, request, isSent) => {
    expect(jarOf(`a=1; path=${path}`).header(at(request)) !== undefined).toBe(isSent);
  });

  it.each(['a=1', 'a=1; Path', 'a=1; Path=', 'a=1; Path=x', 'a=1; Path=/; Path='])(
    'is the folder of the request without one: %s',
    (cookie) => {
      const jar = new CookieJar();
      jar.keep(cookie, at('/x/y?z=/w'));
      expect(['/x', '/x/other', '/'].map((path) => jar.header(at(path)) !== undefined)).toEqual([
        true,
        true,
        false,
      ]);
    },
  );

  it('keeps cookies of one name apart, and the longest is sent first', () => {
    const jar = jarOf('a=root; Path=/', 'b=1; Path=/', 'a=deep; Path=/x');
    expect(jar.header(at('/x/y'))).toBe('a=deep; a=root; b=1');
    expect(jar.header(at('/y'))).toBe('a=root; b=1');
    expect(jar.get('a')).toBe('root');
    jar.keep('a=; Path=/x; Max-Age=0', at('/'));
    expect(jar.header(at('/x/y'))).toBe('a=root; b=1');
  });
});

it.each([
  ['https://app.test', true],
  ['http://app.test', false],
  ['http://localhost:3000', true],
  ['http://app.localhost', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:3000', true],
  ['http://localhost.test', false],
])('a secure cookie is sent to %s: %s', (origin, isSent) => {
  expect(jarOf('a=1; secure').header(at('/', origin)) !== undefined).toBe(isSent);
});

describe('the end', () => {
  it.each([
    ['Max-Age=0', false],
    ['Max-Age=-1', false],
    ['max-age = 1', true],
    ['Max-Age=x', true],
    ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', false],
    ['Expires=Fri, 31 Dec 9999 23:59:59 GMT', true],
    ['Expires=never', true],
    ['Max-Age=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', true],
    ['Expires=Fri, 31 Dec 9999 23:59:59 GMT; Max-Age=0', false],
    ['Max-Age=0; Max-Age=60', true],
  ])('%s leaves it: %s', (attributes, isLeft) => {
    expect(jarOf('a=0', `a=1; ${attributes}`).get('a')).toBe(isLeft ? '1' : undefined);
  });

  it('comes while it is kept', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const jar = jarOf('a=1; Max-Age=10', 'b=1; Expires=Thu, 01 Jan 1970 00:00:20 GMT', 'c=1');
    vi.setSystemTime(9_999);
    expect(jar.header(at('/'))).toBe('a=1; b=1; c=1');
    vi.setSystemTime(10_000);
    expect([jar.header(at('/')), jar.get('a')]).toEqual(['b=1; c=1', undefined]);
    vi.setSystemTime(20_000);
    expect(jar.header(at('/'))).toBe('c=1');
  });
});
