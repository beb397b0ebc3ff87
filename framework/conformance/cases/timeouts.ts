// Cases: responses that take longer than the App allows.
import { App } from '../../app.js';
import { FwError } from '../../errors.js';
import { type Case, wireError } from '../case.js';

const never = () => new Promise<never>(() => {});
const late = wireError('RequestTimeout', 'no response within 40 ms');

const app = () =>
  new App()
    .requestTimeout(40)
    .use(async function outer(_ctx, next) {
      const response = await next().catch((error: unknown) => {
        if (error instanceof FwError)
          throw new FwError(error.variant, error.message, { headers: { 'X-Outer': 'yes' } });
        throw error;
      });
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .use(async function hanging(ctx, next) {
      if (ctx.req.path === '/before') await never();
      const response = await next();
      if (ctx.req.path === '/after') await never();
      return response;
    })
    .get('/quick', () => 'in time')
    .get('/before', () => 'not reached')
    .get('/after', () => 'thrown away')
    .get('/never', never)
    .get('/aborted', async (ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
      throw ctx.signal.reason;
    })
    .get('/late', async (ctx) => {
      const { signal } = ctx;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return 'too late';
    })
    .get('/stream', (ctx) =>
      ctx.stream(
        (async function* () {
          yield 'begun, ';
          await new Promise((resolve) => setTimeout(resolve, 80));
          yield ctx.signal.aborted ? 'aborted' : 'and ended';
        })(),
      ),
    )
    .post('/body', (ctx) => ctx.req.text());

const timedOut = (name: string, path: string): Case => ({
  name,
  app,
  request: { path },
  status: 408,
  headers: { 'x-outer': 'yes' },
  body: late,
});

export const timeouts: Case[] = [
  { name: 'an answer in time', app, request: { path: '/quick' }, status: 200, body: 'in time' },
  timedOut('a handler that never answers', '/never'),
  timedOut('a handler that gives up when its signal aborts', '/aborted'),
  timedOut('a handler that answers too late', '/late'),
  timedOut('a middleware that hangs before the handler', '/before'),
  timedOut('a middleware that hangs after the handler', '/after'),
  {
    name: 'a stream that has begun goes on',
    app,
    request: { path: '/stream' },
    status: 200,
    body: 'begun, and ended',
  },
  {
    name: 'the outermost middleware hangs',
    app: () =>
      new App()
        .requestTimeout(40)
        .use(never)
        .get('/', () => 'not reached'),
    request: { path: '/' },
    status: 408,
    body: late,
  },
  {
    name: 'a handler without middleware',
    app: () => new App().requestTimeout(40).get('/', never),
    request: { path: '/' },
    status: 408,
    body: late,
  },
  {
    name: 'onError answers a timeout',
    app: () =>
      new App()
        .requestTimeout(40)
        .onError((error, ctx) => ctx.text((error as FwError).variant))
        .get('/', never),
    request: { path: '/' },
    status: 408,
    body: 'RequestTimeout',
  },
  {
    name: 'a timeout of the App that mounts',
    app: () => new App().requestTimeout(40).route('/in', new App().get('/', never)),
    request: { path: '/in' },
    status: 408,
    body: late,
  },
  {
    name: 'a middleware that calls next after the time is out does not run the handler',
    app: () =>
      new App()
        .requestTimeout(40)
        .use(async function waits(ctx, next) {
          await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
          try {
            return await next();
          } catch (error) {
            return ctx.text(`stopped: ${(error as Error).message}`);
          }
        })
        .get('/', () => 'the handler ran'),
    request: { path: '/' },
    status: 408,
  },
];
