// Cases: bodies over the limit of the App.
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import { route } from '../../extract/route.js';
import { RpcRegistry } from '../../rpc/registry/registry.js';
import { type Case, wireError } from '../case.js';

const app = () =>
  new App()
    .maxBodySize(10)
    .use(async (_ctx, next) => {
      const response = await next().catch((error: unknown) => {
        throw error;
      });
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .post('/text', async (ctx) => ctx.text(await ctx.req.text()))
    .post('/stream', async (ctx) => {
      let length = 0;
      for await (const chunk of ctx.req.stream) length += chunk.length;
      return length;
    })
    .post('/ignored', () => 'not read')
    .get('/', () => 'no body');

const post = (name: string, path: string, body: string, status: number, answer: unknown): Case => ({
  name,
  app,
  request: { method: 'POST', path, body },
  status,
  body: answer,
});

const text = async (ctx: Context) => ctx.text(await ctx.req.text());

/** Limits of routes, and of Apps inside of each other. */
const own = () =>
  new App()
    .maxBodySize(10)
    .post('/text', text)
    .post(route('/upload', { maxBodySize: 20 }), text)
    .post(route('/small', { maxBodySize: 3 }), text)
    .post(route('/unlimited', { maxBodySize: Number.POSITIVE_INFINITY }), text)
    .post(route('/form', { maxBodySize: 200 }), async (ctx) =>
      ctx.json([...(await ctx.req.formData()).keys()]),
    )
    .route(
      '/in',
      new App()
        .maxBodySize(20)
        .post('/text', text)
        .post(route('/small', { maxBodySize: 3 }), text)
        .notFound(text)
        .mountRpc(
          '/rpc',
          new RpcRegistry().mutationWithTypes('echo', ({ a }: { a: string }) => a, '{ a: string }', 'string'),
        )
        .route('/deep', new App().post('/text', text))
        .route('/free', new App().maxBodySize(Number.POSITIVE_INFINITY).post('/text', text)),
    )
    .route('/plain', new App().post('/text', text));

/** A body of the size; answered with itself, or 413 by the limit. */
const sized = (path: string, size: number, limit?: number): Case => ({
  name: `${size} bytes for ${path}`,
  app: own,
  request: { method: 'POST', path, body: 'x'.repeat(size) },
  status: limit === undefined ? 200 : 413,
  body:
    limit === undefined
      ? 'x'.repeat(size)
      : wireError('PayloadTooLarge', `the request body is larger than ${limit} bytes`),
});

const tooLarge = wireError('PayloadTooLarge', 'the request body is larger than 10 bytes');

export const limits: Case[] = [
  post('a body of the limit', '/text', '0123456789', 200, '0123456789'),
  post('a streamed body of the limit', '/stream', '0123456789', 200, '10'),
  post('an empty body', '/text', '', 200, ''),
  post('a body over the limit', '/text', '0123456789+', 413, tooLarge),
  post('a streamed body over the limit', '/stream', 'x'.repeat(100_000), 413, tooLarge),
  post('the limit counts bytes', '/text', 'üüüüüü', 413, tooLarge),
  post('a miss is a miss, whatever its body', '/nope', 'x'.repeat(100), 404, undefined),
  sized('/text', 11, 10),
  sized('/upload', 20),
  sized('/upload', 21, 20),
  sized('/small', 4, 3),
  sized('/unlimited', 100_000),
  sized('/in/text', 20),
  sized('/in/text', 21, 20),
  sized('/in/small', 4, 3),
  sized('/in/missing', 21, 20),
  sized('/in/deep/text', 21, 20),
  sized('/in/free/text', 100_000),
  sized('/plain/text', 11, 10),
  {
    name: 'a call in an App with a limit of its own',
    app: own,
    request: {
      method: 'POST',
      path: '/in/rpc',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"x"}}',
    },
    status: 413,
    body: wireError('PayloadTooLarge', 'the request body is larger than 20 bytes'),
  },
  {
    name: 'a form for a route with a limit of its own',
    app: own,
    request: {
      method: 'POST',
      path: '/form',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `a=${'x'.repeat(100)}`,
    },
    status: 200,
    body: ['a'],
  },
  { name: 'a request without a body', app, request: { path: '/' }, status: 200, body: 'no body' },
];
