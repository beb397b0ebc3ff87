// WebSockets over real connections: messages, order, errors, and how connections end.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { Path } from '../extract/path.js';
import { FwError } from '../http/errors.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import { websocket } from './index.js';
import type { WebSocketConnection } from './websocket-connection.js';

const reported: FwErrorEvent[] = [];
const report = (event: unknown) => void reported.push(event as FwErrorEvent);
beforeAll(() => subscribe('fw:error', report));
afterAll(() => unsubscribe('fw:error', report));
beforeEach(() => void reported.splice(0));

const echo = () => websocket({ onMessage: (socket, message) => void socket.send(message) });

describe('messages', () => {
  it('are text and bytes, and arrive as they were sent', async () => {
    const { connect } = await serve(new App().websocket('/echo', echo()));
    const client = await connect('/echo');
    const texts = ['', 'a', 'ä😀', 'x'.repeat(125), 'x'.repeat(126), 'ä'.repeat(65_536)];
    const bytes = [new Uint8Array(), new Uint8Array([1, 2]), Buffer.alloc(70_000, 7)];
    for (const message of [...texts, ...bytes]) client.send(message);
    await vi.waitFor(() => expect(client.received).toHaveLength(9));
    expect(client.received.slice(0, 6)).toEqual(texts);
    expect(
      client.received
        .slice(6)
        .map((one) =>
          Buffer.compare(one as Buffer, Buffer.from(bytes[client.received.indexOf(one) - 6] ?? [])),
        ),
    ).toEqual([0, 0, 0]);
  });

  it('larger than a frame may be are sent in several frames', async () => {
    const large = 'ä'.repeat(1000);
    const app = new App().websocket(
      '/',
      websocket({ onOpen: (socket) => [socket.send(large), socket.send('end')] }, { maxFrameSize: 300 }),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    await vi.waitFor(() => expect(client.received).toEqual([large, 'end']));
  });

  it('wait for the asynchronous handler of the one before, onOpen included, and onClose for all', async () => {
    const steps: string[] = [];
    const app = new App().websocket(
      '/',
      websocket({
        async onOpen() {
          await delay(20);
          steps.push('open');
        },
        async onMessage(_socket, message) {
          await delay(Number(message));
          steps.push(String(message));
        },
        onClose: (_socket, code) => void steps.push(`close ${code}`),
      }),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    for (const ms of ['30', '20', '1', '10']) client.send(ms);
    client.ws.close(4001);
    await vi.waitFor(() => expect(steps).toEqual(['open', '30', '20', '1', '10', 'close 4001']));
  });

  it('that wait for a handler are bounded: reading is paused, and nothing is lost', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let count = 0;
    let socket: WebSocketConnection | undefined;
    const app = new App().websocket(
      '/',
      websocket({
        onOpen(one) {
          socket = one as never;
        },
        async onMessage() {
          await held;
          count += 1;
        },
      }),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    for (let i = 0; i < 2000; i++) client.send('x'.repeat(10_000));
    await vi.waitFor(() => expect(client.ws.bufferedAmount).toBeGreaterThan(1_000_000));
    await delay(100);
    expect(client.ws.bufferedAmount).toBeGreaterThan(1_000_000);
    expect(socket?.isOpen).toBe(true);
    release();
    await vi.waitFor(() => expect(count).toBe(2000));
  });

  it('are refused over the limits, also as a frame, and nothing of them is kept', async () => {
    const app = new App().websocket(
      '/',
      websocket({ onMessage() {} }, { maxMessageSize: 100, maxFrameSize: 60 }),
    );
    const { connect } = await serve(app);
    const [whole, parts, inLimit] = await Promise.all([connect('/'), connect('/'), connect('/')]);
    whole.send('x'.repeat(61));
    expect((await whole.closed).code).toBe(1009);
    parts.ws.send('x'.repeat(60), { fin: false });
    parts.ws.send('x'.repeat(60), { fin: true });
    expect((await parts.closed).code).toBe(1009);
    inLimit.ws.send('x'.repeat(60), { fin: false });
    inLimit.ws.send('x'.repeat(40), { fin: true });
    inLimit.ws.close(1000);
    expect((await inLimit.closed).code).toBe(1000);
    expect(reported.map(({ status, method }) => [status, method])).toEqual([
      [400, 'WEBSOCKET'],
      [400, 'WEBSOCKET'],
    ]);
  });
});

describe('an exception', () => {
  it.each([
    [
      'a handler',
      (): never => {
        throw new Error('broken');
      },
      1011,
      'internal server error',
      500,
    ],
    [
      'an asynchronous handler',
      async () => {
        throw new Error('broken');
      },
      1011,
      'internal server error',
      500,
    ],
    [
      'a handler, of the client',
      (): never => {
        throw FwError.forbidden('not yours');
      },
      1008,
      'not yours',
      403,
    ],
  ])('of %s closes that connection alone and is reported', async (_, onMessage, code, reason, status) => {
    const errors: unknown[] = [];
    const closes: number[] = [];
    const app = new App()
      .websocket(
        '/bad',
        websocket({
          onMessage,
          onError: (_socket, error) => void errors.push(error),
          onClose: (_socket, one) => void closes.push(one),
        }),
      )
      .websocket('/echo', echo());
    const { connect } = await serve(app);
    const [bad, good] = await Promise.all([connect('/bad'), connect('/echo')]);
    bad.send('1');
    bad.send('2');
    expect(await bad.closed).toEqual({ code, reason });
    expect(errors).toHaveLength(1);
    expect(reported).toEqual([
      expect.objectContaining({ status, method: 'WEBSOCKET', path: '/bad', error: errors[0] }),
    ]);
    await vi.waitFor(() => expect(closes).toEqual([code]));
    good.send('still here');
    await vi.waitFor(() => expect(good.received).toEqual(['still here']));
  });

  it('of onOpen, onClose, onDrain and onError is reported, and onClose runs once', async () => {
    let closes = 0;
    const throwing = (what: string) => (): never => {
      throw new Error(what);
    };
    const app = new App()
      .websocket(
        '/open',
        websocket({
          onOpen: throwing('open'),
          onError: throwing('error'),
          onClose() {
            closes += 1;
          },
        }),
      )
      .websocket('/close', websocket({ onClose: throwing('close') }))
      .websocket('/late', websocket({ onClose: async () => throwing('late')() }));
    const { connect } = await serve(app);
    expect((await (await connect('/open')).closed).code).toBe(1011);
    for (const path of ['/close', '/late']) (await connect(path)).ws.close();
    await vi.waitFor(() =>
      expect(reported.map(({ error }) => (error as Error).message)).toEqual([
        'open',
        'error',
        'close',
        'late',
      ]),
    );
    expect(closes).toBe(1);
  });
});

describe('events', () => {
  const chat = () =>
    websocket({
      receives: { say: z.object({ text: z.string() }), later: z.string().refine(async () => true) },
      sends: { said: z.object({ text: z.string() }) },
      on: {
        say: (socket, { text }) => void socket.emit('said', { text, secret: 1 } as { text: string }),
        later: (socket, text) => void socket.emit('said', { text }),
      },
    });

  it('are checked in both directions', async () => {
    const { connect } = await serve(new App().websocket('/', chat()));
    const client = await connect('/');
    client.send({ event: 'say', data: { text: 'hi', other: 1 } });
    client.send({ event: 'later', data: 'soon' });
    client.send({ event: 'say', data: { text: 1 } });
    client.send({ event: '__proto__', data: {} });
    client.send({ event: 'toString' });
    await vi.waitFor(() => expect(client.received).toHaveLength(5));
    expect(client.json).toEqual([
      { event: 'said', data: { text: 'hi' } },
      { event: 'said', data: { text: 'soon' } },
      {
        failed: {
          event: 'say',
          message: expect.stringContaining('field text: '),
          issues: [{ path: ['text'], message: expect.any(String) }],
        },
      },
      { failed: { event: '__proto__', message: 'there is no such event', issues: [] } },
      { failed: { event: 'toString', message: 'there is no such event', issues: [] } },
    ]);
    expect(reported).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no event', '[]'],
    ['null', 'null'],
    ['bytes', new Uint8Array([1])],
    ['nested too deeply', `{"event":"x","data":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('that are %s close the connection with 1007', async (_, message) => {
    const { connect } = await serve(new App().websocket('/', chat()));
    const client = await connect('/');
    client.send(message);
    expect(await client.closed).toMatchObject({ code: 1007 });
  });

  it('of clients that resume wait for their first frame, and ready follows onOpen', async () => {
    const app = new App().websocket(
      '/',
      websocket(
        {
          receives: {},
          sends: { welcome: z.string() },
          on: {},
          async onOpen(socket) {
            await delay(5);
            socket.emit(
              'welcome',
              String((socket as unknown as WebSocketConnection).takeResumePoint('room')),
            );
          },
        },
        { timeoutMs: 1_000 },
      ),
    );
    const { connect } = await serve(app);
    const [client, silent, wrong] = await Promise.all(
      [1, 2, 3].map(() => connect('/', ['other', 'fw.events'])),
    );
    expect(client?.ws.protocol).toBe('fw.events');
    client?.send({ resume: { room: '7', odd: 1, ['__proto__']: 'x' } });
    wrong?.send({ event: 'x' });
    await vi.waitFor(() =>
      expect(client?.json).toEqual([{ event: 'welcome', data: '7' }, { ready: { heartbeatMs: 30_000 } }]),
    );
    expect(await wrong?.closed).toMatchObject({ code: 1007 });
    expect(await silent?.closed).toEqual({ code: 1008, reason: 'the first frame did not come in time' });
  });

  it('may tell its places in 10,000 topics, of which those that are texts count', async () => {
    const points: unknown[] = [];
    const app = new App().websocket(
      '/',
      websocket({
        receives: {},
        on: {},
        onOpen(socket) {
          for (const topic of ['t7', 't9999', 't10000']) {
            points.push((socket as unknown as WebSocketConnection).takeResumePoint(topic));
          }
        },
      }),
    );
    const { connect } = await serve(app);
    const client = await connect('/', ['fw.events']);
    const topics = Array.from({ length: 10_001 }, (_, n) => [`t${n}`, n === 7 ? 7 : `1-${n}`]);
    client.send({ resume: Object.fromEntries(topics) });
    await vi.waitFor(() => expect(points).toEqual([undefined, '1-9999', undefined]));
  });

  it.each([
    ['without handlers of messages', undefined, []],
    ['beside messages of other kinds', vi.fn(), ['as it is', '{"event":"x"}']],
  ])('reach clients that resume if they are only sent, %s', async (_, onMessage, heard) => {
    const onOpen = (socket: WebSocketConnection<unknown, { news: number }>) => void socket.emit('news', 1);
    const handlers = { sends: { news: z.number() }, onOpen, ...(onMessage && { onMessage }) };
    const { connect } = await serve(new App().websocket('/', websocket(handlers)));
    const [resuming, plain] = await Promise.all([connect('/', ['fw.events']), connect('/', ['fw'])]);
    expect([resuming.ws.protocol, plain.ws.protocol]).toEqual(['fw.events', 'fw']);
    resuming.send({ resume: {} });
    const news = { event: 'news', data: 1 };
    await vi.waitFor(() => expect(resuming.json).toEqual([news, { ready: { heartbeatMs: 30_000 } }]));
    plain.ws.send('as it is');
    resuming.send({ event: 'x' });
    if (onMessage) await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(2));
    expect(onMessage?.mock.calls.map(([, text]) => text).sort() ?? []).toEqual(heard);
    expect([plain.json, plain.ws.readyState, resuming.ws.readyState]).toEqual([[news], 1, 1]);
  });
});

describe('slow clients', () => {
  const paused = async (config: object) => {
    let socket: WebSocketConnection | undefined;
    const drains: number[] = [];
    const app = new App().websocket(
      '/',
      websocket(
        {
          onOpen(one) {
            socket = one as never;
          },
          onDrain: () => void drains.push(1),
        },
        config,
      ),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    client.ws.pause();
    return { client, drains, socket: socket as unknown as WebSocketConnection };
  };
  const large = 'x'.repeat(100_000);
  const fill = (socket: WebSocketConnection) => {
    while (socket.bufferedBytes === 0) socket.send(large);
  };

  it('lose messages with slowClients: drop, and get the later ones', async () => {
    const { client, socket, drains } = await paused({ slowClients: 'drop', capacity: 3 });
    fill(socket);
    expect([socket.capacity(), socket.maxCapacity(), socket.hasCapacity()]).toEqual([2, 3, true]);
    expect([socket.send('a'), socket.send('b'), socket.send('lost')]).toEqual([true, true, false]);
    expect([socket.capacity(), socket.hasCapacity(), socket.dropped]).toEqual([0, false, 1]);
    client.ws.resume();
    await vi.waitFor(() => expect(drains).toEqual([1]));
    expect(socket.capacity()).toBe(3);
    socket.send('later');
    await vi.waitFor(() => expect(client.received.at(-1)).toBe('later'));
    expect(client.received.slice(-3)).toEqual(['a', 'b', 'later']);
  });

  it('are told apart from many answers in one turn to a client that reads', async () => {
    const app = new App().websocket(
      '/',
      websocket(
        {
          onMessage(socket) {
            for (let n = 0; n < 50; n++) socket.send(`${n}`);
          },
        },
        { slowClients: 'drop', capacity: 10 },
      ),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    // Two messages in one packet.
    (client.ws as unknown as { _socket: Socket })._socket.cork();
    client.send('a');
    client.send('b');
    (client.ws as unknown as { _socket: Socket })._socket.uncork();
    await vi.waitFor(() => expect(client.received).toHaveLength(100));
  });

  it('are closed with 1013 at the limit of bytes', async () => {
    const { client, socket } = await paused({ maxBufferedBytes: 250_000 });
    fill(socket);
    while (socket.send(large));
    expect(socket.isOpen).toBe(false);
    client.ws.resume();
    expect(await client.closed).toMatchObject({ code: 1013 });
  });

  it('are closed with 1013 when they have no capacity for the time-out, and not before', async () => {
    // The same time-out is the client's for its answer to the close frame, once it reads again.
    const { client, socket } = await paused({ capacity: 1, timeoutMs: 3_000 });
    fill(socket);
    expect([socket.send('a'), socket.send('b')]).toEqual([true, true]);
    await vi.waitFor(() => expect(socket.isOpen).toBe(false));
    client.ws.resume();
    expect(await client.closed).toMatchObject({ code: 1013 });
  });
});

describe('clients that are gone', () => {
  it('are found by pings that nobody answers; others stay', async () => {
    const closes: number[] = [];
    const app = new App().websocket(
      '/',
      websocket(
        { onClose: (_socket, code) => void closes.push(code) },
        { pingIntervalMs: 50, timeoutMs: 1_000 },
      ),
    );
    const { connect } = await serve(app);
    await connect('/', [], { autoPong: false });
    const alive = await connect('/');
    let pings = 0;
    alive.ws.on('ping', () => {
      pings += 1;
    });
    await vi.waitFor(() => expect(closes).toEqual([1006]));
    await vi.waitFor(() => expect(pings).toBeGreaterThan(5));
    expect(alive.ws.readyState).toBe(1);
  });

  it('stay while their handler does not read', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let count = 0;
    const app = new App().websocket(
      '/',
      websocket(
        {
          async onMessage() {
            await held;
            count += 1;
          },
        },
        { pingIntervalMs: 100, timeoutMs: 300 },
      ),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    for (let i = 0; i < 100; i++) client.send('x'.repeat(100_000));
    await delay(900);
    release();
    await vi.waitFor(() => expect(count).toBe(100));
    expect(client.ws.readyState).toBe(1);
  });
});

it('reads JSON with a schema', async () => {
  const app = new App().websocket(
    '/',
    websocket({
      onMessage(socket, message) {
        const { n } = socket.recvJson(message, z.object({ n: z.number() }));
        socket.sendJson({ n: n + 1 });
      },
    }),
  );
  const { connect } = await serve(app);
  const [good, bad] = await Promise.all([connect('/'), connect('/')]);
  good.send({ n: 1 });
  await vi.waitFor(() => expect(good.json).toEqual([{ n: 2 }]));
  bad.send({ n: 'x' });
  expect(await bad.closed).toMatchObject({
    code: 1007,
    reason: expect.stringContaining('message field n: '),
  });
});

it('makes data of the extractors, and closes with a code of its own', async () => {
  const app = new App().route(
    '/api',
    new App().websocket(
      '/rooms/:id',
      Path('id', z.coerce.number()),
      websocket({
        data: async (id) => ({ id }),
        onMessage: (socket) => socket.close(4000 + socket.data.id, 'bye'),
      }),
    ),
  );
  const { connect } = await serve(app);
  const client = await connect('/api/rooms/7');
  client.send('');
  expect(await client.closed).toEqual({ code: 4007, reason: 'bye' });
});
