// Clients that misbehave, over raw sockets: each gets one response, and the server continues.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { RunningServer } from '../runtime/node/listen.js';
import { exchange, statuses } from './raw-client.js';

let server: RunningServer;
let seen: string[] = [];

beforeAll(async () => {
  const app = new App()
    .use((ctx, next) => {
      seen.push(`${ctx.req.method} ${ctx.req.path}`);
      return next();
    })
    .get('/', (ctx) => ctx.text('home'))
    .get('/nothing', (ctx) => ctx.status(204).text('HTTP/1.1 200 OK'))
    .get('/uri', (ctx) => ctx.text(ctx.req.uri.href))
    .get('/u/:id', (ctx) => ctx.text(ctx.req.param('id')))
    .post('/count', async (ctx) => {
      let length = 0;
      for await (const chunk of ctx.req.stream) length += chunk.length;
      return length;
    })
    .post('/echo', async (ctx) => ctx.text(await ctx.req.text()));
  server = await app.listen(0);
});

afterAll(() => server.close());

const ask = (text: string | readonly string[]) => {
  seen = [];
  return exchange(server.port, text);
};

const get = (target: string, fields = 'Host: x\r\n') =>
  `GET ${target} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`;

describe('targets', () => {
  it.each([
    ['/u/../etc', '/u/../etc'],
    ['/u/%2e%2e/etc', '/u/%2e%2e/etc'],
    ['/u/..;/x/..', '/u/..;/x/..'],
    ['/u/a#b', '/u/a#b'],
    ['/u/%', '/u/%'],
  ])('%s is answered with 400 after the middleware', async (target, path) => {
    const answer = await ask(get(target));
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('"error":"BadRequest"');
    expect(answer).toContain('X-Powered-By: fw');
    expect(seen).toEqual([`GET ${path}`]);
  });

  it('a backslash is not a separator', async () => {
    expect(await ask(get('/u/..\\x'))).toMatch(/\r\n\r\n\.\.\\x$/);
  });

  it('the absolute form is routed by its path, and its authority replaces the Host header field', async () => {
    expect(await ask(get('http://other.example/u/7?x=1'))).toMatch(/\r\n\r\n7$/);
    expect(await ask(get('http://other.example/uri'))).toMatch(/\r\n\r\nhttp:\/\/other\.example\/uri$/);
    expect(await ask(get('http://other.example'))).toMatch(/\r\n\r\nhome$/);
    expect(statuses(await ask(get('http://other.example/u/../x')))).toEqual([400]);
  });

  it.each([
    ['//evil.example/a', 'x', 'http://x//evil.example/a'],
    ['//', 'x', 'http://x//'],
    ['/uri', 'x:65535', 'http://x:65535/uri'],
    ['/uri', '[::ffff:1.2.3.4]:8080', 'http://[::ffff:102:304]:8080/uri'],
    ['*', 'x', 'http://x/'],
    ['ftp://x/y', 'y', 'http://y/'],
  ])('the URI of %s at host %s', async (target, host, href) => {
    const app = new App().use((ctx) => ctx.text(ctx.req.uri.href));
    const other = await app.listen(0);
    expect(await exchange(other.port, get(target, `Host: ${host}\r\n`))).toMatch(`\r\n\r\n${href}`);
    await other.close();
  });

  it.each(['http://u@other.example/', 'http://[/'])('the authority of %s is malformed', async (target) => {
    const answer = await ask(get(target));
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('the Host header is malformed');
  });

  it('OPTIONS * lists all methods', async () => {
    const answer = await ask('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(statuses(answer)).toEqual([204]);
    expect(answer).toContain('Allow: GET, HEAD, OPTIONS, POST\r\n');
  });

  it.each([
    ['without a Host', '', 'the Host header is missing'],
    ['with a malformed Host', 'Host: a b\r\n', 'the Host header is malformed'],
    [
      'in another coding',
      'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n',
      "in the transfer coding 'chunked' alone",
    ],
  ])('OPTIONS * %s is refused like every request', async (_, fields, message) => {
    const answer = await ask(`OPTIONS * HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain(message);
  });

  it.each(['x', 'ftp://x/y', '*'])('GET %s is answered with 400', async (target) => {
    expect(statuses(await ask(get(target)))).toEqual([400]);
  });
});

describe('hosts', () => {
  it.each([
    ['none', ''],
    ['two', 'Host: a\r\nHost: b\r\n'],
    ['a path', 'Host: a/b\r\n'],
    ['credentials', 'Host: user@a\r\n'],
    ['a bad port', 'Host: a:port\r\n'],
    ['an open bracket', 'Host: [::1\r\n'],
    ['an IPv4 address in brackets', 'Host: [1.2.3.4]\r\n'],
    ['a name in brackets', 'Host: [abc]\r\n'],
    ['a port of six digits', 'Host: a:655360\r\n'],
    ['a port over 65535', 'Host: a:65536\r\n'],
    ['an IPv4 address out of range', 'Host: 1.2.3.999\r\n'],
    ['malformed percent-encoding', 'Host: a%zz\r\n'],
  ])('%s is answered with 400', async (_name, fields) => {
    const answer = await ask(get('/', fields));
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toMatch(/the Host header is (missing|malformed)/);
    expect(seen).toHaveLength(1);
  });

  it.each(['Host: a.b:80\r\n', 'Host: [::1]:3000\r\n', 'Host: a\r\n', 'Host:\r\n'])(
    '%j is accepted',
    async (fields) => {
      expect(statuses(await ask(get('/', fields)))).toEqual([200]);
    },
  );

  it('HTTP/1.0 does not need one, and the connection is closed', async () => {
    const answer = await ask('GET / HTTP/1.0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('Connection: close');
  });
});

describe('framing', () => {
  it.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n'],
    ['a field name with a space', 'Bad Name: x\r\n'],
    ['a folded field', 'X-A: b\r\n c\r\n'],
  ])('%s is refused before it reaches the App', async (_name, fields) => {
    const answer = await ask(`POST /echo HTTP/1.1\r\nHost: x\r\n${fields}\r\nhello`);
    expect(statuses(answer)).toEqual([400]);
    expect(seen).toEqual([]);
  });

  it('pipelined requests are answered in order, one after the other', async () => {
    const answer = await ask(
      `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\none${'GET /u/two HTTP/1.1\r\nHost: x\r\n\r\n'}${get('/u/three')}`,
    );
    expect(statuses(answer)).toEqual([200, 200, 200]);
    expect(answer.indexOf('one')).toBeLessThan(answer.indexOf('two'));
    expect(answer.indexOf('two')).toBeLessThan(answer.indexOf('three'));
  });

  it.each(['/nothing', '/nothing?again'])('%s sends no body', async (target) => {
    const answer = await ask(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n${get('/u/next')}`);
    expect(statuses(answer)).toEqual([204, 200]);
    expect(answer).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('a head in several pieces and a chunked body', async () => {
    const answer = await ask([
      'POST /echo HT',
      'TP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n',
      '\r\n3\r\nabc\r\n',
      '2\r\nde\r\n0\r\n\r\n',
    ]);
    expect(answer).toMatch(/\r\n\r\nabcde$/);
  });

  it('a malformed request is answered with 400, and the server continues', async () => {
    expect(statuses(await ask('\x16\x03\x01\x02\x00 rubbish\r\n\r\n'))).toEqual([400]);
    expect(statuses(await ask(get('/')))).toEqual([200]);
  });

  it('an unknown transfer coding is refused, and its body is not read as a request', async () => {
    const answer = await ask(
      `POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n${get('/u/smuggled')}`,
    );
    expect(statuses(answer)).toEqual([400]);
    expect(seen).not.toContain('GET /u/smuggled');
  });

  it('an upload that is cut off does not affect the next request', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await new Promise<void>((resolve) =>
      socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => resolve()),
    );
    socket.destroy();
    expect(statuses(await ask(get('/')))).toEqual([200]);
  });

  it.each(['/echo', '/count'])(
    'a malformed body to %s is not reported as an error of the server',
    async (path) => {
      const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
      await ask(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n`);
      expect(statuses(await ask(get('/')))).toEqual([200]);
      expect(reported).not.toHaveBeenCalled();
      reported.mockRestore();
    },
  );

  it('HEAD has no body, and the connection can be used again', async () => {
    const answer = await ask(`HEAD / HTTP/1.1\r\nHost: x\r\n\r\n${get('/u/next')}`);
    expect(statuses(answer)).toEqual([200, 200]);
    expect(answer).toMatch(/Content-Length: 4\r\n(?:[\w-]+: .*\r\n)*\r\nHTTP\/1\.1 200/);
  });
});

describe('header fields', () => {
  it('an unknown expectation is ignored', async () => {
    expect(statuses(await ask(get('/', 'Host: x\r\nExpect: wonders\r\n')))).toEqual([200]);
    expect(seen).toEqual(['GET /']);
  });

  it('names of Object.prototype are ordinary names', async () => {
    expect(statuses(await ask(get('/', 'Host: x\r\n__proto__: y\r\nconstructor: z\r\n')))).toEqual([200]);
  });
});

describe('body limits', () => {
  let limited: RunningServer;
  let reached = 0;

  beforeAll(async () => {
    const app = new App()
      .maxBodySize(10)
      .post('/text', async (ctx) => {
        reached++;
        return ctx.text(await ctx.req.text());
      })
      .post('/ignored', () => 'not read');
    limited = await app.listen(0);
  });

  afterAll(() => limited.close());

  const post = (path: string, fields: string, body: string) =>
    exchange(limited.port, `POST ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n${body}`);

  it('a declared length over the limit is refused before the handler, and the connection is closed', async () => {
    reached = 0;
    const answer = await post('/text', 'Content-Length: 1000000000\r\n', 'x');
    expect(statuses(answer)).toEqual([413]);
    expect(answer).toContain('Connection: close');
    expect(reached).toBe(0);
  });

  it('chunks over the limit are refused while they are read', async () => {
    const answer = await post(
      '/text',
      'Transfer-Encoding: chunked\r\n',
      '8\r\n01234567\r\n8\r\n01234567\r\n',
    );
    expect(statuses(answer)).toEqual([413]);
    expect(answer).toContain('Connection: close');
  });

  it('chunks within the limit keep the connection', async () => {
    const answer = await post('/text', 'Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n');
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('Connection: keep-alive');
  });

  it('an endless body that is not read closes the connection', async () => {
    const answer = await post(
      '/ignored',
      'Transfer-Encoding: chunked\r\n',
      `ffff\r\n${'x'.repeat(0xffff)}\r\n`,
    );
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('Connection: close');
  });
});
