// Cases: what is thrown becomes one answer, and nothing internal leaves with it.
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import { FwError } from '../../http/errors.js';
import type { FwBody, FwResponse } from '../../http/response.js';
import { type Case, wireError } from '../case.js';

const throwing = (make: () => unknown) => () =>
  new App().get('/', (ctx) => {
    ctx.status(201).header('X-Queued', 'lost');
    throw make();
  });

const variant = (
  name: string,
  make: () => FwError,
  status: number,
  variantName: string,
  message: string,
): Case => ({
  name,
  app: throwing(make),
  request: { path: '/' },
  status,
  body: wireError(variantName, message),
  headers: { 'content-type': 'application/json', 'x-queued': undefined, 'x-powered-by': 'fw' },
});

/** What untyped input can put in place of a body. */
function replaced(ctx: Context, body: unknown): FwResponse {
  const response = ctx.text('x');
  response.body = body as FwBody;
  return response;
}

function lockedResponse(): Response {
  const response = new Response('x');
  response.body?.getReader();
  return response;
}

/** Throws whatever is asked of it. */
function hostile(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const GENERIC = 'internal server error';

export const errors: Case[] = [
  variant('BadRequest', () => FwError.badRequest('bad'), 400, 'BadRequest', 'bad'),
  variant('Unauthorized', () => FwError.unauthorized('who'), 401, 'Unauthorized', 'who'),
  variant('Forbidden', () => FwError.forbidden('no'), 403, 'Forbidden', 'no'),
  variant('NotFound', () => FwError.notFound('no user 7'), 404, 'NotFound', 'no user 7'),
  variant(
    'ValidationError',
    () => FwError.validationError('age: too low'),
    400,
    'ValidationError',
    'age: too low',
  ),
  variant('Internal hides its message', () => FwError.internal('disk /dev/sda1'), 500, 'Internal', GENERIC),
  variant(
    'DatabaseError hides its message',
    () => FwError.databaseError('table x'),
    500,
    'DatabaseError',
    GENERIC,
  ),
  variant('MethodNotAllowed', () => FwError.methodNotAllowed('m'), 405, 'MethodNotAllowed', 'm'),
  variant('PayloadTooLarge', () => FwError.payloadTooLarge('p'), 413, 'PayloadTooLarge', 'p'),
  variant('UnsupportedMediaType', () => FwError.unsupportedMediaType('u'), 415, 'UnsupportedMediaType', 'u'),
  variant('RangeNotSatisfiable', () => FwError.rangeNotSatisfiable('r'), 416, 'RangeNotSatisfiable', 'r'),
  variant('RequestTimeout', () => FwError.requestTimeout('t'), 408, 'RequestTimeout', 't'),
  variant('Conflict', () => FwError.conflict('c'), 409, 'Conflict', 'c'),
  variant('PreconditionFailed', () => FwError.preconditionFailed('p'), 412, 'PreconditionFailed', 'p'),
  variant('UpgradeRequired', () => FwError.upgradeRequired('w'), 426, 'UpgradeRequired', 'w'),
  variant('PreconditionRequired', () => FwError.preconditionRequired('q'), 428, 'PreconditionRequired', 'q'),
  variant('TooManyRequests', () => FwError.tooManyRequests('s'), 429, 'TooManyRequests', 's'),
  variant('BadGateway', () => FwError.badGateway('b'), 502, 'BadGateway', 'b'),
  variant('GatewayTimeout', () => FwError.gatewayTimeout('g'), 504, 'GatewayTimeout', 'g'),
  variant('ServiceUnavailable', () => FwError.serviceUnavailable('d'), 503, 'ServiceUnavailable', 'd'),
  variant(
    'a status of its own',
    () => FwError.validationError('v', { status: 422 }),
    422,
    'ValidationError',
    'v',
  ),
  ...[new TypeError('secret path /etc'), 'a string', undefined, null, { status: 418 }, 42].map(
    (thrown): Case => ({
      name: `a thrown ${thrown === null ? 'null' : typeof thrown} is Internal`,
      app: throwing(() => thrown),
      request: { path: '/' },
      status: 500,
      body: wireError('Internal', GENERIC),
    }),
  ),
  {
    name: 'a thrown proxy that throws when it is asked anything',
    app: throwing(hostile),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: 'a returned FwError is answered like a thrown one',
    app: () => new App().get('/', (ctx) => ctx.status(200) && FwError.notFound('no user 7')),
    request: { path: '/' },
    status: 404,
    body: wireError('NotFound', 'no user 7'),
  },
  {
    name: 'a returned Error is answered like a thrown one',
    app: () => new App().get('/', async () => new Error('secret')),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: 'a rejected handler',
    app: () => new App().get('/', () => Promise.reject(new Error('secret'))),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  ...[
    new Map([['a', 1]]),
    new Set([1]),
    new ArrayBuffer(2),
    new Blob(['x']),
    new URLSearchParams('a=1'),
    new Headers(),
    /x/,
    new Map().entries(),
  ].map(
    (value): Case => ({
      name: `a returned ${value.constructor.name}, whose JSON would be {}`,
      app: () => new App().get('/', () => value),
      request: { path: '/' },
      status: 500,
      body: wireError('Internal', GENERIC),
    }),
  ),
  {
    name: 'a value without JSON form',
    app: () => new App().get('/', () => ({ big: 1n })),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: 'a header value with CR LF',
    app: () => new App().get('/', (ctx) => ctx.header('X-Name', 'a\r\nSet-Cookie: sid=1').text('x')),
    request: { path: '/' },
    status: 500,
    headers: { 'set-cookie': undefined },
    body: wireError('Internal', GENERIC),
  },
  {
    name: "an error's header value with CR LF",
    app: throwing(() => FwError.unauthorized('who', { headers: { 'WWW-Authenticate': 'a\r\nb: c' } })),
    request: { path: '/' },
    status: 500,
    headers: { b: undefined },
    body: wireError('Internal', GENERIC),
  },
  {
    name: "an error's impossible status",
    app: throwing(() => FwError.badRequest('bad', { status: 999 })),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: "an error's impossible status before onError",
    app: () =>
      new App()
        .onError(() => 'not asked')
        .get('/', () => {
          throw FwError.badRequest('bad', { status: 999 });
        }),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  ...[
    ['text', (ctx: Context) => ctx.text(7 as unknown as string)] as const,
    ['html', (ctx: Context) => ctx.html(null as unknown as string)] as const,
    ['a body of no bytes', (ctx: Context) => replaced(ctx, { kind: 'full', bytes: 7 })] as const,
    ['a body of no stream', (ctx: Context) => replaced(ctx, { kind: 'stream', stream: null })] as const,
    [
      'a body with a reader',
      (ctx: Context) => {
        const stream = new ReadableStream();
        stream.getReader();
        return replaced(ctx, { kind: 'stream', stream });
      },
    ] as const,
    ['Trailer', (ctx: Context) => ctx.header('Trailer', 'X-A').text('x')] as const,
    ['a locked Response', lockedResponse] as const,
  ].flatMap(([what, handler]): Case[] =>
    ['GET', 'HEAD'].map((method) => ({
      name: `${what}, wrongly given, with ${method}`,
      app: () => new App().get('/', handler),
      request: { path: '/', method },
      status: 500,
      body: method === 'HEAD' ? '' : wireError('Internal', GENERIC),
    })),
  ),
  {
    name: 'an impossible status',
    app: () =>
      new App().get('/', (ctx) => {
        const response = ctx.text('x');
        response.status = 999;
        return response;
      }),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: 'onError answers, with the status it sets',
    app: () =>
      new App()
        .onError((error, ctx) => ctx.status(418).json({ oops: (error as Error).message }))
        .get('/', () => {
          throw new Error('mine');
        }),
    request: { path: '/' },
    status: 418,
    body: { oops: 'mine' },
  },
  {
    name: "onError's answer has the error's status by default",
    app: () =>
      new App()
        .onError((error) => ({ oops: (error as Error).message }))
        .get('/', (ctx) => {
          ctx.status(201).header('X-Queued', 'lost');
          throw FwError.forbidden('mine');
        }),
    request: { path: '/' },
    status: 403,
    headers: { 'x-queued': undefined },
    body: { oops: 'mine' },
  },
  {
    name: "onError's answer keeps the error's fields",
    app: () => new App().onError((error) => ({ oops: (error as Error).message })).post('/', () => 'x'),
    request: { path: '/' },
    status: 405,
    headers: { allow: 'OPTIONS, POST' },
    body: { oops: 'GET is not allowed here; use OPTIONS, POST' },
  },
  {
    name: 'an onError that throws is answered too',
    app: () =>
      new App()
        .onError(() => {
          throw FwError.serviceUnavailable('later');
        })
        .get('/', () => {
          throw new Error('mine');
        }),
    request: { path: '/' },
    status: 503,
    body: wireError('ServiceUnavailable', 'later'),
  },
  {
    name: 'an async onError that rejects is answered too',
    app: () =>
      new App()
        .onError(async () => {
          throw new Error('second');
        })
        .get('/', () => {
          throw new Error('first');
        }),
    request: { path: '/' },
    status: 500,
    body: wireError('Internal', GENERIC),
  },
  {
    name: 'notFound answers misses with 404',
    app: () => new App().notFound((ctx) => ctx.text(`nothing at ${ctx.req.path}`)),
    request: { path: '/x' },
    status: 404,
    body: 'nothing at /x',
  },
  {
    name: 'a parameter that the route lacks is BadRequest',
    app: () => new App().use((ctx) => ctx.text(ctx.req.param('id'))).get('/', () => 'x'),
    request: { path: '/' },
    status: 400,
    body: wireError('BadRequest', "missing path parameter 'id'"),
  },
];
