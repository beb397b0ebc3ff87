// Handshakes that are sent behind other requests on the same connection, and upgrades that are ignored.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { maskedFrame, TEXT } from '../conformance/autobahn/raw-peer.js';
import { websocket } from './index.js';

/** The lines of a request; a body goes behind it. */
const requestText = (target: string, fields: readonly string[] = [], start = 'GET', version = '1.1') =>
  `${[`${start} ${target} HTTP/${version}`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`;

const HANDSHAKE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const H2C = ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: '];

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection and all that has come on it. */
function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const peer = { socket, text: '', isEnded: false };
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (chunk) => {
    peer.text += chunk;
  });
  socket.on('close', () => {
    peer.isEnded = true;
  });
  return peer;
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** An App whose route `/slow` answers when it is released. */
function slowApp() {
  const releases: (() => void)[] = [];
  const app = new App()
    .get('/slow', async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return 'slow';
    })
    .get('/up', () => 'up')
    .get('/both', () => 'page')
    .websocket('/both', websocket({}))
    .websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }));
  return { app, releases };
}

async function listening(app: App): Promise<number> {
  const server = await app.listen(0);
  onTestFinished(() => server.close());
  return server.port;
}

describe('a handshake that is pipelined behind a response', () => {
  it.each([
    ['of a WebSocket', '/echo', 426],
    ['of a WebSocket and a page', '/both', 200],
    ['of a page', '/up', 200],
    ['of nothing', '/none', 404],
  ])('is an ordinary request, in its turn: %s', async (_, path, status) => {
    const { app, releases } = slowApp();
    const port = await listening(app.shutdownGracePeriod(50));
    const peer = open(port);
    peer.socket.write(requestText('/slow') + requestText('/slow') + requestText(path, HANDSHAKE));
    await vi.waitFor(() => expect(releases).toHaveLength(2));
    expect(peer.text).toBe('');
    for (const release of releases) release();
    await vi.waitFor(() => expect(statuses(peer.text)).toEqual([200, 200, status]));
  });

  it('of which all was answered at once does not end the process, whatever it lacks', async () => {
    const { app } = slowApp();
    const peer = open(await listening(app.shutdownGracePeriod(50)));
    peer.socket.write(
      requestText('/up') + requestText('/echo', ['Upgrade: websocket', 'Connection: Upgrade']),
    );
    await vi.waitFor(() => expect(statuses(peer.text)).toEqual([200, 426]));
  });

  it('is not answered if a drain closes the connection before', async () => {
    const { app, releases } = slowApp();
    const server = await app.listen(0);
    const peer = open(server.port);
    peer.socket.write(requestText('/slow') + requestText('/echo', HANDSHAKE));
    await vi.waitFor(() => expect(releases).toHaveLength(1));
    const closed = server.close();
    releases[0]?.();
    await closed;
    expect(statuses(peer.text)).toEqual([200]);
  });

  it('that is sent upgrades a connection that was kept', async () => {
    const { app } = slowApp();
    const peer = open(await listening(app));
    peer.socket.write(requestText('/up'));
    await vi.waitFor(() => expect(statuses(peer.text)).toEqual([200]));
    peer.socket.write(requestText('/echo', HANDSHAKE));
    await vi.waitFor(() => expect(statuses(peer.text)).toEqual([200, 101]));
    peer.socket.write(maskedFrame({ opcode: TEXT, payload: 'hi' }));
    await vi.waitFor(() => expect(peer.text.endsWith('\x81\x02hi')).toBe(true));
  });
});

describe('under a server of Node', () => {
  const listeningNode = async (app: App): Promise<number> => {
    const handler = toNodeHandler(app);
    const server = createServer(handler).on('upgrade', handler.upgrade).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close().closeAllConnections());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  it('a handshake waits for the responses before it, with what was sent behind it', async () => {
    const { app, releases } = slowApp();
    const peer = open(await listeningNode(app));
    peer.socket.write(requestText('/slow') + requestText('/slow') + requestText('/echo', HANDSHAKE));
    await vi.waitFor(() => expect(releases).toHaveLength(2));
    peer.socket.write(maskedFrame({ opcode: TEXT, payload: 'early' }));
    releases[1]?.();
    releases[0]?.();
    await vi.waitFor(() => expect(peer.text.endsWith('\x81\x05early')).toBe(true));
    expect(statuses(peer.text)).toEqual([200, 200, 101]);
  });

  it('a handshake waits for a stream that waits for the client', async () => {
    const { app } = slowApp();
    app.get('/large', (ctx) =>
      ctx.stream(
        (async function* () {
          for (let part = 0; part < 100; part++) yield 'x'.repeat(100_000);
        })(),
      ),
    );
    const peer = open(await listeningNode(app));
    peer.socket.pause();
    peer.socket.write(requestText('/large') + requestText('/echo', HANDSHAKE));
    await once(peer.socket, 'readable');
    peer.socket.resume();
    await vi.waitFor(() => expect(statuses(peer.text)).toEqual([200, 101]), { timeout: 60_000 });
    expect(peer.text.length).toBeGreaterThan(10_000_000);
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'a client that leaves by %s while a handshake waits ends the response before it',
    async (leave) => {
      const { app } = slowApp();
      const seen = { hasStarted: false, hasLeft: false };
      app.get('/wait', async (ctx) => {
        seen.hasStarted = true;
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
        seen.hasLeft = true;
      });
      const peer = open(await listeningNode(app));
      peer.socket.write(requestText('/wait') + requestText('/echo', HANDSHAKE));
      await vi.waitFor(() => expect(seen.hasStarted).toBe(true));
      await new Promise((resolve) =>
        peer.socket.write(maskedFrame({ opcode: TEXT, payload: 'early' }), resolve),
      );
      peer.socket[leave]();
      await vi.waitFor(() => expect(seen.hasLeft).toBe(true), { timeout: 60_000 });
    },
  );

  it('a client that sends much while a handshake waits is not waited for', async () => {
    const { app, releases } = slowApp();
    const peer = open(await listeningNode(app));
    peer.socket.write(requestText('/slow') + requestText('/echo', HANDSHAKE));
    await vi.waitFor(() => expect(releases).toHaveLength(1));
    peer.socket.write(Buffer.alloc(200_000));
    await vi.waitFor(() => expect(peer.isEnded).toBe(true), { timeout: 60_000 });
    expect(peer.text).toBe('');
  });

  it('a handshake is not answered behind a response that closes the connection', async () => {
    const { app } = slowApp();
    const peer = open(await listeningNode(app));
    peer.socket.write(requestText('/up', ['Connection: close']) + requestText('/echo', HANDSHAKE));
    await vi.waitFor(() => expect(peer.isEnded).toBe(true));
    expect(statuses(peer.text)).toEqual([200]);
  });

  it.each([
    ['in HTTP/1.0', requestText('/echo', HANDSHAKE, 'GET', '1.0')],
    ['for another protocol', requestText('/echo', [...H2C, ...HANDSHAKE.slice(2)])],
  ])('an upgrade %s is ignored', async (_, text) => {
    const peer = open(await listeningNode(slowApp().app));
    peer.socket.write(text);
    await vi.waitFor(() => expect(peer.isEnded).toBe(true));
    expect(statuses(peer.text)).toEqual([426]);
  });
});

it('a handshake in HTTP/1.0 is an ordinary request', async () => {
  const { app } = slowApp();
  const peer = open(await listening(app));
  peer.socket.write(requestText('/both', HANDSHAKE, 'GET', '1.0'));
  await vi.waitFor(() => expect(peer.isEnded).toBe(true));
  expect(statuses(peer.text)).toEqual([200]);
});

describe.each([
  ['with a WebSocket', () => slowApp().app],
  ['without one', () => new App().get('/up', () => 'up').post('/up', () => 'up')],
])('an upgrade to another protocol, in an App %s,', (_, makeApp) => {
  const post = requestText('/up', [...H2C, 'Content-Length: 4'], 'POST');

  it.each([
    ['alone', requestText('/up', H2C)],
    ['in two packets', [requestText('/up', H2C).slice(0, 30), requestText('/up', H2C).slice(30)]],
    ['with a body', `${post}body`],
    ['whose body comes later', [post, 'body']],
  ])('leaves the connection open: %s', async (_case, texts) => {
    const peer = open(await listening(makeApp()));
    peer.socket.setNoDelay(true);
    for (const text of [texts].flat()) await new Promise((resolve) => peer.socket.write(text, resolve));
    await vi.waitFor(() => expect(statuses(peer.text)).toHaveLength(1));
    peer.socket.write(requestText('/up'));
    await vi.waitFor(() => expect(statuses(peer.text)).toHaveLength(2));
    expect(peer.text).not.toContain('Connection: close');
  });

  it.each([
    ['a request', requestText('/up', H2C) + requestText('/up')],
    ['a request behind a body', `${post}body${requestText('/up')}`],
    ['a part of one', `${requestText('/up', H2C)}GET /u`],
  ])('closes the connection if the parser drops what is pipelined behind it: %s', async (_case, text) => {
    const peer = open(await listening(makeApp()));
    peer.socket.write(text);
    await vi.waitFor(() => expect(peer.isEnded).toBe(true));
    expect(statuses(peer.text)).toHaveLength(1);
    expect(peer.text).toContain('Connection: close');
  });
});
