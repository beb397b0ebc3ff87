// Cases: the chain around a handler.
import { App } from '../../app/app.js';
import { requireAuth } from '../../auth/principal.js';
import type { Middleware } from '../../context/handlers.js';
import { errorResponse } from '../../dispatch/error-response.js';
import { createMiddleware } from '../../extract/context-middleware.js';
import { route } from '../../extract/route.js';
import { Cookie } from '../../http/cookie.js';
import { FwError } from '../../http/errors.js';
import { FwResponse } from '../../http/response.js';
import { type Case, wireError } from '../case.js';

/** Marks the way in by a request value and the way out by a header field. */
function marking(name: string): Middleware {
  return async function mark(ctx, next) {
    ctx.set('in', `${ctx.get('in') ?? ''}${name}`);
    const response = await next();
    response.headers.set('X-Out', `${response.headers.get('x-out') ?? ''}${name}`);
    return response;
  };
}

async function failingAudit(): Promise<void> {
  await new Promise(setImmediate);
  throw FwError.serviceUnavailable('no audit');
}

const base = () => new App().use(marking('A')).useMiddleware(marking('B')).use(marking('C'));

const failing =
  (make: Middleware): (() => App) =>
  () =>
    new App().use(make).get('/', () => 'x');

const internal = wireError('Internal', 'internal server error');

export const middleware: Case[] = [
  {
    name: 'A → B → C → handler → C → B → A',
    app: () => base().get('/', (ctx) => ctx.get('in')),
    request: { path: '/' },
    status: 200,
    body: 'ABC',
    headers: { 'x-out': 'CBA' },
  },
  {
    name: 'middleware registered after the route covers it',
    app: () => new App().get('/', (ctx) => ctx.get('in')).use(marking('late')),
    request: { path: '/' },
    status: 200,
    body: 'late',
  },
  {
    name: 'middleware of one route runs inside that of the App',
    app: () =>
      base().get(route('/', { use: [marking('D'), createMiddleware((_, next) => next())] }), (ctx) =>
        ctx.get('in'),
      ),
    request: { path: '/' },
    status: 200,
    body: 'ABCD',
    headers: { 'x-out': 'DCBA' },
  },
  {
    name: 'middleware of one route does not run around another',
    app: () =>
      base()
        .get(route('/x', { use: [marking('D')] }), () => 'x')
        .get('/', (ctx) => ctx.get('in')),
    request: { path: '/' },
    status: 200,
    body: 'ABC',
    headers: { 'x-out': 'CBA' },
  },
  {
    name: 'an App takes middleware of createMiddleware',
    app: () =>
      base()
        .use(requireAuth())
        .get('/', () => 'never'),
    request: { path: '/' },
    status: 401,
    body: wireError('Unauthorized', 'authentication is required'),
    headers: { 'x-out': undefined },
  },
  {
    name: 'returning without next short-circuits',
    app: () =>
      new App()
        .use(marking('A'))
        .use((ctx) => ctx.status(202).text('short'))
        .use(marking('never'))
        .get('/', () => 'x'),
    request: { path: '/' },
    status: 202,
    body: 'short',
    headers: { 'x-out': 'A' },
  },
  {
    name: 'a short-circuiting web Response',
    app: failing(() => new Response('web', { status: 203 })),
    request: { path: '/' },
    status: 203,
    body: 'web',
  },
  {
    name: 'nothing after next keeps its response',
    app: () =>
      new App()
        .use(async (_ctx, next) => {
          await next();
        })
        .get('/', () => 'kept'),
    request: { path: '/' },
    status: 200,
    body: 'kept',
  },
  {
    name: 'next may be returned as it is',
    app: () => new App().use((ctx, next) => next(ctx)).get('/', () => 'kept'),
    request: { path: '/' },
    status: 200,
    body: 'kept',
  },
  {
    name: 'fields queued after next still apply',
    app: () =>
      new App()
        .use(async (ctx, next) => {
          await next();
          ctx.header('X-Late', 'yes');
        })
        .get('/', () => 'x'),
    request: { path: '/' },
    status: 200,
    headers: { 'x-late': 'yes' },
  },
  {
    name: 'parameters are readable in middleware',
    app: () =>
      new App()
        .use(async (ctx, next) => {
          ctx.header('X-Id', ctx.req.param('id'));
          return next();
        })
        .get('/u/:id', () => 'x'),
    request: { path: '/u/7' },
    status: 200,
    headers: { 'x-id': '7' },
  },
  {
    name: '404 passes through middleware',
    app: () => base().get('/', () => 'x'),
    request: { path: '/nope' },
    status: 404,
    headers: { 'x-powered-by': 'fw' },
  },
  {
    name: 'middleware can turn a 404 into an answer',
    app: () =>
      new App().use(async (ctx, next) => {
        try {
          return await next();
        } catch (error) {
          return ctx.status(200).text(`caught ${(error as FwError).status}`);
        }
      }),
    request: { path: '/nope' },
    status: 200,
    body: 'caught 404',
  },
  {
    name: 'middleware sees 405 and OPTIONS',
    app: () =>
      new App()
        .use(async (_ctx, next) => {
          const response = await next().catch(errorResponse);
          response.headers.set('X-Seen', String(response.status));
          return response;
        })
        .post('/', () => 'x'),
    request: { path: '/', method: 'GET' },
    status: 405,
    headers: { 'x-seen': '405', allow: 'OPTIONS, POST' },
  },
  {
    name: "errorResponse with the context is the application's onError",
    app: () =>
      new App()
        .onError((error) => ({ oops: (error as Error).message }))
        .use(async (ctx, next) => {
          const response = await next().catch((error: unknown) => errorResponse(error, ctx));
          response.headers.set('X-Seen', String(response.status));
          return response;
        })
        .get('/', () => {
          throw FwError.forbidden('no');
        }),
    request: { path: '/' },
    status: 403,
    headers: { 'x-seen': '403' },
    body: { oops: 'no' },
  },
  {
    name: 'a throw in middleware is answered',
    app: failing(() => {
      throw FwError.forbidden('not you');
    }),
    request: { path: '/' },
    status: 403,
    body: wireError('Forbidden', 'not you'),
  },
  {
    name: 'a rejection in middleware is answered',
    app: failing(async () => {
      throw FwError.unauthorized('who are you');
    }),
    request: { path: '/' },
    status: 401,
    body: wireError('Unauthorized', 'who are you'),
  },
  {
    name: 'an answer that does not wait for a rest that fails',
    app: () =>
      new App()
        .use((ctx, next) => {
          next();
          return ctx.text('early');
        })
        .get('/', (ctx) => ctx.req.json()),
    request: { path: '/' },
    status: 200,
    body: 'early',
  },
  {
    name: 'a middleware that fails before it looks at a rest that fails',
    app: () =>
      new App()
        .use(async (_ctx, next) => {
          const rest = next();
          await failingAudit();
          return rest;
        })
        .get('/', () => {
          throw FwError.badRequest('bad');
        }),
    request: { path: '/' },
    status: 503,
    body: wireError('ServiceUnavailable', 'no audit'),
  },
  {
    name: 'a second call of next() that is not awaited',
    app: failing((_ctx, next) => {
      next();
      next();
    }),
    request: { path: '/' },
    status: 200,
    body: 'x',
  },
  {
    name: 'a response of another request is a 500, for it holds what was queued there',
    app: () => {
      const kept = FwResponse.json('kept');
      const app = App.withoutDefaults()
        .use((ctx, next) => {
          ctx.setCookie(new Cookie('sid', ctx.req.query('user') ?? 'me'));
          return next();
        })
        .get('/', () => kept);
      void app.oneshot(new Request('http://x/?user=other'));
      return app;
    },
    request: { path: '/' },
    status: 500,
    cookies: [],
    body: internal,
  },
  {
    name: 'calling next twice is a 500',
    app: failing(async function twice(_ctx, next) {
      await next();
      return next();
    }),
    request: { path: '/' },
    status: 500,
    body: internal,
  },
  {
    name: 'returning nothing without next is a 500',
    app: failing(() => {}),
    request: { path: '/' },
    status: 500,
    body: internal,
  },
  {
    name: 'a body replaced by middleware gets its own length',
    app: () =>
      new App()
        .use(async (_ctx, next) => {
          const response = await next();
          response.headers.set('ETag', '"old"');
          response.body = { kind: 'full', bytes: new TextEncoder().encode('shorter') };
          return response;
        })
        .get('/', () => 'a much longer body'),
    request: { path: '/' },
    status: 200,
    headers: { 'content-length': '7', etag: undefined },
    body: 'shorter',
  },
];
