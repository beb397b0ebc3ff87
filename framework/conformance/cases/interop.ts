// Cases: fetch handlers and Connect middleware of other makers.
import helmet from 'helmet';
import { App } from '../../app/app.js';
import { fromConnect } from '../../middleware/connect/from-connect.js';
import { type Case, type SentRequest, wireError } from '../case.js';

async function other(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  if (pathname === '/throws') throw new Error('secret');
  if (pathname === '/nothing') return undefined as unknown as Response;
  if (pathname === '/cookies') {
    const headers = new Headers({ 'Content-Type': 'text/x-own', 'X-Own': 'yes' });
    headers.append('Set-Cookie', 'a=1; Path=/');
    headers.append('Set-Cookie', 'b=2; Path=/');
    return new Response('cookies', { status: 418, headers });
  }
  if (pathname === '/stream') {
    const chunks = ['one ', 'two'].map((text) => new TextEncoder().encode(text));
    return new Response(ReadableStream.from(chunks));
  }
  if (pathname === '/length') {
    let length = 0;
    if (request.body) for await (const chunk of request.body) length += chunk.length;
    return Response.json(length);
  }
  if (pathname === '/catches') {
    const text = await request.text().catch(() => 'a body that breaks off');
    return Response.json(text, { status: text.startsWith('a body') ? 500 : 200 });
  }
  if (pathname === '/wraps') {
    const text = await request.text().catch((cause) => {
      throw new Error('cannot read', { cause });
    });
    return Response.json(text);
  }
  if (pathname === '/ignored') return new Response('not read');
  const { method, headers } = request;
  return Response.json([method, pathname + search, await request.text(), headers.get('x-sent')]);
}

const app = () =>
  new App()
    .use(async (ctx, next) => {
      if (ctx.req.header('x-buffer') !== undefined) await ctx.req.text();
      const response = await next();
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .mount('/other', other)
    .mount('/orgs/:org/app', { fetch: other })
    .mount('/kept/:org', other, { keepPrefix: true })
    .all('/handed/*rest', (ctx) => other(ctx.req.request()))
    .post('/both', async (ctx) => {
      const request = ctx.req.request();
      const [read, other] = ctx.req.query('first') === 'request' ? [request, ctx.req] : [ctx.req, request];
      const text = await read.text();
      return [text, await other.text().catch((error: Error) => error.name), request === ctx.req.request()];
    })
    .get('/other/own', () => 'a route of its own wins')
    .get('/others', () => 'beside it');

const tooLong = 'x'.repeat(100);
const tooLarge = wireError('PayloadTooLarge', 'the request body is larger than 10 bytes');

const limited = () => new App().maxBodySize(10).mount('/other', other);

const request = (name: string, sent: SentRequest, answer: unknown, rest: Partial<Case> = {}): Case => ({
  name,
  app,
  request: sent,
  status: 200,
  body: answer,
  ...rest,
});

const sees = (name: string, path: string, seen: string): Case =>
  request(name, { path }, ['GET', seen, '', null], { headers: { 'x-outer': 'yes', 'x-powered-by': 'fw' } });

const post = (path: string, body: string, headers: Record<string, string> = {}): SentRequest => ({
  method: 'POST',
  path,
  body,
  headers,
});

export const mountedHandlers: Case[] = [
  sees('the prefix itself', '/other', '/'),
  sees('the prefix with a slash', '/other/', '/'),
  sees('a query on the prefix', '/other?a=1&b=%2F', '/?a=1&b=%2F'),
  sees('a path below', '/other/a/b', '/a/b'),
  sees('slashes and case are kept', '/other//A//b/', '//A//b/'),
  sees('encoding is kept', '/other/a%2Fb%20c%25', '/a%2Fb%20c%25'),
  sees('an encoded prefix', '/%6Fther/x', '/x'),
  sees('a prefix with a parameter', '/orgs/a%2Fb/app/x', '/x'),
  sees('a parameter with a prefix in it', '/orgs/other/app', '/'),
  {
    ...sees('a backslash is not a slash', '/other/a\\..\\b', '/a%5C..%5Cb'),
    socketsOnly: 'a web Request has made it one already',
  },
  sees('a prefix that is kept', '/kept/a%2Fb/x?q=1', '/kept/a%2Fb/x?q=1'),
  sees('a kept prefix itself', '/kept/a', '/kept/a'),
  sees('a kept prefix with a slash', '/kept/a/', '/kept/a/'),
  {
    ...sees('a backslash behind a kept prefix', '/kept/a\\..\\b', '/kept/a%5C..%5Cb'),
    socketsOnly: 'a web Request has made it one already',
  },
  request('a body behind a kept prefix', post('/kept/a', 'sent', { 'X-Sent': 'yes' }), [
    'POST',
    '/kept/a',
    'sent',
    'yes',
  ]),
  sees('a request that a handler hands on', '/handed/a%2Fb?q=1', '/handed/a%2Fb?q=1'),
  request('a body that a handler hands on', post('/handed/x', 'sent', { 'X-Sent': 'yes' }), [
    'POST',
    '/handed/x',
    'sent',
    'yes',
  ]),
  request('a body that was read before it is handed on', post('/handed/x', 'sent', { 'X-Buffer': 'yes' }), [
    'POST',
    '/handed/x',
    'sent',
    null,
  ]),
  request('a request without a body that is handed on', { method: 'DELETE', path: '/handed/x' }, [
    'DELETE',
    '/handed/x',
    '',
    null,
  ]),
  request('a body that is read from the Request is not there any more', post('/both?first=request', 'sent'), [
    'sent',
    'Error',
    true,
  ]),
  request('a body that is buffered is also that of the Request', post('/both', 'sent'), [
    'sent',
    'sent',
    true,
  ]),
  request('a method that no Request has, handed on', { method: 'TRACE', path: '/handed/x' }, undefined, {
    status: 405,
    socketsOnly: 'a web Request cannot be made',
  }),
  request('the prefix ends with a segment', { path: '/others' }, 'beside it'),
  request('a longer segment is not below it', { path: '/otherwise' }, undefined, { status: 404 }),
  request('a route under the prefix wins', { path: '/other/own' }, 'a route of its own wins'),
  request('method, header fields and body', post('/other/x', 'sent', { 'X-Sent': 'yes' }), [
    'POST',
    '/x',
    'sent',
    'yes',
  ]),
  request('a body that middleware has read', post('/other/x', 'sent', { 'X-Buffer': 'yes' }), [
    'POST',
    '/x',
    'sent',
    null,
  ]),
  request('an empty body', { method: 'DELETE', path: '/other/x' }, ['DELETE', '/x', '', null]),
  request('a large body', post('/other/length', 'x'.repeat(500_000)), '500000'),
  request('a body that is not read', post('/other/ignored', 'x'.repeat(100_000)), 'not read'),
  request('OPTIONS is its own', { method: 'OPTIONS', path: '/other/x' }, ['OPTIONS', '/x', '', null]),
  request('HEAD', { method: 'HEAD', path: '/other/x' }, ''),
  request('another method', { method: 'PROPFIND', path: '/other/x' }, ['PROPFIND', '/x', '', null]),
  request('a stream', { path: '/other/stream' }, 'one two', { headers: { 'x-outer': 'yes' } }),
  request('status, header fields and cookies', { path: '/other/cookies' }, 'cookies', {
    status: 418,
    headers: { 'content-type': 'text/x-own', 'x-own': 'yes', 'x-outer': 'yes' },
    cookies: ['a=1; Path=/', 'b=2; Path=/'],
  }),
  request('a throw', { path: '/other/throws' }, wireError('Internal', 'internal server error'), {
    status: 500,
  }),
  request('no response', { path: '/other/nothing' }, wireError('Internal', 'internal server error'), {
    status: 500,
  }),
  request('a method that no web Request has', { method: 'TRACE', path: '/other/x' }, undefined, {
    status: 405,
    headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' },
    socketsOnly: 'a web Request cannot be made',
  }),
  request(
    'a body over the limit',
    post('/other/x', 'x'.repeat(11)),
    wireError('PayloadTooLarge', 'the request body is larger than 10 bytes'),
    {
      app: limited,
      status: 413,
    },
  ),
  request(
    'a body over the limit in chunks',
    post('/other/x', 'x'.repeat(11), { 'Transfer-Encoding': 'chunked' }),
    wireError('PayloadTooLarge', 'the request body is larger than 10 bytes'),
    { app: limited, status: 413, socketsOnly: 'a web Request has no Transfer-Encoding' },
  ),
  ...['/other/catches', '/other/wraps'].flatMap((path) => [
    request(
      `a body over the limit, whose error the handler answers itself: ${path}`,
      post(path, tooLong),
      tooLarge,
      {
        app: limited,
        status: 413,
      },
    ),
    request(
      `chunks over the limit, whose error the handler answers itself: ${path}`,
      post(path, tooLong, { 'Transfer-Encoding': 'chunked' }),
      tooLarge,
      { app: limited, status: 413, socketsOnly: 'a web Request has no Transfer-Encoding' },
    ),
  ]),
];

const adapted = () =>
  new App()
    .use(fromConnect(helmet()))
    .use(
      fromConnect((req, res, next) => {
        if (req.headers.authorization === 'let me in') return next();
        if (req.headers['x-error'] !== undefined) return next(new Error('secret'));
        res.setHeader('Set-Cookie', ['a=1', 'b=2']);
        res.writeHead(401, { 'Content-Type': 'text/plain' });
        return res.end(`no entry to ${req.url}`);
      }),
    )
    .get('/', (ctx) => ctx.text('inside'))
    .get('/stream', (ctx) => {
      const response = ctx.stream(ReadableStream.from(['one ', 'two']));
      response.headers.set('ETag', '"1"');
      return response;
    })
    .post('/', async (ctx) => ctx.text(await ctx.req.text()));

const through = (
  name: string,
  sent: SentRequest,
  status: number,
  body: unknown,
  rest: Partial<Case> = {},
): Case => ({
  name,
  app: adapted,
  request: sent,
  status,
  body,
  headers: { 'x-content-type-options': 'nosniff', 'x-powered-by': undefined },
  ...rest,
});

const admitted = { Authorization: 'let me in' };

export const connectMiddleware: Case[] = [
  through('passes on', { path: '/', headers: admitted }, 200, 'inside'),
  through('passes a body on', { method: 'POST', path: '/', headers: admitted, body: 'sent' }, 200, 'sent'),
  through('passes a stream on', { path: '/stream', headers: admitted }, 200, 'one two', {
    headers: { 'x-content-type-options': 'nosniff', etag: '"1"' },
  }),
  through('HEAD of a stream', { method: 'HEAD', path: '/stream', headers: admitted }, 200, ''),
  through('passes a miss on', { path: '/nope', headers: admitted }, 404, undefined),
  through('answers itself', { path: '/x?y=%20' }, 401, 'no entry to /x?y=%20', { cookies: ['a=1', 'b=2'] }),
  through(
    'answers a request with a body itself',
    { method: 'POST', path: '/', body: 'x'.repeat(100_000) },
    401,
    'no entry to /',
  ),
  through(
    'passes an error on',
    { path: '/', headers: { 'X-Error': 'yes' } },
    500,
    wireError('Internal', 'internal server error'),
  ),
];
