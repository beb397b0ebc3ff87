import { describe, expect, it } from 'vitest';
import { FORMATS } from './formats.js';

const label = 'a'.repeat(63);

const samples: Record<string, { good: readonly string[]; bad: readonly string[] }> = {
  date: {
    good: ['2026-01-31', '2024-02-29', '2000-02-29', '0001-12-01', '0099-01-01', '9999-12-31'],
    bad: [
      '',
      'today',
      '2026-1-31',
      '2026-01-1',
      '2026-00-10',
      '2026-13-01',
      '2026-12-32',
      '2026-01-00',
      '2026-01-99',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '12026-01-31',
      '2026-01-31Z',
      '20260131',
    ],
  },
  'date-time': {
    good: [
      '2026-01-31T10:00:00Z',
      '2026-01-31t10:00:00z',
      '2026-01-31 10:00:00Z',
      '2026-01-31T23:59:60Z',
      '2026-01-31T10:00:00.123456+02:00',
      '2026-01-31T10:00:00-0230',
    ],
    bad: [
      '2026-01-31',
      '2026-01-31T',
      '2026-01-31x10:00:00Z',
      '2026-01-31-10:00:00Z',
      '2026-01-31T10:00:00',
      '2026-02-30T10:00:00Z',
      '2026-01-31T10:00:00Z ',
      '2026-01-31TT10:00:00Z',
    ],
  },
  time: {
    good: ['00:00:00Z', '23:59:59.9z', '19:00:60+23:59', '20:30:00-01:00'],
    bad: [
      '10:00Z',
      '24:00:00Z',
      '10:60:00Z',
      '10:00:61Z',
      '10:00:00.Z',
      '10:00:00+24:00',
      '10:00:00+02:60',
      'at 10:00:00Z',
      '10:00:00Z.',
    ],
  },
  email: {
    good: [
      'a@example.com',
      'first.last+tag@sub.example.co',
      "o'neill@x-y.de",
      `${'a'.repeat(308)}@example.com`,
      `a@${label}.com`,
    ],
    bad: [
      '',
      'a@',
      '@example.com',
      'a@example',
      'a b@example.com',
      'a..b@example.com',
      '.a@example.com',
      'a.@example.com',
      'a@-example.com',
      'a@example-.com',
      'a@example..com',
      'a@b@example.com',
      `${'a'.repeat(309)}@example.com`,
      `a@a${label}.com`,
    ],
  },
  uuid: {
    good: ['9b2e6e5c-7f0d-4c0e-8a5d-0f6a3b1c2d4e', '9B2E6E5C-7F0D-4C0E-8A5D-0F6A3B1C2D4E'],
    bad: [
      '9b2e6e5c',
      '9b2e6e5c7f0d4c0e8a5d0f6a3b1c2d4e',
      '9b2e6e5g-7f0d-4c0e-8a5d-0f6a3b1c2d4e',
      '{9b2e6e5c-7f0d-4c0e-8a5d-0f6a3b1c2d4e}',
      '9b2e6e5c-7f0d-4c0e-8a5d-0f6a3b1c2d4e0',
    ],
  },
  uri: {
    good: ['https://example.com/a?b=%20#c', 'mailto:a@b.de', 'urn:isbn:0451450523', 'http://[::1]:8080/'],
    bad: [
      '',
      'example.com',
      '/path',
      'http://a b',
      'http://a/ä',
      'http://a/%zz',
      'http://[',
      '1http://a',
      'http:',
    ],
  },
  ipv4: {
    good: ['0.0.0.0', '127.0.0.1', '255.255.255.255', '10.200.249.99'],
    bad: ['', '1.2.3', '1.2.3.4.', '1.2.3.4.5', '256.1.1.1', '1.2.3.300', 'a.b.c.d', '1..2.3'],
  },
};

describe('FORMATS', () => {
  it.each(Object.entries(samples))('accepts and refuses strings of the format %s', (name, { good, bad }) => {
    const format = FORMATS[name];
    if (format === undefined) throw new Error(`there is no format ${name}`);
    expect(good.filter((text) => !format(text))).toEqual([]);
    expect(bad.filter(format)).toEqual([]);
  });
});
