// Requests that are sent on to another server, and responses of fetch that a handler returns.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as nodeRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App, type Context, proxy, route } from '../index.js';
import { compression } from '../middleware/compression/index.js';

const text = 'hello '.repeat(500);
const CODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  identity: (bytes) => bytes,
  unknown: (bytes) => bytes,
};

type Serve = (req: IncomingMessage, res: ServerResponse) => unknown;
const running: { close: () => unknown }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { close } of running.splice(0)) await close();
});

/** Another server; gives its origin. */
async function upstream(serve: Serve): Promise<string> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(app: App): Promise<string> {
  const server = await app.listen(0);
  running.push(server);
  return server.url;
}

/** What the other server has got. */
const echo: Serve = async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  res.writeHead(201, { 'Content-Type': 'application/json', 'Set-Cookie': ['a=1', 'b=2'] });
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
};

const compressing: Serve = (req, res) => {
  const coding = req.url?.split('/').at(-1) ?? '';
  const bytes = CODERS[coding]?.(Buffer.from(text)) ?? Buffer.from(text);
  const length = req.headers['x-chunked'] === undefined ? { 'Content-Length': bytes.length } : {};
  res.writeHead(200, { 'Content-Encoding': coding, 'Content-Type': 'text/plain', ...length }).end(bytes);
};

/** Sends the request as it is, without decoding the response. */
async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const outgoing = nodeRequest(url, {
    method: options.method ?? 'GET',
    headers: options.headers ?? {},
    // A connection that is kept would have each drain wait for it.
    agent: false,
  });
  outgoing.end(options.body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

describe('a response of an upstream that compresses', () => {
  const ways: Record<string, (to: string) => App> = {
    'a handler that returns fetch': (to) => new App().get('/*path', (ctx) => fetch(to + ctx.req.path)),
    'a mounted handler that returns fetch': (to) =>
      new App().mount('/m', (request) => fetch(to + new URL(request.url).pathname)),
    proxy: (to) => new App().get('/*path', (ctx) => proxy(ctx.req, { to })),
    'a mounted proxy': (to) => new App().mount('/m', (request) => proxy(request, { to })),
  };

  it.each(
    Object.keys(ways).flatMap((way) => ['gzip', 'deflate', 'br', 'identity'].map((coding) => [way, coding])),
  )('arrives decoded by %s: %s', async (way = '', coding = '') => {
    const url = await serve((ways[way] as (to: string) => App)(await upstream(compressing)));
    const path = way.includes('mounted') ? `/m/${coding}` : `/${coding}`;
    const { status, headers, body } = await ask(url + path);
    expect([status, body]).toEqual([200, text]);
    if (coding !== 'identity') expect(headers['content-encoding']).toBeUndefined();
    if (headers['content-length'] !== undefined) expect(headers['content-length']).toBe(String(text.length));
    const head = await ask(url + path, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('keeps a coding that fetch does not decode', async () => {
    const to = await upstream(compressing);
    const url = await serve(new App().get('/*path', (ctx) => fetch(to + ctx.req.path)));
    expect((await ask(`${url}/unknown`)).headers).toMatchObject({
      'content-encoding': 'unknown',
      'content-length': String(text.length),
    });
  });

  it('is compressed again for the client', async () => {
    const to = await upstream(compressing);
    const app = new App().use(compression()).get('/*path', (ctx) => proxy(ctx.req, { to }));
    const response = await fetch(`${await serve(app)}/gzip`, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toBe(text);
  });

  it('keeps a coding that the application has made itself', async () => {
    const app = new App().get(
      '/',
      () => new Response(gzipSync(text), { headers: { 'Content-Encoding': 'gzip' } }),
    );
    const response = await fetch(await serve(app));
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(text);
  });

  it('loses the fields of its connection', async () => {
    const to = await upstream((_, res) => {
      res.writeHead(200, {
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        'X-End': '2',
        'Proxy-Authenticate': 'Basic',
      });
      res.end('x');
    });
    for (const app of [
      new App().get('/', () => fetch(to)),
      new App().get('/', (ctx) => proxy(ctx.req, { to })),
    ]) {
      const { headers } = await ask(await serve(app));
      expect(headers).toMatchObject({ 'x-end': '2' });
      expect(headers['x-hop']).toBeUndefined();
      expect(headers['proxy-authenticate']).toBeUndefined();
    }
  });
});

describe('proxy', () => {
  const all = (to: string, options: object = {}) =>
    new App().all('/*path', (ctx) => proxy(ctx.req, { to, ...options }));

  it('sends method, path, query, fields and body on, and gives status, fields and cookies back', async () => {
    const url = await serve(all(await upstream(echo)));
    const { status, headers, body } = await ask(`${url}/a%2Fb//c?x=%20&y`, {
      method: 'PATCH',
      headers: { 'X-Own': 'yes', Cookie: 'c=3', 'Content-Type': 'text/plain', 'Content-Length': '4' },
      body: 'four',
    });
    expect(status).toBe(201);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const got = JSON.parse(body);
    expect(got).toMatchObject({ method: 'PATCH', url: '/a%2Fb//c?x=%20&y', body: 'four' });
    expect(got.headers).toMatchObject({ 'x-own': 'yes', cookie: 'c=3', 'content-length': '4' });
  });

  it('asks a URL with a path instead, with the query of the request', async () => {
    const to = await upstream(echo);
    const app = new App()
      .get('/a', (ctx) => proxy(ctx.req, { to: `${to}/other` }))
      .get('/b', (ctx) => proxy(ctx.req, { to: new URL(`${to}/other?own=1`) }));
    const url = await serve(app);
    expect(JSON.parse((await ask(`${url}/a?q=1`)).body).url).toBe('/other?q=1');
    expect(JSON.parse((await ask(`${url}/b?q=1`)).body).url).toBe('/other?own=1');
    expect(JSON.parse((await ask(`${url}/a`)).body).url).toBe('/other');
    const root = await serve(new App().get('/*path', (ctx) => proxy(ctx.req, { to: `${to}?own=1` })));
    expect(JSON.parse((await ask(`${root}/p?q=1`)).body).url).toBe('/?own=1');
  });

  it.each([
    ['GET', undefined],
    ['HEAD', undefined],
    ['DELETE', undefined],
    ['POST', '0'],
  ])('sends no body on where %s has none', async (method, length) => {
    let got: IncomingMessage['headers'] = {};
    const to = await upstream((req, res) => {
      got = req.headers;
      res.end();
    });
    const headers: Record<string, string> = length === undefined ? {} : { 'Content-Length': length };
    expect((await ask(`${await serve(all(to))}/p`, { method, headers })).status).toBe(200);
    expect(got['transfer-encoding']).toBeUndefined();
    expect(got['content-length'] ?? '0').toBe('0');
  });

  it('leaves the body of GET and HEAD behind, and the field of its length', async () => {
    const lengths: unknown[] = [];
    const to = await upstream((req, res) => {
      lengths.push(req.method, req.headers['content-length']);
      return echo(req, res);
    });
    const url = await serve(all(to));
    const sent = { headers: { 'Content-Length': '4' }, body: 'four' };
    expect(JSON.parse((await ask(`${url}/p`, sent)).body).body).toBe('');
    expect(await ask(`${url}/p`, { method: 'HEAD', ...sent })).toMatchObject({ status: 201, body: '' });
    expect(lengths).toEqual(['GET', undefined, 'HEAD', undefined]);
  });

  it('ends the request to the other server when the application cancels the response', async () => {
    let left: (value: unknown) => void = () => {};
    const hasLeft = new Promise((resolve) => {
      left = resolve;
    });
    const to = await upstream((req, res) => {
      res.on('close', left);
      res.writeHead(200).write(req.method);
    });
    const response = await proxy(new Request('https://shop.example/'), { to });
    await response.body?.cancel();
    await hasLeft;
  });

  it('takes a web Request that the application has made', async () => {
    const to = await upstream(echo);
    const init = { method: 'PUT', body: 'four', headers: { 'X-Own': '1', 'X-Forwarded-For': '6.6.6.6' } };
    const response = await proxy(new Request('https://shop.example:8443/a?b=1', init), { to });
    const { method, url, body, headers } = (await response.json()) as Record<string, object>;
    expect([method, url, body]).toEqual(['PUT', '/a?b=1', 'four']);
    expect(headers).toMatchObject({
      'x-own': '1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example:8443',
    });
    expect(headers).not.toHaveProperty('x-forwarded-for');
    const plain = await proxy(new Request('https://shop.example/'), { to });
    expect(await plain.json()).toMatchObject({ method: 'GET', url: '/', body: '' });
  });

  it('of such a Request leads redirects to the other server to this one, too', async () => {
    const to = await upstream((_, res) => res.writeHead(302, { Location: `${to}/login` }).end());
    const response = await proxy(new Request('https://shop.example/a'), { to });
    expect(response.headers.get('location')).toBe('/login');
  });

  it.each(['text', 5, null, {}])('refuses %j instead of a request', async (given) => {
    await expect(proxy(given as never, { to: 'http://127.0.0.1:9' })).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^proxy: the request is .*; give ctx\.req or a web Request$/),
      }),
    );
  });

  it('sends the fields of the connection to nobody, and says who has asked', async () => {
    const to = await upstream(echo);
    const url = await serve(all(to, { headers: { Authorization: 'Bearer own', 'X-Secret': null } }));
    const { body } = await ask(`${url}/p`, {
      headers: {
        Host: 'shop.example',
        Connection: 'close, X-Hop, not a name',
        'X-Hop': '1',
        TE: 'trailers',
        'Proxy-Authorization': 'Basic x',
        'Accept-Encoding': 'zstd',
        'X-Forwarded-For': '6.6.6.6',
        'X-Forwarded-Host': 'evil',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Port': '1',
        'X-Real-IP': '6.6.6.6',
        Forwarded: 'for=6.6.6.6',
        'X-Secret': 's',
        Authorization: 'Bearer client',
      },
    });
    const { headers } = JSON.parse(body);
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'http',
      authorization: 'Bearer own',
      host: to.slice('http://'.length),
    });
    const own = [
      'x-hop',
      'te',
      'proxy-authorization',
      'x-forwarded-port',
      'x-real-ip',
      'forwarded',
      'x-secret',
    ];
    for (const name of own) {
      expect(headers[name], name).toBeUndefined();
    }
    expect(headers['accept-encoding']).not.toContain('zstd, zstd');
  });

  it('continues what a trusted proxy says', async () => {
    const url = await serve(all(await upstream(echo)).trustProxy(true));
    const { body } = await ask(`${url}/p`, {
      headers: {
        'X-Forwarded-For': '192.0.2.7',
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'shop.example',
      },
    });
    expect(JSON.parse(body).headers).toMatchObject({
      'x-forwarded-for': '192.0.2.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example',
    });
  });

  it('streams both bodies: each side gets a chunk before the other has sent its last', async () => {
    const to = await upstream(async (req, res) => {
      res.writeHead(200);
      for await (const chunk of req) res.write(`got ${chunk} `);
      res.end('end');
    });
    const url = await serve(all(to));
    const outgoing = nodeRequest(`${url}/p`, { method: 'POST' });
    outgoing.write('one');
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks = incoming.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toBe('got one ');
    outgoing.end('two');
    let rest = '';
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) rest += next.value;
    expect(rest).toBe('got two end');
  });

  it('shows the other server that the client has left', async () => {
    let hasLeft = false;
    const to = await upstream((_, res) => {
      res.on('close', () => {
        hasLeft = true;
      });
      res.writeHead(200).write('first');
    });
    const outgoing = nodeRequest(`${await serve(all(to))}/p`).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(incoming, 'data');
    outgoing.destroy();
    await vi.waitFor(() => expect(hasLeft).toBe(true), { timeout: 60_000 });
  });

  it.each([{}, { timeoutMs: 60_000 }])(
    'shows the other server that the client has left before it answers, and reports no failure: %j',
    async (options) => {
      const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
      let hasLeft = false;
      let hasAsked = false;
      const to = await upstream((_, res) => {
        hasAsked = true;
        res.on('close', () => {
          hasLeft = true;
        });
      });
      const outgoing = nodeRequest(`${await serve(all(to, options))}/p`)
        .on('error', () => {})
        .end();
      await vi.waitFor(() => expect(hasAsked).toBe(true), { timeout: 60_000 });
      outgoing.destroy();
      await vi.waitFor(() => expect(hasLeft).toBe(true), { timeout: 60_000 });
      expect(reported).not.toHaveBeenCalled();
    },
  );

  it('cuts the response if the other server breaks off', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const to = await upstream((_, res) => {
      res.writeHead(200, { 'Content-Length': '100' }).write('first');
      setTimeout(() => res.destroy(), 20);
    });
    const response = await fetch(`${await serve(all(to))}/p`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('answers 502 if the other server cannot be reached, and does not say which', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = await serve(all('http://127.0.0.1:9'));
    const { status, body } = await ask(`${url}/p`);
    expect([status, JSON.parse(body)]).toEqual([
      502,
      { error: 'BadGateway', message: 'the server behind this one cannot be reached' },
    ]);
    expect(inspect(reported.mock.calls)).toContain('cause');
    expect((await ask(`${await serve(all('https://127.0.0.1:9'))}/p`)).status).toBe(502);
  });

  it('answers 502 if the other server breaks off before its response', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = await serve(all(await upstream((req) => req.socket.destroy())));
    expect((await ask(`${url}/p`)).status).toBe(502);
  });

  it('answers 504 if the other server is too slow, and not once its response has begun', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const to = await upstream((req, res) => {
      if (req.url === '/never') return;
      res.writeHead(200).write('first ');
      setTimeout(() => res.end('last'), 300);
    });
    const url = await serve(all(to, { timeoutMs: 100 }));
    const { status, body } = await ask(`${url}/never`);
    expect([status, JSON.parse(body).error]).toEqual([504, 'GatewayTimeout']);
    expect((await ask(`${url}/slow`)).body).toBe('first last');
  });

  it('answers 408 if the route has not enough time', async () => {
    const to = await upstream(() => {});
    const app = new App().get(route('/', { requestTimeout: 50 }), (ctx: Context) => proxy(ctx.req, { to }));
    expect((await ask(await serve(app))).status).toBe(408);
  });

  it.each([true, false])('answers 413 if the body is too large, mounted: %s', async (isMounted) => {
    const to = await upstream(echo);
    const app = isMounted ? new App().mount('/m', (request) => proxy(request, { to })) : all(to);
    const url = await serve(app.maxBodySize(10));
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 10; i += 1) controller.enqueue(new TextEncoder().encode('xxxxx'));
        controller.close();
      },
    });
    const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    expect((await fetch(`${url}/m/x`, init)).status).toBe(413);
  });

  it('leads redirects to the other server to this one, with the prefix of a mount', async () => {
    let location = '';
    const to = await upstream((_, res) => res.writeHead(302, { Location: location }).end());
    const url = await serve(all(to).mount('/legacy', (request) => proxy(request, { to })));
    const asked = async (path: string, target: string) => {
      location = target;
      return (await ask(url + path)).headers.location;
    };
    expect(await asked('/x', `${to}/login?next=1#a`)).toBe('/login?next=1#a');
    expect(await asked('/legacy/x/y', `${to}/login`)).toBe('/legacy/login');
    expect(await asked('/legacy/x/y', '../login')).toBe('/legacy/login');
    expect(await asked('/x', 'https://other.example/')).toBe('https://other.example/');
    expect(await asked('/x', 'http://[')).toBe('http://[');
  });

  it('leaves redirects as they are where the other server has other paths', async () => {
    const to = await upstream((_, res) => res.writeHead(302, { Location: `${to}/login` }).end());
    const url = await serve(new App().get('/a', (ctx) => proxy(ctx.req, { to: `${to}/other` })));
    expect((await ask(`${url}/a`)).headers.location).toBe(`${to}/login`);
  });

  it.each([
    [599, 599],
    [600, 502],
    [999, 502],
  ])('answers the status %i of the other server with %i', async (status, answered) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const to = await upstream((req) => req.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`));
    expect((await ask(`${await serve(all(to))}/p`)).status).toBe(answered);
  });

  it('reads no more of a response whose status it refuses', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let hasLeft = false;
    const to = await upstream((req) => {
      req.socket.on('close', () => {
        hasLeft = true;
      });
      req.socket.write('HTTP/1.1 600 Odd\r\nContent-Length: 1000\r\n\r\nbegun');
    });
    expect((await ask(`${await serve(all(to))}/p`)).status).toBe(502);
    await expect.poll(() => hasLeft).toBe(true);
  });

  it('asks for parts as they are, not compressed', async () => {
    const url = await serve(all(await upstream(echo)));
    const { body } = await ask(`${url}/p`, { headers: { Range: 'bytes=0-1' } });
    expect(JSON.parse(body).headers).toMatchObject({ range: 'bytes=0-1', 'accept-encoding': 'identity' });
  });

  it.each(['ftp://x', 'x', '', undefined])('refuses %j as `to`', async (to) => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const client = new App().get('/', (ctx) => proxy(ctx.req, { to: to as string }));
    expect((await client.oneshot(new Request('http://x/'))).status).toBe(500);
    expect(String(reported.mock.calls)).toMatch(
      to === undefined
        ? /proxy: to is missing; give/
        : /proxy\(\) takes a URL such as 'http:\/\/10\.0\.0\.2:8080'/,
    );
  });

  it('gives a response whose fields can be changed', async () => {
    const to = await upstream(echo);
    const app = new App().get('/', async (ctx) => {
      const response = await proxy(ctx.req, { to });
      response.headers.delete('Set-Cookie');
      return response;
    });
    expect((await ask(await serve(app))).headers['set-cookie']).toBeUndefined();
  });
});

describe('proxy, beside what other servers and applications do wrong', () => {
  it('leads no redirect to a host that a client has named', async () => {
    const to = await upstream((req, res) =>
      res.writeHead(302, { Location: `http://${req.headers.host}//evil.example/a?b#c` }).end(),
    );
    const app = new App()
      .all('/*rest', (ctx) => proxy(ctx.req, { to }))
      .mount('/old', (request) => proxy(request, { to }));
    const url = await serve(app);
    const location = async (path: string) => {
      const response = await fetch(url + path, { redirect: 'manual' });
      return response.headers.get('location') ?? '';
    };
    expect(await location('//evil.example')).toBe('/.//evil.example/a?b#c');
    expect(new URL(await location('//evil.example'), url).href).toBe(`${url}//evil.example/a?b#c`);
    expect(await location('/old//evil.example')).toBe('/old//evil.example/a?b#c');
  });

  it('answers 502 if the other server breaks off before its body begins', async () => {
    const to = await upstream((_, res) => {
      res.writeHead(200, { 'Content-Length': 10 }).flushHeaders();
      setImmediate(() => res.destroy());
    });
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await fetch(await serve(new App().get('/', (ctx) => proxy(ctx.req, { to }))));
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('the server behind this one broke off its response');
    expect(error).toHaveBeenCalledOnce();
  });

  it.each([
    [{ to: 'http://user:secret@127.0.0.1/' }, 'without a user and a password'],
    [{ to: 'http://user@127.0.0.1/' }, 'without a user and a password'],
    [{ to: 'http://:secret@127.0.0.1/' }, 'without a user and a password'],
    [{ headers: 'X-A: 1' }, "headers is 'X-A: 1'; give an object of header fields"],
    [{ headers: { Host: 'other.example' } }, "headers['Host'] is 'other.example'; give null"],
    [{ headers: { 'Content-Length': '3' } }, "headers['Content-Length'] is '3'; give null"],
    [{ headers: { 'X-A': undefined } }, "headers['X-A'] is undefined; give a text, or null"],
    [{ headers: { 'X-A': 7 } }, "headers['X-A'] is 7; give a text, or null"],
  ])('refuses %j', async (options, message) => {
    const ctx = await new Promise<Context>((resolve) => {
      void new App().get('/', (given) => resolve(given)).fetch(new Request('http://localhost/'));
    });
    await expect(proxy(ctx.req, { to: 'http://127.0.0.1:1', ...options } as never)).rejects.toThrow(message);
  });
});
