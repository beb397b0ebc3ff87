import { describe, expect, it } from 'vitest';
import type { RequestSource } from '../http/request-source.js';
import { App } from '../index.js';
import { formatIp, readAddress, subscriberNetwork } from './address.js';
import { Networks } from './networks.js';
import { peerAddress } from './peer-address.js';
import { hopsOf, type TrustProxyOptions, trustedProxies } from './trusted-proxies.js';

const read = (text: string) => {
  const address = readAddress(text);
  return address && formatIp(address);
};

describe('addresses', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['::1', '::1'],
  ])('%s is read', (text, form) => expect(read(text)).toBe(form));

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '0300.0.2.7',
    '192.0.2.07',
    '0xc0000207',
    '3221225991',
    '192.0.2.7 ',
    '[::1]',
    '::ffff:192.0.02.7',
    'fe80::1%eth0',
    '1::2::3',
    '192.0.2.7:80',
    '1.2.3.4.5',
  ])('%j is not an address', (text) => expect(read(text)).toBeUndefined());

  it('of an IPv6 subscriber are grouped by network', () => {
    expect(subscriberNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(subscriberNetwork('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64');
    expect(subscriberNetwork('192.0.2.7')).toBe('192.0.2.7');
    expect(subscriberNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(subscriberNetwork('64:ff9b::192.0.2.7')).toBe('192.0.2.7');
    expect(subscriberNetwork('64:ff9b::c0ff:feff')).toBe('192.255.254.255');
    expect(subscriberNetwork('64:ff9b::1:c000:207')).toBe('64:ff9b:0:0::/64');
    expect(subscriberNetwork('64:ff9b:1::192.0.2.7')).toBe('64:ff9b:1:0::/64');
    expect(subscriberNetwork('a name')).toBe('a name');
    expect(subscriberNetwork('a: name')).toBe('a: name');
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::FFFF:192.100.200.77', '192.100.200.77'],
    ['1::ffff:192.0.2.7', '1::ffff:192.0.2.7'],
    ['::ffff:192.0.2.7.1', '::ffff:192.0.2.7.1'],
    ['/tmp/app%1.sock', '/tmp/app%1.sock'],
  ])('are read from the peer %s', (address, form) => expect(peerAddress({ address, port: 1 })).toBe(form));
});

describe('networks', () => {
  const has = (entries: string[], address: string) =>
    new Networks(entries, 'list').has(readAddress(address) as never);

  it.each([
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
    [['::ffff:10.0.0.0/104'], '11.1.2.3', false],
    [['192.0.2.7'], '::ffff:192.0.2.7', true],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:DB8::1'], '2001:db8:0::1', true],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.9', false],
    [['192.0.2.7/32'], '192.0.2.7', true],
    [[], '192.0.2.7', false],
  ])('%j, %s: %s', (entries, address, expected) => expect(has(entries, address)).toBe(expected));

  it.each([
    ['10.0.0.0/33', "'10.0.0.0/33' is not an address or network"],
    ['10.0.0.0/', 'is not an address or network'],
    ['10.0.0.0/08', 'is not an address or network'],
    ['10.0.0.0/-1', 'is not an address or network'],
    ['10.0.0.0/255.0.0.0', 'is not an address or network'],
    ['10.0.0/8', 'is not an address or network'],
    ['2001:db8::/129', 'is not an address or network'],
    ['::ffff:10.0.0.0/8', 'is not an address or network'],
    ['fe80::1%eth0', 'is not an address or network'],
    ['example.com', "write, for example, '10.0.0.0/8'"],
    ['', "'' is not an address or network"],
    [
      '10.1.2.3/8',
      "'10.1.2.3/8' has bits outside of its network; write 10.0.0.0/8, or 10.1.2.3 for the single",
    ],
    ['2001:db8::1/32', 'write 2001:db8::/32'],
  ])('refuses %j', (entry, message) => expect(() => new Networks([entry], 'list')).toThrow(message));

  it('refuses what is not a list', () => {
    expect(() => new Networks('10.0.0.0/8' as never, 'IpFilter.allow')).toThrow(
      'IpFilter.allow: the list is',
    );
  });
});

describe('hops', () => {
  it.each<[Parameters<typeof hopsOf>[0], string, (string | undefined)[]]>([
    ['x-forwarded-for', '192.0.2.1, 192.0.2.2', ['192.0.2.2', '192.0.2.1']],
    ['x-forwarded-for', '192.0.2.1:4711,[2001:db8::1]:80', ['2001:db8::1', '192.0.2.1']],
    ['x-forwarded-for', 'a", 192.0.2.2, b", 192.0.2.3', ['192.0.2.3', 'b"', '192.0.2.2', 'a"']],
    ['x-forwarded-for', ' , ', [undefined, undefined]],
    ['forwarded', 'for=192.0.2.1;proto=https, FOR="[2001:db8::1]:4711"', ['2001:db8::1', '192.0.2.1']],
    ['forwarded', 'by=203.0.113.1; for=192.0.2.1:80', ['192.0.2.1']],
    ['forwarded', 'for=unknown, for=_hidden', ['_hidden', 'unknown']],
    ['forwarded', 'host="a,for=6.6.6.6", for=192.0.2.1', ['192.0.2.1', undefined]],
    ['forwarded', 'for="a\\"b,c", for=192.0.2.1', ['192.0.2.1', 'a"b,c']],
    ['forwarded', 'for="a,b\\"c", for=192.0.2.1', ['192.0.2.1', 'a,b"c']],
    ['forwarded', 'for="a,b\\\\", for=192.0.2.1', ['192.0.2.1', 'a,b\\']],
    ['forwarded', 'for="a,b\\\\\\"c", for=192.0.2.1', ['192.0.2.1', 'a,b\\"c']],
    ['forwarded', 'xfor=6.6.6.6', [undefined]],
    ['x-forwarded-for', 'x[2001:db8::1]', ['x[2001:db8::1]']],
    ['x-forwarded-for', '[2001:db8::1]x', ['[2001:db8::1]x']],
    ['x-forwarded-for', 'x192.0.2.1:80', ['x192.0.2.1:80']],
  ])('%s: %s', (header, value, expected) => expect([...hopsOf(header, value)]).toEqual(expected));

  it('are read in linear time', () => {
    const hostile = '"\\'.repeat(50_000);
    expect([...hopsOf('forwarded', hostile)]).toHaveLength(1);
    expect([...hopsOf('x-forwarded-for', ','.repeat(100_000))]).toHaveLength(100_001);
  });
});

describe('the client', () => {
  const client = (
    trusted: true | string[],
    peer: string | undefined,
    headers: Record<string, string>,
    options?: TrustProxyOptions,
  ) =>
    trustedProxies(trusted, options).clientIp({
      peer: peer === undefined ? undefined : { address: peer, port: 1 },
      header: (name: string) => headers[name],
      isRepeated: (name: string) => name === 'x-repeated',
    } as unknown as RequestSource);
  const xff = (value: string) => ({ 'x-forwarded-for': value });

  it.each<[string, true | string[], string | undefined, Record<string, string>, string | undefined]>([
    ['is the peer without a field', true, '10.0.0.1', {}, '10.0.0.1'],
    [
      'is what the proxy appended, not what the client sent',
      true,
      '10.0.0.1',
      xff('6.6.6.6, 192.0.2.1'),
      '192.0.2.1',
    ],
    [
      'is private if the proxy reports a private address',
      true,
      '10.0.0.1',
      xff('6.6.6.6, 10.9.9.9'),
      '10.9.9.9',
    ],
    ['behind a proxy on a local socket', true, undefined, xff('192.0.2.1'), '192.0.2.1'],
    [
      'is unknown if the proxy reports no valid address',
      true,
      '10.0.0.1',
      xff('192.0.2.1, unknown'),
      undefined,
    ],
    ['from Forwarded', true, '10.0.0.1', { forwarded: 'for=6.6.6.6, for="[2001:DB8::1]"' }, '2001:db8::1'],
    [
      'from X-Forwarded-For first',
      true,
      '10.0.0.1',
      { ...xff('192.0.2.1'), forwarded: 'for=6.6.6.6' },
      '192.0.2.1',
    ],
    ['mapped', true, '10.0.0.1', xff('::ffff:192.0.2.1'), '192.0.2.1'],
    ['is the peer if it is not trusted', ['10.0.0.0/8'], '192.0.2.9', xff('6.6.6.6'), '192.0.2.9'],
    [
      'is the nearest untrusted hop',
      ['10.0.0.0/8'],
      '10.0.0.1',
      xff('6.6.6.6, 192.0.2.1, 10.0.0.2'),
      '192.0.2.1',
    ],
    [
      'is the farthest hop if all are trusted',
      ['10.0.0.0/8'],
      '10.0.0.1',
      xff('10.0.0.9, 10.0.0.2'),
      '10.0.0.9',
    ],
    ['behind a mapped peer', ['10.0.0.0/8'], '::ffff:10.0.0.1', xff('192.0.2.1'), '192.0.2.1'],
    ['behind an unreadable hop', ['10.0.0.0/8'], '10.0.0.1', xff('192.0.2.1, junk, 10.0.0.2'), undefined],
    [
      'is unknown if the peer is, and only networks are trusted',
      ['10.0.0.0/8'],
      undefined,
      xff('6.6.6.6'),
      undefined,
    ],
  ])('%s', (_name, trusted, peer, headers, expected) =>
    expect(client(trusted, peer, headers)).toBe(expected),
  );

  it('is read only from the configured field', () => {
    const headers = { ...xff('6.6.6.6'), forwarded: 'for=192.0.2.1' };
    expect(client(true, '10.0.0.1', headers, { header: 'forwarded' })).toBe('192.0.2.1');
    expect(client(true, '10.0.0.1', xff('6.6.6.6'), { header: 'forwarded' })).toBe('10.0.0.1');
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['is the address of the field', { 'cf-connecting-ip': '192.0.2.1' }, '192.0.2.1'],
    ['is normalized', { 'cf-connecting-ip': ' 2001:DB8::1 ' }, '2001:db8::1'],
    ['is without a port', { 'cf-connecting-ip': '192.0.2.1:4711' }, '192.0.2.1'],
    ['is unknown without the field', xff('6.6.6.6'), undefined],
    ['is unknown if the field has several', { 'cf-connecting-ip': '6.6.6.6, 192.0.2.1' }, undefined],
    ['is unknown if the field has none', { 'cf-connecting-ip': 'unknown' }, undefined],
  ])('in a field of its own %s', (_name, headers, expected) => {
    const options = { header: 'CF-Connecting-IP' };
    expect(client(true, undefined, headers, options)).toBe(expected);
    expect(client(['10.0.0.0/8'], '10.0.0.1', headers, options)).toBe(expected);
    expect(client(['10.0.0.0/8'], '192.0.2.9', headers, options)).toBe('192.0.2.9');
  });

  it('is not read from a field of its own that is sent twice', () => {
    const headers = { 'x-repeated': '192.0.2.1' };
    expect(client(true, undefined, headers, { header: 'x-repeated' })).toBeUndefined();
  });

  it.each([
    [{ header: 'x forwarded for' }, "header is 'x forwarded for'"],
    [{ header: 'x-forwared-for' }, "header is 'x-forwared-for'; give 'x-forwarded-for'"],
    [{ header: 'X-Forwared-For' }, "header is 'X-Forwared-For'; give 'x-forwarded-for'"],
    [{ header: 'forwardd' }, "give 'forwarded'"],
    [{ header: '' }, "header is ''"],
    [{ headers: 'x-real-ip' }, 'headers'],
    [{}, 'header'],
  ])('is not read from a field that is named wrongly: %j', (options, message) => {
    expect(() => new App().trustProxy(options as never)).toThrow(message);
  });

  it('is read from the field that the platform sets', async () => {
    const app = new App()
      .trustProxy({ header: 'CF-Connecting-IP' })
      .get('/', (ctx) => [ctx.clientIp(), ctx.req.uri.href]);
    const headers = {
      'CF-Connecting-IP': '192.0.2.1',
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Host': 'evil.example',
    };
    const response = await app.fetch(new Request('https://shop.example/', { headers }));
    expect(await response.json()).toEqual(['192.0.2.1', 'https://shop.example/']);
  });
});

describe('the origin', () => {
  const origin = (
    headers: Record<string, string>,
    trusted: true | string[] = ['10.0.0.0/8'],
    options: TrustProxyOptions = {},
    peer = '10.0.0.1',
  ) =>
    trustedProxies(trusted, options).origin({
      origin: 'http://own.example:3000',
      peer: { address: peer, port: 1 },
      header: (name: string) => headers[name],
    } as RequestSource);
  const x = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`x-forwarded-${name}`, value]));

  it.each<[string, Record<string, string>, string]>([
    ['is that of the request without fields', {}, 'http://own.example:3000'],
    ['has the scheme', x({ proto: 'https' }), 'https://own.example:3000'],
    ['has the scheme of a WebSocket', x({ proto: 'WSS' }), 'https://own.example:3000'],
    ['has the host', x({ proto: 'https', host: 'shop.example' }), 'https://shop.example'],
    ['has the port of the host', x({ host: 'shop.example:81', port: '82' }), 'http://shop.example:81'],
    ['has the port', x({ proto: 'https', host: '[::1]', port: '8443' }), 'https://[::1]:8443'],
    ['ignores what is not a scheme', x({ proto: 'javascript' }), 'http://own.example:3000'],
    ['ignores what is in a prototype', x({ proto: 'constructor' }), 'http://own.example:3000'],
    ['ignores what is not a host', x({ host: 'a/b' }), 'http://own.example:3000'],
    ['ignores an empty host', x({ host: '' }), 'http://own.example:3000'],
    ['has the lowest port', x({ host: 'a', port: '1' }), 'http://a:1'],
    ['has the highest port', x({ host: 'a', port: '65535' }), 'http://a:65535'],
    ...['0', '65536', '000080', '8o', 'o8', '-1', '1e3', ''].map(
      (port): [string, Record<string, string>, string] => [
        `ignores ${JSON.stringify(port)}, which is not a port`,
        x({ host: 'a', port }),
        'http://a',
      ],
    ),
    [
      'takes no quotes for those of a list',
      x({ for: '192.0.2.1, 10.0.0.7', host: '"evil, shop.example", inner' }),
      'http://own.example:3000',
    ],
    [
      'takes a comma in quotes of Forwarded for text',
      { forwarded: 'for=192.0.2.1;host="shop.example,evil.example";proto=https' },
      'https://own.example:3000',
    ],
    [
      'takes what the nearest proxy appended',
      x({ host: 'evil.example, shop.example' }),
      'http://shop.example',
    ],
    [
      'takes what the proxy that saw the client appended',
      x({
        for: '6.6.6.6, 192.0.2.1, 10.0.0.7',
        proto: 'http, https, http',
        host: 'evil, shop.example, inner',
      }),
      'https://shop.example',
    ],
    [
      'takes what a proxy replaced',
      x({ for: '192.0.2.1, 10.0.0.7', proto: 'https' }),
      'https://own.example:3000',
    ],
    [
      'is read from Forwarded',
      { forwarded: 'for=6.6.6.6;host=evil, for=192.0.2.1;proto=https;host="shop.example:81"' },
      'https://shop.example:81',
    ],
    [
      'is not read from a Forwarded of the client',
      { ...x({ for: '192.0.2.1' }), forwarded: 'host=evil;proto=https' },
      'http://own.example:3000',
    ],
  ])('%s', (_name, headers, expected) => expect(origin(headers)).toBe(expected));

  it('is that of the request if no trusted proxy sent it, or the field is not the one', () => {
    const fields = x({ proto: 'https', host: 'evil' });
    expect(origin(fields, ['10.0.0.0/8'], {}, '192.0.2.1')).toBe('http://own.example:3000');
    expect(origin(fields, true, { header: 'forwarded' })).toBe('http://own.example:3000');
    expect(origin({ forwarded: 'host=evil' }, true, { header: 'x-forwarded-for' })).toBe(
      'http://own.example:3000',
    );
  });
});
