// What listeners and callbacks of adapted middleware throw: in Express it ends the process.
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
  const expected = ['req throws', 'res throws', 'socket throws'];
  await vi.waitFor(() => expect([...errors].sort()).toEqual(expected));
});
