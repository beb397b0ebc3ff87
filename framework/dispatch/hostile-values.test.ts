// What callbacks of an application throw and return may be anything, also what throws at every use.
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { Jwt } from '../auth/jwt/index.js';
import { exchange, statuses } from '../conformance/raw-client.js';
import { FwError } from '../http/errors.js';
import { compression } from '../middleware/compression/index.js';
import { csrf } from '../middleware/csrf/index.js';
import { MemoryStore, type SessionStore, session } from '../session/index.js';
import { subscribe } from '../tracing/subscribe.js';
import { ChannelManager } from '../websocket/index.js';

const refuse = (): never => {
  throw new TypeError('hands off');
};
/** Every use that fw makes of an unknown value throws. */
const untouchable = (): object =>
  new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse });
const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const servers: [string, (app: App) => Promise<number>][] = [
  [
    "fw's own server",
    async (app) => {
      const server = await app.listen(0);
      closing.push(() => server.close());
      return server.port;
    },
  ],
  [
    'a foreign server',
    async (app) => {
      const server = createServer(toNodeHandler(app)).listen(0, '127.0.0.1');
      closing.push(() => server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      return (server.address() as AddressInfo).port;
    },
  ],
];

describe.each(servers)('in %s', (_, serve) => {
  it.each([
    ['returns', () => untouchable()],
    ['resolves to', async () => [untouchable()]],
    ['has a getter of then', () => Object.defineProperty({}, 'then', { get: refuse })],
    ['throws', () => Promise.reject(untouchable())],
  ])('a handler that %s what throws at every use is answered 500', async (_how, handler) => {
    for (const app of [new App(), new App().requestTimeout(10_000)]) {
      app.get('/', handler as () => object).get('/plain', () => 'plain');
      const port = await serve(app.use((_ctx, next) => next()));
      expect([200, 500]).toContain(statuses(await exchange(port, get('/')))[0]);
      expect(statuses(await exchange(port, get('/plain')))).toEqual([200]);
    }
  });

  async function* failing(): AsyncGenerator<string> {
    yield 'first';
    throw untouchable();
  }
  const promised = { [Symbol.asyncIterator]: () => Promise.reject(new Error('not an iterator')) };

  it.each<[string, number, (app: App) => App]>([
    ['text', 200, (app) => app.get('/', (ctx) => ctx.stream(failing()))],
    [
      'compressed text',
      500,
      (app) => app.use(compression()).get('/', (ctx) => ctx.stream(failing(), 'text/plain')),
    ],
    ['events', 500, (app) => app.get('/', (ctx) => ctx.sse(failing() as never))],
    ['an iterator that is a promise', 500, (app) => app.get('/', (ctx) => ctx.stream(promised as never))],
  ])(
    'a stream of %s that fails with anything ends with %i, reported, and alone',
    async (_what, status, add) => {
      const told: unknown[] = [];
      closing.push(subscribe(({ fields }) => 'status' in fields && told.push(fields.status)));
      const port = await serve(add(new App().get('/plain', () => 'plain')));
      const answer = await exchange(port, get('/', 'Accept-Encoding: gzip\r\n'));
      expect(statuses(answer)).toEqual([status]);
      expect(answer.endsWith('0\r\n\r\n')).toBe(false);
      await vi.waitFor(() => expect(told).toEqual([status]));
      expect(statuses(await exchange(port, get('/plain')))).toEqual([200]);
    },
  );

  it.each<[string, () => unknown, boolean]>([
    ['throws at the end', () => refuse, true],
    ['rejects at the end', () => () => Promise.reject(new Error('mine')), true],
    ['gives a promise', () => Promise.reject(new Error('mine')), false],
    ['gives no function', () => 5, false],
  ])('a store whose watch %s is reported, and ends nothing else', async (_what, watch, isWhole) => {
    const told: unknown[] = [];
    closing.push(subscribe(({ fields }) => 'status' in fields && told.push(fields.status)));
    const store: SessionStore = Object.assign(new MemoryStore(), { watch: watch as never });
    const app = new App()
      .use(session(store, { secure: false }))
      .get('/in', (ctx) => ctx.session().signIn('ada'))
      .get('/stream', (ctx) => ctx.stream(ReadableStream.from(['a', 'b']) as AsyncIterable<string>))
      .get('/plain', () => 'plain');
    const port = await serve(app);
    const cookie = /Set-Cookie: ([^;]+)/i.exec(await exchange(port, get('/in')))?.[1] ?? '';
    const answer = await exchange(port, get('/stream', `Cookie: ${cookie}\r\n`));
    expect(answer.endsWith('0\r\n\r\n')).toBe(isWhole);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(statuses(await exchange(port, get('/plain')))).toEqual([200]);
  });
});

describe.each(servers)('a response that cannot be sent, in %s', (_, serve) => {
  const shared = new Uint8Array(new SharedArrayBuffer(1)).fill(65);

  it.each<[string, number, (app: App) => App]>([
    ...['text', 7, {}, { kind: 'text' }, Buffer.from('x'), null, undefined].map(
      (body): [string, number, (app: App) => App] => [
        `for its body, which is ${JSON.stringify(body)}`,
        500,
        (app) =>
          app
            .use(async (_ctx, next) => Object.assign(await next(), { body: body as never }))
            .get('/', () => 'x'),
      ],
    ),
    [
      'for the status of an error',
      500,
      (app) =>
        app.get('/', () => {
          throw FwError.notFound('x', { status: Symbol('status') as never });
        }),
    ],
    [
      'for a status that onError sets',
      500,
      (app) =>
        app
          .onError((__, ctx) => Object.assign(ctx.text('x'), { status: Symbol('status') }))
          .get('/', () => refuse()),
    ],
    [
      'for the status of a stream',
      500,
      (app) => app.get('/', (ctx) => Object.assign(ctx.stream(chunksOf('x')), { status: Symbol('status') })),
    ],
    [
      'for issues whose getters throw anything',
      500,
      (app) =>
        app.get('/', () => {
          throw FwError.badRequest('x', { issues: [untouchable() as never] });
        }),
    ],
    ...[7, undefined, null, {}, new Uint16Array(1), new ArrayBuffer(1)].map(
      (chunk): [string, number, (app: App) => App] => [
        `for its first chunk, which is ${Object.prototype.toString.call(chunk)}`,
        500,
        (app) => app.get('/', (ctx) => ctx.stream(chunksOf(chunk as never))),
      ],
    ),
    ['but for bytes that others share', 200, (app) => app.get('/', () => shared)],
  ])('%s is answered %3$i', async (__, status, register) => {
    vi.spyOn(console, 'error').mockReturnValue();
    const app = register(new App());
    const port = await serve(app);
    expect(statuses(await exchange(port, get('/')))).toEqual([status]);
    expect((await app.fetch(new Request('http://x/'))).status).toBe(status);
  });
});

async function* chunksOf(chunk: string): AsyncGenerator<string> {
  yield chunk;
}

it('a step that fails with anything after the deadline does not end the process', async () => {
  const told: unknown[] = [];
  closing.push(subscribe(({ fields }) => 'status' in fields && told.push(fields.status)));
  let fail: (error: unknown) => void = () => {};
  const app = new App()
    .requestTimeout(20)
    .use((_, next) => next())
    .get('/', () => new Promise<never>((_, reject) => (fail = reject)));
  const server = await app.listen(0);
  closing.push(() => server.close());
  expect(statuses(await exchange(server.port, get('/'), 60_000))).toEqual([408]);
  fail(untouchable());
  await vi.waitFor(() => expect(told).toEqual([408, 408]));
});

describe('a promise where none may be', () => {
  const rejecting = () => Promise.reject(new Error('mine'));
  const schema = { '~standard': { version: 1, vendor: 'test', validate: rejecting } } as const;

  it('of except exempts nothing', async () => {
    const secret = 'a secret of at least 32 characters, really';
    const app = new App().use(csrf({ secret, except: rejecting as never })).post('/', () => 'posted');
    expect((await app.fetch(new Request('http://x/', { method: 'POST' }))).status).toBe(500);
  });

  it('of a schema of claims is a 500', async () => {
    const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(60);
    const app = new App().use(jwt.build()).get('/', (ctx) => ctx.jwt(schema) as object);
    const headers = { authorization: `Bearer ${jwt.sign({ sub: 'ada' })}` };
    expect((await app.fetch(new Request('http://x/', { headers }))).status).toBe(500);
  });

  it('of a schema of an event is thrown by emit', () => {
    const channels = new ChannelManager({ sends: { said: schema } });
    expect(() => channels.emit('a', 'said', 1)).toThrow('takes a synchronous schema');
  });
});

it('a connection that is reset at any moment of a failing stream leaves nothing', async () => {
  const app = new App().get('/', (ctx) => ctx.stream({ [Symbol.asyncIterator]: refuse } as never));
  const server = await app.listen(0);
  closing.push(() => server.close());
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(get('/'), () => socket.resetAndDestroy());
    await new Promise((resolve) => socket.once('close', resolve));
  }
  expect(statuses(await exchange(server.port, get('/missing')))).toEqual([404]);
});
