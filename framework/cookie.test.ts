import { describe, expect, it } from 'vitest';
import { Cookie, SameSite } from './cookie.js';

describe('Cookie', () => {
  it('has Path=/ by default and every attribute on request', () => {
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

  it('refuses attributes that inject', () => {
    expect(() => new Cookie('a', '').path('/; HttpOnly')).toThrow('invalid cookie path');
    expect(() => new Cookie('a', '').path('x')).toThrow("start it with '/'");
    expect(() => new Cookie('a', '').domain('x\r\ny')).toThrow('invalid cookie domain');
    expect(() => new Cookie('a', '').maxAge(1.5)).toThrow('whole seconds');
    expect(() => new Cookie('a', '').sameSite('lax; x' as never)).toThrow('invalid SameSite');
    expect(() => new Cookie('a', '').expires(new Date('x'))).toThrow('the date is invalid');
  });

  it('refuses what browsers would drop', () => {
    expect(() => String(new Cookie('a', '').sameSite('None'))).toThrow('SameSite=None needs Secure');
    expect(() => String(new Cookie('a', '').partitioned(true))).toThrow('Partitioned needs Secure');
    expect(() => String(new Cookie('__Host-a', ''))).toThrow('its prefix needs Secure');
    expect(() => String(new Cookie('__Host-a', '').secure(true).path('/x'))).toThrow("the prefix '__Host-'");
  });
});
