// WebSockets of fw/websocket on the servers of Bun and Deno: handshakes, messages, limits, channels, slow clients and shutdown.
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { areInstalled, endPrograms, type Program, startScript } from './fetch-runtimes/programs.js';

const programFor = (entry: string): string => `
  import { App, Path, createMiddleware } from 'fw';
  import { listen } from '${entry}';
  import { Jwt } from 'fw/jwt';
  import { RpcRegistry } from 'fw/rpc';
  import { ChannelManager, websocket } from 'fw/websocket';
  import { z } from 'zod';

  const note = (text) => console.log('note: ' + text);
  const rooms = new ChannelManager();
  let isFull = false;
  const echo = {
    onOpen: (socket) => void socket.send('open ' + socket.protocol),
    async onMessage(socket, message) {
      if (message === 'slow') await new Promise((resolve) => setTimeout(resolve, 50));
      if (message === 'close') return socket.close(4001, 'as asked');
      if (message === 'cut') return socket.terminate();
      if (message === 'fail') throw new Error('a broken handler');
      if (message === 'json') return void socket.recvJson('{', z.object({}));
      socket.send(message);
    },
    onError: (_socket, error) => note('error ' + error.message),
    onClose: (_socket, code, reason) => note('closed ' + code + ' ' + reason),
  };
  const rpc = new RpcRegistry().subscription('count', { input: z.object({ to: z.number() }), output: z.number() }, async function* ({ to }) {
    for (let i = 1; i <= to; i++) yield i;
  });
  const app = new App()
    .use(async (ctx, next) => (ctx.req.query('closed') ? ctx.text('closed', 403) : next()))
    .get('/echo', () => 'a page')
    .websocket('/echo', websocket(echo, { protocols: ['chat'], allowedOrigins: [] }))
    .websocket('/small', websocket(echo, { maxMessageSize: 100, allowedOrigins: ['https://a.example'] }))
    .websocket('/compressed', websocket(echo, { compression: true }))
    .websocket('/rooms/:room', Path('room', z.string()), websocket({
      data: (room) => ({ room }),
      receives: { say: z.object({ text: z.string() }) },
      sends: { said: z.object({ text: z.string() }) },
      onOpen: (socket) => rooms.subscribe(socket, socket.data.room),
      on: { say: (socket, { text }) => rooms.emit(socket.data.room, 'said', { text }) },
    }))
    .websocket('/rpc', websocket({}, { rpc }))
    .websocket('/silent', websocket({ onMessage() {}, onClose: (_s, code) => note('silent ' + code) }, { pingIntervalMs: 100, timeoutMs: 200 }))
    .websocket('/flood', websocket({
      async onMessage(socket) {
        const text = 'x'.repeat(100_000);
        let sent = 0;
        // What waits in this process is taken by the system at first: it is full when nothing has been for a while.
        for (let quiet = 0; quiet < 10 && sent < 10_000; quiet += 1) {
          for (; socket.hasCapacity() && sent < 10_000; sent += 1) { socket.send(text); quiet = 0; }
          await new Promise((done) => setTimeout(done, 20));
        }
        isFull = true;
        note('full after ' + (sent > 5 && sent < 1_000));
      },
      onDrain: () => void (isFull && note('drained')),
    }, { maxBufferedBytes: 1_000_000 }))
    .websocket('/slow', websocket({
      async onMessage(socket) {
        const text = 'x'.repeat(100_000);
        for (let sent = 0; sent < 1_000 && socket.isOpen; sent++) socket.send(text);
      },
      onClose: (_socket, code) => note('slow ' + code),
    }, { maxBufferedBytes: 1_000_000 }))
    .onClose(() => note('app closed'));
  app.mountRpc('/call', rpc);
  const secret = 's'.repeat(32);
  const inside = new App().use(Jwt.hs256(secret).build()).websocket('/me', websocket({
    onOpen: (socket) => void socket.send('in'), onMessage() {},
  }));
  app.route('/in', inside);
  const server = await listen(app, 0);
  console.log('at ' + server.url + ' ');
  process.once('SIGTERM', async () => { await server.close(); note('server closed'); });
`;

/** What differs, by the documentation. */
const runtimes = [
  { name: 'Bun', entry: 'fw/bun', cut: '1006 ', notText: /^1007 / },
  { name: 'Deno', entry: 'fw/deno', cut: '1005 ', notText: /^1006 / },
] as const;

describe.skipIf(!areInstalled && process.env.CI === undefined).each(runtimes)(
  'WebSockets on $name',
  ({ name, entry, cut, notText }) => {
    let program: Program;
    let base: string;
    beforeAll(async () => {
      program = startScript(name, programFor(entry));
      await program.whenPrinted(' \n');
      base = /at http(\S+)/.exec(program.printed())?.[1] ?? '';
    });
    afterAll(endPrograms);

    const made = (path: string, protocols: string[] = [], options: ClientOptions = {}) => {
      const socket = new WebSocket(`ws${base}${path}`, protocols, options);
      const received: string[] = [];
      socket.on('message', (data) => received.push(String(data)));
      socket.on('error', () => {});
      const closed = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`);
      const until = async (count: number) => {
        while (received.length < count) await once(socket, 'message');
        return received;
      };
      return { socket, received, closed, until };
    };
    const opened = async (...args: Parameters<typeof made>) => {
      const client = made(...args);
      await once(client.socket, 'open');
      return client;
    };
    const refusal = async (...args: Parameters<typeof made>): Promise<number> => {
      const [, response] = await once(made(...args).socket, 'unexpected-response');
      return (response as { statusCode: number }).statusCode;
    };

    it('echoes texts and bytes in order, behind slow handlers too', async () => {
      const { socket, until } = await opened('/echo');
      for (const message of ['slow', 'a', 'č', Buffer.from([1, 2])]) socket.send(message);
      expect(await until(5)).toEqual(['open ', 'slow', 'a', 'č', '\x01\x02']);
      socket.close(3001, 'bye');
      await program.whenPrinted('closed 3001 bye');
      expect(await (await fetch(`http${base}/echo`)).text()).toBe('a page');
    });

    it('selects sub-protocols, and none that is not spoken', async () => {
      expect((await opened('/echo', ['other', 'chat'])).socket.protocol).toBe('chat');
      const { port } = new URL(`http${base}`);
      const raw = connectTo(Number(port), '127.0.0.1');
      raw.write(
        'GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: other\r\n\r\n',
      );
      const [head] = (await once(raw, 'data')) as [Buffer];
      raw.destroy();
      expect(String(head)).toMatch(/^HTTP\/1.1 101/);
      expect(String(head).toLowerCase()).not.toContain('sec-websocket-protocol');
      expect(String(head)).toContain('fw');
    });

    it('refuses handshakes by middleware, origin and version', async () => {
      expect(await refusal('/echo?closed=1')).toBe(403);
      expect(await refusal('/small', [], { origin: 'https://b.example' })).toBe(403);
      expect(await refusal('/in/me')).toBe(401);
      expect(await refusal('/none')).toBe(404);
      expect(await refusal('/echo', [], { protocolVersion: 8 })).toBe(426);
    });

    it('takes a token from the sub-protocols', async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const unsigned = `${part({ alg: 'HS256' })}.${part({ sub: 'a', exp: 4e9 })}`;
      const key = await crypto.subtle.importKey(
        'raw',
        Buffer.from('s'.repeat(32)),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(unsigned)));
      const token = `${unsigned}.${signature.toString('base64url')}`;
      const client = await opened('/in/me', ['fw', `fw.bearer.${Buffer.from(token).toString('base64url')}`]);
      expect(client.socket.protocol).toBe('fw');
      expect(await client.until(1)).toEqual(['in']);
    });

    it('closes with the codes of Node.js', async () => {
      const ends: [string, string][] = [
        ['close', '4001 as asked'],
        ['cut', cut],
        ['fail', '1011 internal server error'],
      ];
      for (const [message, end] of ends) {
        const { socket, closed } = await opened('/echo');
        socket.send(message);
        expect([message, await closed]).toEqual([message, end]);
      }
      await program.whenPrinted('error a broken handler');
      const json = await opened('/echo');
      json.socket.send('json');
      expect(await json.closed).toMatch(/^1007 /);
      const broken = await opened('/echo');
      broken.socket.send(Buffer.from([0xff]), { binary: false });
      expect(await broken.closed).toMatch(notText);
    });

    it('limits messages by route, and as a server', async () => {
      const { socket, closed } = await opened('/small', [], { origin: 'https://a.example' });
      socket.send('x'.repeat(101));
      expect(await closed).toBe('1009 a message has at most 100 bytes');
      const large = await opened('/echo');
      large.socket.send(Buffer.alloc(10_000_001));
      expect(await large.closed).toMatch(/^1009 /);
    });

    it.runIf(name === 'Bun')('compresses for clients that offer it', async () => {
      const { socket, until } = await opened('/compressed');
      expect(socket.extensions).toContain('permessage-deflate');
      socket.send('z'.repeat(5_000));
      expect(await until(2)).toEqual(['open ', 'z'.repeat(5_000)]);
    });

    it('delivers events of channels to the members of a topic', async () => {
      const [a, b] = [await opened('/rooms/x'), await opened('/rooms/x')];
      const other = await opened('/rooms/y');
      a.socket.send('{"event":"say","data":{"text":"hi"}}');
      for (const { until } of [a, b]) expect((await until(1))[0]).toContain('"said"');
      a.socket.send('{"event":"say","data":{}}');
      expect((await a.until(2))[1]).toContain('failed');
      expect(other.received).toEqual([]);
    });

    it('has subscriptions of a registry', async () => {
      const { socket, until } = await opened('/rpc');
      socket.send('{"subscribe":{"id":1,"method":"count","params":{"to":2}}}');
      expect((await until(3)).join()).toMatch(/1.*2/);
    });

    it.runIf(name === 'Bun')('pings, and cuts connections that do not answer', async () => {
      const answering = await opened('/silent');
      await once(answering.socket, 'ping');
      await once(answering.socket, 'ping');
      const silent = await opened('/silent', [], { autoPong: false });
      expect(await silent.closed).toMatch(/^1006/);
      expect(answering.socket.readyState).toBe(WebSocket.OPEN);
      await program.whenPrinted('silent 1006');
    });

    it('tells how much waits for a client that does not read, and when it was sent', async () => {
      const { socket } = await opened('/flood');
      socket.pause();
      socket.send('go');
      await program.whenPrinted('full after true');
      expect(program.printed()).not.toContain('drained');
      socket.resume();
      await program.whenPrinted('drained');
    });

    it('closes clients that read too slowly', async () => {
      const { socket } = await opened('/slow');
      socket.pause();
      socket.send('go');
      await program.whenPrinted('slow 1013');
      socket.terminate();
    });

    it('says goodbye at a shutdown', async () => {
      const { closed } = await opened('/echo');
      program.kill('SIGTERM');
      expect(await closed).toMatch(/^1001 /);
      await program.whenPrinted('closed 1001 ');
      await program.whenPrinted('app closed');
      await program.whenPrinted('server closed');
    });
  },
);
