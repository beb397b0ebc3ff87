// The handshake of WebSockets: what refuses it, what it answers, and clients that leave in the middle of it.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { Jwt } from '../auth/jwt/index.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { Query } from '../extract/query.js';
import { Cookie } from '../http/cookie.js';
import { FwError } from '../http/errors.js';
import { requestId } from '../middleware/request-id.js';
import { MemoryStore, session } from '../session/index.js';
import { type WebSocketOptions, websocket } from './index.js';

const HANDSHAKE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** Sends a request with these fields; an upgrade is closed at once. */
function ask(
  url: string,
  headers: Record<string, string | string[]> = HANDSHAKE,
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, text }),
      );
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers, text: '' });
    });
    sent.on('error', reject).end();
  });
}

const quiet = (config: WebSocketOptions = {}) => websocket({}, config);

describe('a request to the path of a WebSocket', () => {
  it('has the answer of RFC 6455, section 1.3, with the fields of the application', async () => {
    const app = new App().use(requestId()).websocket(
      '/',
      websocket({
        data: (ctx) => void ctx.setCookie(new Cookie('a', 'b')).header('X-Own', '1'),
      }),
    );
    const { url } = await serve(app);
    const answer = await ask(url);
    expect(answer.status).toBe(101);
    expect(answer.headers).toMatchObject({
      'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
      upgrade: 'websocket',
      connection: 'Upgrade',
      'set-cookie': ['a=b; Path=/'],
      'x-own': '1',
      'x-powered-by': 'fw',
      'x-request-id': expect.any(String),
    });
    expect(answer.headers).not.toHaveProperty('content-length');
  });

  it('without an upgrade is answered 426, unless there is a route for it', async () => {
    const app = new App()
      .websocket('/a', quiet())
      .websocket('/b', quiet())
      .get('/b', () => 'page');
    const { url } = await serve(app);
    expect(await ask(`${url}/a`, {})).toMatchObject({
      status: 426,
      headers: { upgrade: 'websocket', connection: 'Upgrade, close' },
      text: '{"error":"UpgradeRequired","message":"this path is a WebSocket; connect with a WebSocket client"}',
    });
    expect(await ask(`${url}/b`, {})).toMatchObject({ status: 200, text: 'page' });
    expect(await ask(`${url}/b`)).toMatchObject({ status: 101 });
    expect(await ask(`${url}/a`, {}, 'POST')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
    expect(
      (await new App().websocket('/a', quiet()).fetch(new Request('http://x/a', { headers: HANDSHAKE })))
        .status,
    ).toBe(426);
  });

  it.each([
    ['another version', { ...HANDSHAKE, 'Sec-WebSocket-Version': '8' }, 426, 'version 13'],
    ['no version', { ...HANDSHAKE, 'Sec-WebSocket-Version': '' }, 426, 'version 13'],
    ['no key', { ...HANDSHAKE, 'Sec-WebSocket-Key': '' }, 400, 'Sec-WebSocket-Key'],
    [
      'two keys',
      { ...HANDSHAKE, 'Sec-WebSocket-Key': Array(2).fill(HANDSHAKE['Sec-WebSocket-Key']) },
      400,
      'Sec-WebSocket-Key',
    ],
    ['a malformed key', { ...HANDSHAKE, 'Sec-WebSocket-Key': 'x' }, 400, 'Sec-WebSocket-Key'],
  ])('with %s is refused', async (_, headers, status, message) => {
    const { url } = await serve(new App().websocket('/', quiet()));
    const answer = await ask(url, headers);
    expect(answer).toMatchObject({ status, text: expect.stringContaining(message) });
    if (status === 426) expect(answer.headers).toMatchObject({ 'sec-websocket-version': '13' });
  });

  it.each([
    ['h2c', { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': '' }, 'POST'],
    ['websocket', HANDSHAKE, 'POST'],
  ])(
    'that asks for %s, and is not a WebSocket, is an ordinary request with its body',
    async (_, headers, method) => {
      const app = new App()
        .websocket('/a', quiet())
        .post('/', async (ctx) => ctx.req.text())
        .get('/', () => 'page');
      const { url } = await serve(app);
      const body = await new Promise<string>((resolve, reject) => {
        const sent = request(url, { method, headers: { ...headers, 'Content-Length': '4' } }, (response) => {
          response.setEncoding('utf8').on('data', resolve);
        });
        sent.on('error', reject).end('body');
      });
      expect(body).toBe('body');
      expect(await ask(url)).toMatchObject({ status: 200, text: 'page', headers: { connection: 'close' } });
      expect(await ask(`${url}/none`)).toMatchObject({ status: 404 });
    },
  );

  it('is refused by middleware, guards, extractors and data as a plain answer', async () => {
    const app = new App()
      .onError((error, ctx) => ctx.json({ own: (error as Error).message }))
      .requireAuth({ except: ['/query', 'WEBSOCKET /data', '/async'] })
      .websocket('/guarded', quiet())
      .websocket('/query', Query(z.object({ n: z.coerce.number() })), quiet())
      .websocket(
        '/data',
        websocket({
          data: () => {
            throw FwError.forbidden('not today');
          },
        }),
      )
      .websocket(
        '/async',
        websocket({
          data: async () => {
            throw new Error('secret');
          },
        }),
      );
    const { url } = await serve(app);
    expect(await ask(`${url}/guarded`)).toMatchObject({
      status: 401,
      text: '{"own":"authentication is required"}',
    });
    expect(await ask(`${url}/query?n=x`)).toMatchObject({ status: 400 });
    expect(await ask(`${url}/query?n=1`)).toMatchObject({ status: 101 });
    expect(await ask(`${url}/data`)).toMatchObject({ status: 403, text: '{"own":"not today"}' });
    expect(await ask(`${url}/async`)).toMatchObject({ status: 500, headers: { connection: 'close' } });
    expect(app.accessList().routes.map(({ method, path, who }) => `${method} ${path} ${who}`)).toContain(
      'WEBSOCKET /guarded authenticated',
    );
  });
});

describe('origins', () => {
  it.each([
    ['a listed one', ['https://a.test', 'https://b.test:8443'], 'https://b.test:8443', 101],
    ['a foreign one', ['https://a.test'], 'https://evil.test', 403],
    ['null', ['https://a.test'], 'null', 403],
    ['none', ['https://a.test'], undefined, 403],
    ['a look-alike', ['https://a.test'], 'https://a.test.evil.test', 403],
    ['a suffix', ['https://a.test'], 'https://xa.test', 403],
    ['another scheme', ['https://a.test'], 'http://a.test', 403],
    ['another port', ['https://a.test'], 'https://a.test:8443', 403],
    ['another spelling', ['https://a.test'], 'https://A.test/', 403],
    ['two', ['https://a.test'], ['https://a.test', 'https://evil.test'], 403],
    ['any with an empty list', [], 'https://evil.test', 101],
  ])('%s', async (_, allowedOrigins, origin, status) => {
    const { url } = await serve(new App().websocket('/', quiet({ allowedOrigins })));
    expect(await ask(url, { ...HANDSHAKE, ...(origin && { Origin: origin }) })).toMatchObject({ status });
  });

  it('of another site may not use a session, unless they are listed', async () => {
    const app = new App()
      .use(session(new MemoryStore(), { secure: false }))
      .post('/in', (ctx) => ctx.session().signIn('ada'))
      .websocket('/default', quiet())
      .websocket('/open', quiet({ allowedOrigins: [] }));
    const { url } = await serve(app);
    const signedIn = await fetch(`${url}/in`, { method: 'POST' });
    const Cookie = String(signedIn.headers.getSetCookie()[0]).split(';')[0] as string;
    const asked = (path: string, headers: object) => ask(url + path, { ...HANDSHAKE, ...headers });
    expect(await asked('/default', { Cookie, Origin: 'https://evil.test' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('name it in allowedOrigins'),
    });
    const { port } = new URL(url);
    for (const Origin of [
      'null',
      url.replace(port, String(Number(port) - 1)),
      url.replace(`:${port}`, ''),
      `${url}/`,
      `${url}.evil.test`,
      'http://evil.test',
    ]) {
      expect(await asked('/default', { Cookie, Origin })).toMatchObject({ status: 403 });
    }
    expect(await asked('/default', { Cookie, Origin: url })).toMatchObject({ status: 101 });
    expect(await asked('/default', { Cookie })).toMatchObject({ status: 101 });
    expect(await asked('/default', { Origin: 'https://evil.test' })).toMatchObject({ status: 101 });
    expect(await asked('/open', { Cookie, Origin: 'https://evil.test' })).toMatchObject({ status: 101 });
  });

  it.each([
    [
      { allowedOrigins: ['https://a.test/'] },
      "websocket: allowedOrigins[0] is 'https://a.test/'; give 'https://a.test'",
    ],
    [{ allowedOrigins: ['*'] }, "allowedOrigins[0] is '*'; give each origin without '*', such as"],
    [{ protocols: ['a b'] }, "protocols[0] is 'a b'; give a sub-protocol"],
    [{ protocols: ['fw.x'] }, "protocols[0] is 'fw.x'"],
    [{ maxMessageSize: 0 }, 'maxMessageSize is 0; give a whole number from 1 to 2147483647'],
    [{ slowClients: 'wait' }, "slowClients is 'wait'; give 'close' or 'drop'"],
    [{ pingIntervalMs: -1 }, 'pingIntervalMs is -1'],
    [{ pingInterval: 1 }, "no option 'pingInterval'; did you mean 'pingIntervalMs'?"],
    [{ compression: { minSize: 0.5 } }, 'compression of websocket: minSize is 0.5'],
  ])('and other options that are wrong are refused: %j', (config, message) => {
    expect(() => quiet(config as WebSocketOptions)).toThrow(message);
  });

  it('are refused among the handlers, as are handlers among the options', () => {
    expect(() => websocket({ onMessage() {}, allowedOrigins: ['https://a.test'] } as object)).toThrow(
      "websocket: 'allowedOrigins' is an option and not a handler; give it in the second argument: websocket({ … }, { allowedOrigins: … })",
    );
    expect(() => websocket({}, { onMessage() {} } as object)).toThrow(
      "websocket: 'onMessage' is not an option; give it in the first argument: websocket({ onMessage: … }, { … })",
    );
  });
});

describe('sub-protocols', () => {
  it.each([
    [['b', 'a'], 'a'],
    [['x', 'b'], 'b'],
    [['x'], ''],
    [['fw.bearer.eA', 'fw'], 'fw'],
    [['fw', 'a'], 'a'],
    [['fw.events', 'b'], 'b'],
  ])('%j selects %j', async (offered, selected) => {
    const { url } = await serve(new App().websocket('/', quiet({ protocols: ['a', 'b'] })));
    const answer = await ask(url, { ...HANDSHAKE, 'Sec-WebSocket-Protocol': offered.join(', ') });
    expect(answer.headers['sec-websocket-protocol'] ?? '').toBe(selected);
  });

  it('carry a token, which is not selected, for every method of authentication', async () => {
    const jwt = Jwt.hs256('x'.repeat(32));
    const token = jwt.sign({ sub: 'ada', exp: Date.now() / 1000 + 60 });
    const app = new App()
      .use(jwt.optional().build())
      .requireAuth()
      .websocket(
        '/',
        websocket(
          {
            data: (ctx) => ctx.requireAuth().id,
            onOpen: (socket) => void socket.send(`${socket.data} ${socket.protocol}`),
          },
          { protocols: ['chat'] },
        ),
      );
    const { url, connect } = await serve(app);
    const as = (text: string) => `fw.bearer.${Buffer.from(text).toString('base64url')}`;
    const client = await connect('/', ['chat', as(token)]);
    await vi.waitFor(() => expect(client.received).toEqual(['ada chat']));
    for (const wrong of [as('wrong'), as('a b'), as('a\r\nX-Y: 1'), 'fw.bearer.', 'fw.bearer.!']) {
      expect(await ask(url, { ...HANDSHAKE, 'Sec-WebSocket-Protocol': `chat, ${wrong}` })).toMatchObject({
        status: 401,
      });
    }
  });
});

describe('a client that leaves', () => {
  it.each(['FIN', 'RST'])(
    'while data is made, by %s, aborts the signal, and nothing is opened',
    async (how) => {
      let reached: () => void = () => {};
      const arrived = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const opened = vi.fn();
      let signal: AbortSignal | undefined;
      const app = new App().websocket(
        '/',
        websocket({
          data: async (ctx) => {
            signal = ctx.signal;
            reached();
            await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
          },
          onOpen: opened,
          onClose: opened,
        }),
      );
      const { url } = await serve(app);
      const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
      const closed = once(socket.resume(), 'close');
      const fields = Object.entries({ Host: 'x', ...HANDSHAKE }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(`GET / HTTP/1.1\r\n${fields.join('')}\r\n`);
      await arrived;
      if (how === 'FIN') socket.end();
      else socket.resetAndDestroy();
      await vi.waitFor(() => expect(signal?.aborted).toBe(true));
      await closed;
      expect(opened).not.toHaveBeenCalled();
    },
  );
});

describe('a drain', () => {
  it('closes WebSockets with 1001, and those whose handshake ends during it', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting = vi.fn(() => held);
    const app = new App().websocket('/', quiet()).websocket('/late', websocket({ data: waiting }));
    const server = await app.listen(0);
    const url = server.url.replace('http', 'ws');
    const client = new WebSocket(url);
    const late = new WebSocket(`${url}/late`);
    const codes = [client, late].map((ws) =>
      once(ws, 'close').then(([code, reason]) => [code, String(reason)]),
    );
    await once(client, 'open');
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled());
    const closed = server.close();
    expect(await codes[0]).toEqual([1001, 'the server is shutting down']);
    release();
    expect(await codes[1]).toEqual([1001, 'the server is shutting down']);
    await closed;
  });

  it('cuts clients that do not answer the close frame after the grace period', async () => {
    const app = new App().shutdownGracePeriod(50).websocket('/', quiet());
    const server = await app.listen(0);
    const client = new WebSocket(server.url.replace('http', 'ws'));
    await once(client, 'open');
    client.pause();
    await server.close();
    client.terminate();
  });
});

describe('toNodeHandler', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const listening = async (app: App) => {
    const handler = toNodeHandler(app);
    const server = createServer(handler).on('upgrade', handler.upgrade).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return { handler, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  it('serves WebSockets on a server of Node, and closes them', async () => {
    const app = new App()
      .websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }))
      .get('/', () => 'page');
    const { handler, url } = await listening(app);
    const client = new WebSocket(`${url.replace('http', 'ws')}/echo`);
    const closed = once(client, 'close');
    await once(client, 'open');
    client.send('hi');
    expect(String((await once(client, 'message'))[0])).toBe('hi');
    expect(await ask(`${url}/none`)).toMatchObject({ status: 404 });
    expect(await ask(url)).toMatchObject({ status: 200, text: 'page' });
    handler.closeWebSockets();
    expect((await closed)[0]).toBe(1001);
  });

  it('leaves other paths to the other listeners of the server', async () => {
    const { server, url } = await listening(new App().websocket('/echo', quiet()));
    server.on('upgrade', (incoming, socket) => {
      if (incoming.url === '/hmr') socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    expect(await ask(`${url}/hmr`)).toMatchObject({ status: 204 });
    expect(await ask(`${url}/echo`)).toMatchObject({ status: 101 });
  });
});

it('refuses what is not a WebSocket at registration', () => {
  const app = new App();
  expect(() => app.websocket('/', (() => {}) as never)).toThrow(
    "the last argument of websocket('/') is a function; give what websocket() of fw/websocket makes",
  );
  app.websocket('/', quiet());
  expect(() => app.websocket('/', quiet())).toThrow('route conflict: WEBSOCKET /');
  expect(() => websocket({ on: { a() {} } } as never)).toThrow("handlers in 'on' need events in 'receives'");
  expect(() => websocket({ receives: { a: z.string() }, on: {} } as never)).toThrow(
    "the event 'a' has no handler on.a",
  );
  expect(() => websocket({ receives: { a: z.string() }, on: { a() {}, b() {} } } as never)).toThrow(
    "on.b is not declared in 'receives'",
  );
  expect(() => websocket({ receives: { a: 1 }, on: { a() {} } } as never)).toThrow(
    'websocket(): receives.a takes a Standard Schema',
  );
});
