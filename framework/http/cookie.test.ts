import { describe, expect, it } from 'vitest';
import { Cookie, cookieText, parseCookies, removal, SameSite } from './cookie.js';

describe('Cookie', () => {
  it('has Path=/ by default, and every attribute that is set', () => {
    expect(String(new Cookie('a', ''))).toBe('a=; Path=/');
    const full = new Cookie('__Secure-a', 'v')
      .path('/x')
      .domain('example.com')
      .maxAge(5)
      .expires(new Date(0))
      .httpOnly(true)
      .secure(true)
      .sameSite(SameSite.None)
      .partitioned(true);
    expect(String(full)).toBe(
      '__Secure-a=v; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Domain=example.com; Path=/x; HttpOnly; Secure; SameSite=None; Partitioned',
    );
  });

  it.each(['', 'a b', 'a;b', 'a=b', 'a\r\n', 'ä'])('refuses the name %j', (name) => {
    expect(() => new Cookie(name, 'x')).toThrow('invalid cookie name');
  });

  it.each(['a b', 'a;b', 'a,b', 'a"b', 'a\\b', 'a\nb', 'ä', 'x; Domain=evil'])(
    'refuses the value %j',
    (value) => {
      expect(() => new Cookie('a', value)).toThrow("invalid value of cookie 'a'");
    },
  );

  it('refuses attributes that could inject others', () => {
    expect(() => new Cookie('a', '').path('/; HttpOnly')).toThrow('invalid cookie path');
    expect(() => new Cookie('a', '').path('x')).toThrow("start it with '/'");
    expect(() => new Cookie('a', '').domain('x\r\ny')).toThrow('invalid cookie domain');
    expect(() => new Cookie('a', '').path('/\u00e4')).toThrow(
      "percent-encode non-ASCII characters, controls and ';'",
    );
    expect(() => new Cookie('a', '').maxAge(1.5)).toThrow('whole seconds');
    expect(() => new Cookie('a', '').maxAge('' as never)).toThrow("invalid cookie maxAge '': give");
    expect(() => new Cookie('a', '').sameSite(7n as never)).toThrow('invalid SameSite a bigint: use');
    expect(() => new Cookie('a', '').sameSite('lax; x' as never)).toThrow('invalid SameSite');
    expect(() => new Cookie('a', '').expires(new Date('x'))).toThrow('the date is invalid');
  });

  it.each([1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('refuses the lifetime %d', (seconds) => {
    expect(() => new Cookie('a', '').maxAge(seconds)).toThrow(`invalid cookie maxAge ${seconds}`);
  });

  it.each(['b\u00fccher.example', 'a b', 'a,b', 'a/b', '-\u00e4', 'a..b', '.', 'a.'.repeat(200), '[::1]'])(
    'refuses the domain %j',
    (domain) => expect(() => new Cookie('a', '').domain(domain)).toThrow('give a host name'),
  );

  it.each(['example.com', '.example.com', 'my_host', 'xn--bcher-kva.example', '127.0.0.1'])(
    'accepts the domain %s',
    (domain) => expect(String(new Cookie('a', '').domain(domain))).toBe(`a=; Domain=${domain}; Path=/`),
  );

  it('accepts every ASCII path and date that browsers read', () => {
    const cookie = new Cookie('a', '').path('/a b:"\\~').maxAge(-1).expires(new Date('9999-12-31T23:59:59Z'));
    expect(String(cookie)).toBe('a=; Max-Age=-1; Expires=Fri, 31 Dec 9999 23:59:59 GMT; Path=/a b:"\\~');
    expect(() => new Cookie('a', '').expires(new Date('+010000-01-01'))).toThrow('the year 10000');
    expect(() => new Cookie('a', '').expires(new Date('1600-12-31'))).toThrow('the year 1600');
  });

  it('refuses cookies that browsers would drop', () => {
    expect(() => String(new Cookie('a', '').sameSite('None'))).toThrow(
      new Error("cookie 'a' would be dropped by browsers: SameSite=None needs Secure; add .secure(true)"),
    );
    expect(() => String(new Cookie('a', '').partitioned(true))).toThrow('Partitioned needs Secure');
    expect(() => String(new Cookie('__Host-a', ''))).toThrow('its prefix needs Secure');
    expect(() => String(new Cookie('__Host-a', '').secure(true).path('/x'))).toThrow("the prefix '__Host-'");
    expect(() => String(new Cookie('__host-a', '').secure(true).domain('a.b'))).toThrow(
      "the prefix '__Host-' needs Path=/ and no Domain",
    );
    expect(() => String(new Cookie('__secure-a', ''))).toThrow('its prefix needs Secure');
    expect(() => String(new Cookie('__Http-a', '').httpOnly(true))).toThrow('its prefix needs Secure');
    for (const name of ['__Http-a', '__Host-Http-a', '__host-http-a']) {
      expect(() => String(new Cookie(name, '').secure(true))).toThrow('its prefix needs HttpOnly');
    }
    const hostHttp = new Cookie('__Host-Http-a', '').secure(true).httpOnly(true);
    expect(() => String(hostHttp.path('/x'))).toThrow("the prefix '__Host-' needs Path=/");
  });

  it('refuses cookies that are too large for browsers', () => {
    expect(String(new Cookie('a', 'x'.repeat(4_095)))).toContain('x; Path=/');
    expect(() => String(new Cookie('a', 'x'.repeat(4_096)))).toThrow(
      "cookie 'a' would be dropped by browsers: its name and value have 4097 bytes, more than 4096; keep the data on the server",
    );
    expect(String(new Cookie('a', '').path(`/${'x'.repeat(1_023)}`))).toContain('x');
    expect(() => new Cookie('a', '').path(`/${'x'.repeat(1_024)}`)).toThrow('of 1025 bytes');
  });

  it('removes a cookie with the attributes that its prefix needs', () => {
    expect(String(removal('__Host-Http-a', {}))).toBe('__Host-Http-a=; Max-Age=0; Path=/; HttpOnly; Secure');
    expect(String(removal('__Http-a', { path: '/x' }))).toBe(
      '__Http-a=; Max-Age=0; Path=/x; HttpOnly; Secure',
    );
  });

  it('accepts cookies that browsers keep', () => {
    expect(String(new Cookie('__Host-a', '1').secure(true))).toBe('__Host-a=1; Path=/; Secure');
    expect(String(new Cookie('x__Host-a', '1').path('/y'))).toBe('x__Host-a=1; Path=/y');
    expect(String(new Cookie('x__Secure-a', '1'))).toBe('x__Secure-a=1; Path=/');
    expect(String(new Cookie('a', '1').sameSite('Lax'))).toBe('a=1; Path=/; SameSite=Lax');
    expect(String(new Cookie('a', '1').domain('a.b').domain(''))).toBe('a=1; Path=/');
    const first = new Date('1601-01-01T00:00:00Z');
    expect(String(new Cookie('a', '1').expires(first))).toContain('Mon, 01 Jan 1601 00:00:00 GMT');
    const longest = `${'a.'.repeat(126)}aa`;
    expect(String(new Cookie('a', '1').domain(longest))).toContain(longest);
    expect(() => new Cookie('a', '1').domain(`${longest}a`)).toThrow('give a host name');
  });
});

describe('parseCookies', () => {
  it.each<[string | undefined, Record<string, string>]>([
    [undefined, {}],
    ['', {}],
    ['a', {}],
    ['=b', {}],
    ['a=1', { a: '1' }],
    ['a=1;b=2; \tc = 3 ', { a: '1', b: '2', c: '3' }],
    ['a=1; a=2', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a="q"', { a: '"q"' }],
    ['x; a=1', { a: '1' }],
  ])('%j', (field, expected) => expect({ ...parseCookies(field) }).toEqual(expected));
});

it.each<[string, () => unknown, string]>([
  ['secure', () => new Cookie('a', 'b').secure('false' as never), "secure is 'false'; give true or false"],
  ['httpOnly', () => new Cookie('a', 'b').httpOnly(0 as never), 'httpOnly is 0; give true or false'],
  ['partitioned', () => new Cookie('a', 'b').partitioned(null as never), 'partitioned is null'],
  ['path', () => new Cookie('a', 'b').path(5 as never), 'path is 5; give a text'],
  ['domain', () => new Cookie('a', 'b').domain(null as never), 'domain is null; give a text'],
  ['expires', () => new Cookie('a', 'b').expires('tomorrow' as never), 'give a Date'],
  [
    'a cookie of a literal',
    () => cookieText({ name: 'a', value: 'b' } as never),
    'takes a Cookie, or a name',
  ],
  ['a cookie that is a Date', () => cookieText(new Date() as never), 'takes a Cookie, or a name'],
  ['a removal by a path alone', () => removal('a', '/x' as never), 'removeCookie takes an object of options'],
  ['a removal with a misspelt path', () => removal('a', { pth: '/x' } as never), "did you mean 'path'?"],
])('refuses %s of another kind', (_, make, message) => {
  expect(make).toThrow(message);
});
