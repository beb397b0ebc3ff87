// What listeners and callbacks of adapted middleware throw: in Express it ends the process.
import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { App } from '../../app/app.js';
import { startServer, type TestServer } from '../../testing/index.js';
import { subscribe } from '../../tracing/index.js';
import { type ConnectMiddleware, fromConnect } from './from-connect.js';

const errors: string[] = [];
let stop: () => void;
let server: TestServer | undefined;

beforeEach(() => {
  stop = subscribe(({ level, fields }) => {
    if (level === 'error') errors.push(String((fields.error as Error).message));
  });
});

afterEach(async () => {
  stop();
  errors.length = 0;
  await server?.close();
});

const fails = (message: string) => () => {
  throw new Error(message);
};
const rejects = (message: string) => async () => {
  throw new Error(message);
};

it.each<[string, ConnectMiddleware, readonly string[]]>([
  [
    'finish and close of a response',
    (_req, res, next) => {
      for (const event of ['finish', 'close']) res.on(event, fails(`${event} throws`));
      res.once('finish', rejects('finish rejects'));
      next();
    },
    ['finish throws', 'close throws', 'finish rejects'],
  ],
  [
    'the callbacks of write and end',
    (_req, res) => {
      res.write('a', fails('write throws'));
      res.write('b', 'utf8', rejects('write rejects'));
      res.end(fails('end throws'));
    },
    ['write throws', 'end throws', 'write rejects'],
  ],
  [
    'drain, which a writer waits for',
    (_req, res) => {
      res.on('drain', fails('drain throws'));
      res.on('drain', () => res.end('end'));
      res.write('x'.repeat(100_000));
    },
    ['drain throws'],
  ],
])('are reported for %s, and all listeners are called', async (_, middleware, expected) => {
  const called: string[] = [];
  const app = new App()
    .use(
      fromConnect((req, res, next) => {
        const result = middleware(req, res, next);
        for (const event of ['finish', 'close']) res.on(event, () => called.push(event));
        return result;
      }),
    )
    .get('/', () => 'text');
  server = await startServer(app);
  (await server.client.get('/')).assertStatus(200);
  await vi.waitFor(() => expect([...errors].sort()).toEqual([...expected].sort()));
  await vi.waitFor(() => expect(called).toEqual(['finish', 'close']));
  (await server.client.get('/')).assertStatus(200);
});

it.each<[string, (req: EventEmitter, res: EventEmitter) => EventEmitter, string]>([
  ['res', (_req, res) => res, 'close'],
  ['req', (req) => req, 'close'],
  ['an old name of that', (req) => req, 'aborted'],
])('is heard by a listener of %s alone where the client leaves, also in a stream', async (_, of, event) => {
  const heard: string[] = [];
  const app = new App()
    .use(
      fromConnect((req, res, next) => {
        of(req, res).on(event, () => heard.push('left'));
        next();
      }),
    )
    .get(
      '/',
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
            cancel: () => void heard.push('cancelled'),
          }),
        ),
    );
  server = await startServer(app);
  const controller = new AbortController();
  const response = await fetch(server.url, { signal: controller.signal });
  await response.body?.getReader().read();
  controller.abort();
  await vi.waitFor(() => expect([...heard].sort()).toEqual(['cancelled', 'left']));
});

it.each<[string, Response | string, unknown]>([
  ['a text', 'č', 2],
  ['204', new Response(null, { status: 204 }), undefined],
  ['a length of its own', new Response('text', { headers: { 'Content-Length': '4' } }), '4'],
])('see the length of %s', async (_, answer, expected) => {
  const lengths: unknown[] = [];
  const app = new App()
    .use(
      fromConnect((_req, res, next) => {
        res.on('finish', () => lengths.push(res.getHeader('Content-Length')));
        next();
      }),
    )
    .get('/', () => answer);
  server = await startServer(app);
  await server.client.get('/');
  await vi.waitFor(() => expect(lengths).toEqual([expected]));
});

it('are reported where the client leaves', async () => {
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const app = new App()
    .use(
      fromConnect((req, res, next) => {
        for (const [name, one] of Object.entries({ req, res, socket: req.socket })) {
          one.on('close', fails(`${name} throws`));
        }
        req.on('aborted', fails('aborted throws'));
        next();
      }),
    )
    .get('/', async (ctx) => {
      enter();
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      return 'late';
    });
  server = await startServer(app);
  const controller = new AbortController();
  const answer = server.client.get('/', { signal: controller.signal });
  answer.catch(() => {});
  await entered;
  controller.abort();
  const expected = ['aborted throws', 'req throws', 'res throws', 'socket throws'];
  await vi.waitFor(() => expect([...errors].sort()).toEqual(expected));
});

it.each<[string, object]>([
  ['an object', { 'X-A': '1', 'X-B': ['2', '3'] }],
  ['a list', ['X-A', '1', 'X-B', '2', 'X-B', '3']],
  [
    'a list of pairs',
    [
      ['X-A', '1'],
      ['X-B', ['2', '3']],
    ] as never,
  ],
])('see the reason and the fields that writeHead takes as %s', async (_, fields) => {
  const seen: unknown[] = [];
  const app = new App().use(
    fromConnect((_req, res) => {
      res.on('finish', () => seen.push(res.statusMessage, res.getHeader('x-a')));
      res.setHeader('X-Powered-By', 'before');
      res.removeHeader('X-Powered-By');
      res.setHeader('X-Powered-By', 'again');
      res.writeHead(200, 'Fine', fields).end('text');
    }),
  );
  server = await startServer(app);
  const answer = await server.client.get('/');
  expect(['x-a', 'x-b', 'x-powered-by'].map((name) => answer.header(name))).toEqual(['1', '2, 3', 'again']);
  await vi.waitFor(() => expect(seen).toEqual(['Fine', '1']));
});
