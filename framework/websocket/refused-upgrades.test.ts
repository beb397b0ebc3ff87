// Refused upgrades: what the client has sent behind one does not keep the connection open when the client has left.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import type { Context } from '../context/context.js';
import { websocket } from './index.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server, and the connections that it has. */
function serve(app: App): Promise<{ port: number; open: Set<Socket> }> {
  const handler = toNodeHandler(app);
  return listening(createServer(handler).on('upgrade', handler.upgrade));
}

async function listening(server: Server): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open };
}

const handshake = (path: string, version: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: ${version}\r\n\r\n`;

describe.each<[string, string, string, RegExp]>([
  ['is refused', '/ws', '12', /^HTTP\/1.1 426 /],
  ['has no such path', '/missing', '13', /^HTTP\/1.1 404 /],
  ['gets a stream', '/stream', '13', /^HTTP\/1.1 200 /],
])('an upgrade that %s', (_, path, version, status) => {
  const app = () =>
    new App()
      .websocket('/ws', websocket({}))
      .get('/stream', (ctx) => ctx.stream(ReadableStream.from(['a', 'b']) as AsyncIterable<string>));

  it.each([
    ['leaves', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['stays, and sends more and more', () => {}],
  ])('with bytes behind it is answered, and its connection closes if the client %s', async (_how, leave) => {
    const { port, open } = await serve(app());
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    closing.push(() => socket.destroy());
    socket.write(handshake(path, version) + 'x'.repeat(200_000));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(status);
    const gone = Promise.all([...open].map((one) => new Promise((closed) => one.once('close', closed))));
    const more = setInterval(() => socket.write('more'), 20);
    closing.push(() => clearInterval(more));
    leave(socket);
    await gone;
    expect(open.size).toBe(0);
  });
});

it('a stream without an end is over when its client leaves, which bytes behind the upgrade do not hide', async () => {
  async function* quiet(signal: AbortSignal): AsyncGenerator<string> {
    yield 'first';
    await once(signal, 'abort');
  }
  const { port, open } = await serve(
    new App().get('/quiet', (ctx) => ctx.stream(quiet(ctx.signal))).websocket('/ws', websocket({})),
  );
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(handshake('/quiet', '13'));
  await once(socket, 'data');
  const gone = Promise.all([...open].map((one) => new Promise((closed) => one.once('close', closed))));
  socket.end('behind');
  await gone;
  expect(open.size).toBe(0);
});

it('a client that half-closes at once gets the whole answer', async () => {
  const { port } = await serve(
    new App().get('/large', () => 'x'.repeat(3_000_000)).websocket('/ws', websocket({})),
  );
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  closing.push(() => socket.destroy());
  let length = 0;
  socket.on('data', (chunk) => {
    length += chunk.length;
  });
  socket.end(`${handshake('/large', '13')}behind`);
  await once(socket, 'end');
  expect(length).toBeGreaterThan(3_000_000);
});

describe.each(['a server of others', 'a server of fw'])(
  'while a handshake waits for the application, on %s',
  (of) => {
    async function started(app: App): Promise<number> {
      if (of === 'a server of others') return (await serve(app)).port;
      const running = await app.listen(0);
      closing.push(() => running.close());
      return running.port;
    }

    it('bytes behind it do not hide that the client leaves', async () => {
      let begun = (): void => {};
      const begins = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const left = new Promise<string>((resolve) => {
        // It waits for the client to leave, as a long poll does.
        const waiting = websocket({
          data: async (ctx: Context) => {
            begun();
            await once(ctx.signal, 'abort');
            resolve(String(ctx.signal.reason));
          },
        });
        void started(new App().websocket('/ws', waiting)).then((port) => {
          const socket = connect(port, '127.0.0.1').on('error', () => {});
          socket.write(handshake('/ws', '13'));
          void begins.then(() => socket.end('behind'));
        });
      });
      expect(await left).toMatch('the client closed the connection');
    });

    it('what was sent behind it is not lost', async () => {
      let go = (): void => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      let asked = false;
      const data = (): Promise<void> => {
        asked = true;
        return gate;
      };
      const messages: unknown[] = [];
      const onMessage = (_socket: unknown, message: unknown): void => void messages.push(message);
      let accepted: Socket | undefined;
      const accept = (event: unknown): void => {
        accepted = (event as { socket: Socket }).socket;
      };
      subscribe('net.server.socket', accept);
      closing.push(() => unsubscribe('net.server.socket', accept));
      const port = await started(new App().websocket('/ws', websocket({ data, onMessage })));
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      closing.push(() => socket.destroy());
      // Masked text frames of two bytes, the first of them in the packet of the handshake.
      const frame = (text: string) => Buffer.from([0x81, 0x82, 0, 0, 0, 0, ...Buffer.from(text)]);
      socket.write(Buffer.concat([Buffer.from(handshake('/ws', '13')), frame('ab')]));
      await vi.waitFor(() => expect(asked).toBe(true));
      socket.write(frame('cd'));
      await vi.waitFor(() => expect(accepted?.bytesRead).toBe(socket.bytesWritten));
      go();
      await vi.waitFor(() => expect(messages).toEqual(['ab', 'cd']));
    });
  },
);
