// Cases: responses that take longer than the App allows.
import { expect } from 'vitest';
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import type { Next } from '../../context/handlers.js';
import { errorResponse } from '../../dispatch/error-response.js';
import { route } from '../../extract/route.js';
import { FwError } from '../../http/errors.js';
import type { FwResponse } from '../../http/response.js';
import { type Case, wireError } from '../case.js';

const never = () => new Promise<never>(() => {});
const slow = async () => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return 'slow';
};
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

async function hangInFinally(_ctx: Context, next: Next): Promise<FwResponse> {
  try {
    return await next();
  } finally {
    await never();
  }
}

/** The middleware around it answers in its place. */
const hangingFinally = () =>
  new App()
    .requestTimeout(40)
    .use(async function outer(_ctx, next) {
      const response = await next().catch(errorResponse);
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .use(hangInFinally)
    .get('/', never);

/** The 408 comes whatever the middleware does: that the handler did not run is asked of the handler. */
function notRun(): Case {
  let runs = 0;
  let refusal: Promise<unknown> = Promise.resolve();
  return {
    name: 'a middleware that calls next after the time is out does not run the handler',
    app: () =>
      new App()
        .requestTimeout(40)
        .use(function waits(ctx, next) {
          const called = new Promise((resolve) => {
            ctx.signal.addEventListener('abort', resolve, { once: true });
          }).then(() => next());
          refusal = called.then(
            () => 'it ran',
            (error: Error) => error.message,
          );
          return called;
        })
        .get('/', () => {
          runs += 1;
          return 'the handler ran';
        }),
    request: { path: '/' },
    status: 408,
    async afterwards() {
      expect(await refusal).toBe('no response within 40 ms');
      expect(runs).toBe(0);
    },
  };
}

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
  ...(
    [
      ['of a route', () => new App().get(route('/', { requestTimeout: 40 }), never), '/'],
      [
        'of a route that is shorter than that of its App',
        () => new App().requestTimeout(60_000).get(route('/', { requestTimeout: 40 }), never),
        '/',
      ],
      ['of a mounted App', () => new App().route('/in', new App().requestTimeout(40).get('/', never)), '/in'],
      [
        'of the inner one of two mounted Apps',
        () =>
          new App().route(
            '/in',
            new App().requestTimeout(60_000).route('/deep', new App().requestTimeout(40).get('/', never)),
          ),
        '/in/deep',
      ],
    ] as const
  ).map(
    ([name, app, path]): Case => ({
      name: `the timeout ${name}`,
      app,
      request: { path },
      status: 408,
      body: wireError('RequestTimeout', 'no response within 40 ms'),
    }),
  ),
  ...(
    [
      [
        'a route',
        () =>
          new App().requestTimeout(10).get(route('/', { requestTimeout: Number.POSITIVE_INFINITY }), slow),
        '/',
      ],
      [
        'a mounted App',
        () =>
          new App()
            .requestTimeout(10)
            .route('/in', new App().requestTimeout(Number.POSITIVE_INFINITY).get('/', slow)),
        '/in',
      ],
    ] as const
  ).map(
    ([name, app, path]): Case => ({
      name: `${name} without a timeout in an App with one`,
      app,
      request: { path },
      status: 200,
      body: 'slow',
    }),
  ),
  {
    name: 'a timeout of the App that mounts',
    app: () => new App().requestTimeout(40).route('/in', new App().get('/', never)),
    request: { path: '/in' },
    status: 408,
    body: late,
  },
  notRun(),
  {
    name: 'a middleware that hangs in its finally',
    app: hangingFinally,
    request: { path: '/' },
    status: 408,
    headers: { 'x-outer': 'yes' },
    body: late,
  },
  {
    name: 'the outermost middleware hangs in its finally',
    app: () => new App().requestTimeout(40).use(hangInFinally).get('/', never),
    request: { path: '/' },
    status: 408,
    body: late,
  },
];
