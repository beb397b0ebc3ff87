// Host names for which a dev server must and must not answer.
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createHostRule, hostName, hostsOf, refusal } from './host-rule.js';

const loopback = { address: '127.0.0.1', family: 'IPv4', port: 3000 };

describe('createHostRule', () => {
  const isAllowed = createHostRule(loopback, ['shop.test', '.corp.test']);

  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    'localhost.',
    'app.localhost:3000',
    '127.0.0.1:3000',
    '127.9.9.9',
    '[::1]:3000',
    '[::ffff:127.0.0.1]:3000',
    'shop.test:3000',
    'corp.test',
    'a.b.corp.test',
  ])('accepts %s', (host) => expect(isAllowed(host)).toBe(true));

  it.each([
    'evil.test',
    'localhost.evil.test',
    'evillocalhost',
    'shop.test.evil.test',
    'xshop.test',
    'xcorp.test',
    '127.0.0.1.evil.test',
    '127.0.0.1@evil.test',
    'evil.test#localhost',
    'localhost:3000:80',
    '192.168.1.5',
    '[::ffff:192.168.1.5]',
    '0.0.0.0',
    '[::1',
    '[localhost]',
    '',
    'local host',
    'localhost\u0000',
  ])('refuses %j', (host) => expect(isAllowed(host)).toBe(false));

  it('accepts any address on a wildcard, and names only if they are listed', () => {
    const open = createHostRule({ ...loopback, address: '0.0.0.0' }, []);
    expect(open('192.168.1.5:3000')).toBe(true);
    expect(open('evil.test')).toBe(false);
  });

  it('accepts everything if it is configured to', () => {
    expect(createHostRule(loopback, ['*'])('evil.test')).toBe(true);
  });
});

describe('hostsOf', () => {
  it('reads every Host field and an absolute target', () => {
    const request = { rawHeaders: ['Host', 'localhost', 'hOST', 'evil.test'], url: 'http://other.test:80/x' };
    expect(hostsOf(request as unknown as IncomingMessage)).toEqual([
      'localhost',
      'evil.test',
      'other.test:80',
    ]);
  });
});

describe('refusal', () => {
  it('explains how to allow the name, and contains no control characters', () => {
    expect(refusal('evil.test:80')).toContain('fw dev --allowed-host evil.test\n');
    const text = refusal('a\r\nb\u001b[31m');
    expect([...text].filter((char) => char < ' ' && char !== '\n')).toEqual([]);
    expect(hostName('a\r\nb')).toBeUndefined();
  });
});
