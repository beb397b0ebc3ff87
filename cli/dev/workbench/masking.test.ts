// Which parts of a request are masked, and how a request that is sent again gets them back.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { maskBody, maskField, maskJson, maskTarget } from './masking.js';
import { Secrets } from './secrets.js';
import { unmaskBody, unmaskFields, unmaskTarget } from './send-order.js';
import { shownBody } from './shown-body.js';

const bodyOf = (text: string | Buffer, size = text.length) => ({
  size,
  data: Buffer.from(text).toString('base64'),
});

describe('masking', () => {
  it.each([
    ['Authorization', 'Bearer abc', '••••••'],
    ['X-API-Key', 'abc', '••••••'],
    ['x-csrf-token', 'abc', '••••••'],
    ['Cookie', 'sid=abc; theme=dark', 'sid=••••••; theme=••••••'],
    ['Set-Cookie', 'sid=abc; Path=/; HttpOnly', 'sid=••••••; Path=/; HttpOnly'],
    ['Cookie', 'abc', '••••••'],
    ['Cookie', 'a=1; abc; ', 'a=••••••; ••••••; '],
    ['Set-Cookie', 'abc; Path=/', '••••••; Path=/'],
    ...['Location', 'Content-Location', 'Referer', 'referer'].map((name) => [
      name,
      'https://x.test/next?access_token=abc&a=1#b',
      'https://x.test/next?access_token=••••••&a=1#b',
    ]),
    ...['Proxy-Authorization', 'X-Auth', 'auth'].map((name) => [name, 'abc', '••••••']),
    ['Accept', 'text/html', 'text/html'],
  ])('of the header field %s', (name, value, shown) => {
    expect(maskField(name, value)).toBe(shown);
  });

  it('of queries and forms', () => {
    expect(maskTarget('/a?q=1&api%5Fkey=x&Password=y#t')).toBe('/a?q=1&api%5Fkey=••••••&Password=••••••#t');
    expect(maskBody('user=a&password=b', 'application/x-www-form-urlencoded')).toBe('user=a&password=••••••');
    const part = (name: string, value: string) =>
      `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${part('user', 'a')}${part('password', 'b')}--xx--\r\n`;
    expect(maskBody(form, 'multipart/form-data; boundary=xx')).toBe(
      form.replace('\r\nb\r\n', '\r\n••••••\r\n'),
    );
  });

  it.each([
    ['{"a":1,"token":"x","b":[2]}', '{"a":1,"token":"••••••","b":[2]}'],
    ['{ "user": { "apiKey" : "x\\"y" } }', '{ "user": { "apiKey" : "••••••" } }'],
    [
      '{"tokens":{"a":"x","b":["y",1]},"n":12345678901234567890}',
      '{"tokens":{"a":"••••••","b":["••••••","••••••"]},"n":12345678901234567890}',
    ],
    ['[{"secret":true},{"secret":null}]', '[{"secret":"••••••"},{"secret":"••••••"}]'],
    ['{"password":"cut o', '{"password":"••••••"'],
    ['{"token":"a"}\n{"b":"token"}', '{"token":"••••••"}\n{"b":"token"}'],
    [`{"password"${' '.repeat(100)}:"x"}`, `{"password"${' '.repeat(100)}:"••••••"}`],
    ['{"p\\u0061ssword":"x"}', '{"p\\u0061ssword":"••••••"}'],
  ])('of JSON, which stays as it is otherwise: %s', (text, shown) => {
    expect(maskJson(text)).toBe(shown);
  });

  it('takes linear time on hostile text', () => {
    for (const text of ['"', '{"a":', '\\"', '"token":', '[', '" ', '"a"      ', '"a" \n\t', ' ']) {
      const began = performance.now();
      maskJson(text.repeat(65_536 / text.length));
      expect(performance.now() - began).toBeLessThan(1000);
    }
  });
});

describe('masking of forms in parts', () => {
  const type = 'multipart/form-data; boundary="x y"';
  const form = (head: string, value: string, before = ''): string =>
    `${before}--x y\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n--x y--\r\n`;

  it.each([
    ['name="password"', ''],
    ['name=password', ''],
    ['filename="a; name=b"; name=password', ''],
    ['NAME=password', ''],
    ['name="password"', 'a preamble\r\n'],
    ['name=password', '--another\r\n\r\n'],
  ])('with the head %j after %j', (head, before) => {
    expect(maskBody(form(head, 'hidden', before), type)).toBe(form(head, '••••••', before));
  });

  it('of the JSON in a part', () => {
    const json = (value: string) => `{"params":{"password":"${value}"}}`;
    expect(maskBody(form('name="json"', json('p')), type)).toBe(form('name="json"', json('••••••')));
  });

  it('takes linear time', () => {
    const began = performance.now();
    for (const text of ['--x y\r\n', '\r\n--x y\r\na; name="\\"', ';name="', ';a="\\"', '\r\n\r\n'])
      maskBody(text.repeat(65_536 / text.length), type);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('what mechanisms have said', () => {
  const long = 'k'.repeat(16);
  const secrets = new Secrets({
    places: [
      { in: 'header', name: 'X-Machine' },
      { in: 'header', name: 'sec-websocket-protocol', prefix: 'fw.bearer.' },
      { in: 'query', name: 'ticket' },
      { in: 'query', name: 'code', path: '/callback' },
      { in: 'field', name: '_csrf' },
    ],
    values: ['pw 1', long],
  });

  it('is masked where it is marked, and nowhere else', () => {
    expect(maskField('x-machine', 'a', secrets)).toBe('••••••');
    expect(maskField('Sec-WebSocket-Protocol', 'fw, fw.bearer.abc,b', secrets)).toBe(
      'fw, fw.bearer.••••••,b',
    );
    expect(maskTarget('/live?ticket=a&code=b', secrets)).toBe('/live?ticket=••••••&code=b');
    expect(maskTarget('https://a.test/callback?code=b', secrets)).toBe('https://a.test/callback?code=••••••');
    expect(maskBody('_csrf=a&b=pw+1&c=pw', 'application/x-www-form-urlencoded', secrets)).toBe(
      '_csrf=••••••&b=••••••&c=pw',
    );
    expect(maskJson(`{"_csrf":"a","b":["pw 1","pw"],"c":"x ${long}"}`, secrets)).toBe(
      '{"_csrf":"••••••","b":["••••••","pw"],"c":"••••••"}',
    );
    expect(maskBody(`<input value="${long}">pw 1`, 'text/html', secrets)).toBe('<input value="••••••">pw 1');
  });

  it('comes back when the request is sent again', () => {
    const json = [['content-type', 'application/json']] as const;
    const stored = bodyOf('{"a":"pw 1","n":1}');
    expect(unmaskBody('{"n":2,"a":"••••••"}', stored, json, secrets).toString()).toBe('{"n":2,"a":"pw 1"}');
    expect(unmaskTarget('/b?ticket=••••••', '/a?ticket=t', secrets)).toBe('/b?ticket=t');
    const fields = [['Sec-WebSocket-Protocol', 'fw.bearer.abc']] as const;
    expect(unmaskFields([['sec-websocket-protocol', 'fw.bearer.••••••']], fields, secrets)).toEqual([
      ['sec-websocket-protocol', 'fw.bearer.abc'],
    ]);
  });
});

describe('a shown body', () => {
  it('is decompressed, cut, and no text if it is none', () => {
    const fields = [['Content-Type', 'application/json']] as const;
    const zipped = gzipSync('{"password":"x"}');
    expect(shownBody(bodyOf(zipped), [...fields, ['Content-Encoding', 'gzip']])).toEqual({
      size: zipped.length,
      type: 'application/json',
      text: '{"password":"••••••"}',
    });
    expect(shownBody(bodyOf('abc', 10), [])).toEqual({ size: 10, type: '', text: 'abc', isCut: true });
    // A character that was cut apart is left out.
    expect(shownBody(bodyOf(Buffer.from('aü').subarray(0, 2), 9), []).text).toBe('a');
    expect(shownBody(bodyOf(Buffer.from([0, 1, 2, 255])), [])).toEqual({ size: 4, type: '' });
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    expect(shownBody(bodyOf(bomb), [['Content-Encoding', 'gzip']]).text).toBeUndefined();
  });
});

describe('unmasking', () => {
  it('puts back what was stored, and refuses other masked values', () => {
    const stored = [['authorization', 'Bearer abc']] as const;
    expect(
      unmaskFields(
        [
          ['Authorization', '••••••'],
          ['A', '1'],
        ],
        stored,
      ),
    ).toEqual([
      ['Authorization', 'Bearer abc'],
      ['A', '1'],
    ]);
    expect(() => unmaskFields([['X-Token', '••••••']], stored)).toThrow('X-Token has a masked value');
    expect(unmaskTarget('/b?token=••••••&a=2', '/a?a=1&token=x')).toBe('/b?token=x&a=2');
    expect(unmaskTarget(`/b?token=${encodeURIComponent('••••••')}`, '/a?token=x')).toBe('/b?token=x');
    expect(() => unmaskTarget('/b?key=••••••', '/a?token=x')).toThrow('masked');
  });

  it('of a body keeps what was edited', () => {
    const json = [['content-type', 'application/json']] as const;
    const stored = bodyOf('{"a":1,"password":"x"}');
    const send = (given?: string, of = stored) => unmaskBody(given, of, json).toString();
    expect(send()).toBe('{"a":1,"password":"x"}');
    expect(send('')).toBe('');
    expect(send('{"password":"••••••","a":2}')).toBe('{"password":"x","a":2}');
    expect(send('{"password":"new"}')).toBe('{"password":"new"}');
    expect(() => send('{"token":"••••••","password":"••••••"}')).toThrow('masked');
    expect(() => send(undefined, bodyOf('{"a', 100_000))).toThrow('too long to be kept');
  });
});
