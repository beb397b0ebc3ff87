// Cases: the id of a request.
import { App } from '../../app/app.js';
import { FwError } from '../../http/errors.js';
import { RequestId, requestId } from '../../middleware/index.js';
import { currentSpan } from '../../tracing/index.js';
import type { Case } from '../case.js';

const app =
  (middleware = requestId()) =>
  () =>
    new App()
      .use(middleware)
      .get('/', async (ctx) => {
        await new Promise(setImmediate);
        return { id: ctx.requestId(), span: currentSpan() };
      })
      .get('/boom', () => {
        throw FwError.forbidden('no');
      });

const kept = (name: string, id: string): Case => ({
  name: `keeps ${name}`,
  app: app(),
  request: { path: '/', headers: { 'X-Request-Id': id } },
  status: 200,
  headers: { 'x-request-id': id },
  body: { id, span: { request_id: id } },
});

/** A new id never equals what came in; its form is checked beside the middleware. */
const replaced = (name: string, id: string): Case => ({
  name: `replaces ${name}`,
  app: () =>
    new App()
      .use(async (_ctx, next) => {
        const response = await next();
        response.headers.set('X-Same', String(response.headers.get('x-request-id') === id));
        return response;
      })
      .use(requestId())
      .get('/', (ctx) =>
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(ctx.requestId() ?? ''),
      ),
  request: { path: '/', headers: { 'X-Request-Id': id } },
  status: 200,
  headers: { 'x-same': 'false' },
  body: 'true',
});

export const requestIds: Case[] = [
  kept('a UUID', '0d7d9f0e-5a8e-4c0e-9d5b-0d8a7a3f0b11'),
  kept('one character', 'x'),
  kept('128 characters', 'x'.repeat(128)),
  replaced('an empty id', ''),
  replaced('129 characters', 'x'.repeat(129)),
  replaced('an id with a space', 'a b'),
  replaced('an id beyond ASCII', 'caf\u00e9'),
  {
    name: 'errors and misses carry it',
    app: app(),
    request: { path: '/boom', headers: { 'X-Request-Id': 'e1' } },
    status: 403,
    headers: { 'x-request-id': 'e1' },
  },
  {
    name: 'another header field',
    app: app(new RequestId().header('X-Correlation-Id').build()),
    request: { path: '/', headers: { 'X-Correlation-Id': 'c1', 'X-Request-Id': 'other' } },
    status: 200,
    headers: { 'x-correlation-id': 'c1', 'x-request-id': undefined },
    body: { id: 'c1', span: { request_id: 'c1' } },
  },
  {
    name: 'without the middleware there is none',
    app: () => new App().get('/', (ctx) => ctx.requestId() ?? 'none'),
    request: { path: '/', headers: { 'X-Request-Id': 'ignored' } },
    status: 200,
    body: 'none',
  },
];
