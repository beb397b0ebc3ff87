// Cases: what each kind of returned value becomes, and what is queued for it.
import { App } from '../../app/app.js';
import type { HandlerResult } from '../../context/handlers.js';
import type { Case } from '../case.js';

const returning = (make: () => HandlerResult | Promise<HandlerResult>) => () => new App().get('/', make);

const result = (
  name: string,
  make: () => HandlerResult | Promise<HandlerResult>,
  status: number,
  type: string | undefined,
  body: unknown,
): Case => ({
  name,
  app: returning(make),
  request: { path: '/' },
  status,
  headers: { 'content-type': type },
  body,
});

const json = 'application/json';
const text = 'text/plain; charset=utf-8';

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('one ');
  yield new TextEncoder().encode('twö');
}

const latin1 = () =>
  new App()
    .use(async (_ctx, next) => {
      const response = await next();
      response.headers.set('X-Name', 'Zo\u00eb');
    })
    .get('/text', () => 'gr\u00fc\u00dfe ')
    .get('/typed', (ctx) => ctx.header('Content-Type', 'text/x-own').text('gr\u00fc\u00dfe '))
    .get('/stream', (ctx) => ctx.header('Content-Length', 8).stream(greetings(), 'text/plain'))
    .get('/bytes', () => new TextEncoder().encode('gr\u00fc\u00dfe '));

async function* greetings(): AsyncGenerator<string> {
  yield 'gr\u00fc';
  yield '\u00dfe ';
}

/** Handlers that know the length of a body without making it, as from object storage. */
const known = () =>
  new App()
    .get('/response', () => new Response(null, { headers: { 'Content-Length': '12345' } }))
    .get('/field', (ctx) => ctx.header('Content-Length', 12_345).text(''))
    .get('/unchanged', (ctx) => ctx.status(304).header('Content-Length', 12_345).text(''))
    .get('/text', (ctx) => ctx.header('Content-Length', 12_345).text('four'))
    .get('/broken', () => new Response(null, { headers: { 'Content-Length': '12x' } }))
    .get('/unknown', () => new Response(null, { headers: { 'Content-Type': 'text/plain' } }))
    .mount('/mounted', () => new Response(null, { headers: { 'Content-Length': '12345' } }));

const head = (path: string, length: string | undefined): Case => ({
  name: `the length of HEAD ${path}`,
  app: known,
  request: { path, method: 'HEAD' },
  status: path === '/unchanged' ? 304 : 200,
  headers: { 'content-length': length },
  body: '',
});

const lengths: Case[] = [
  head('/response', '12345'),
  head('/field', '12345'),
  head('/mounted', '12345'),
  head('/unchanged', '12345'),
  head('/text', '4'),
  head('/broken', undefined),
  head('/unknown', undefined),
  {
    name: 'a length that is not that of the body',
    app: known,
    request: { path: '/text' },
    status: 200,
    headers: { 'content-length': '4' },
    body: 'four',
  },
  {
    name: 'a length of a body that is not there',
    app: known,
    request: { path: '/field' },
    status: 200,
    headers: { 'content-length': '0' },
    body: '',
  },
  {
    name: 'the length of 304',
    app: known,
    request: { path: '/unchanged' },
    status: 304,
    headers: { 'content-length': '12345' },
    body: '',
  },
];

export const results: Case[] = [
  result('an object is JSON', () => ({ a: 1 }), 200, json, { a: 1 }),
  result('an array is JSON', () => [1, 2], 200, json, [1, 2]),
  result('a number is JSON', () => 7, 200, json, '7'),
  result('false is JSON', () => false, 200, json, 'false'),
  result('null is JSON', () => null, 200, json, 'null'),
  result('a string is text', () => 'grüße', 200, text, 'grüße'),
  result('an empty string is text', () => '', 200, text, ''),
  result('nothing is 204', () => undefined, 204, undefined, ''),
  result(
    'bytes are an octet-stream',
    () => new Uint8Array([104, 105]),
    200,
    'application/octet-stream',
    'hi',
  ),
  result('a promise of a value is the value', async () => ({ later: true }), 200, json, { later: true }),
  result(
    'a web Response keeps status, type and body',
    () => new Response('<svg/>', { status: 202, headers: { 'Content-Type': 'image/svg+xml' } }),
    202,
    'image/svg+xml',
    '<svg/>',
  ),
  result(
    'a web Response may stream',
    () => new Response(ReadableStream.from(chunks())),
    200,
    undefined,
    'one twö',
  ),
  result('an empty web Response', () => new Response(null, { status: 204 }), 204, undefined, ''),
  {
    name: 'the default middleware adds X-Powered-By',
    app: returning(() => 'x'),
    request: { path: '/' },
    status: 200,
    headers: { 'x-powered-by': 'fw', 'content-length': '1' },
  },
  {
    name: 'an App without defaults adds nothing',
    app: () => App.withoutDefaults().get('/', () => 'x'),
    request: { path: '/' },
    status: 200,
    headers: { 'x-powered-by': undefined },
  },
  {
    name: 'a handler may set X-Powered-By itself',
    app: () => new App().get('/', (ctx) => ctx.header('x-powered-by', 'steam').text('x')),
    request: { path: '/' },
    status: 200,
    headers: { 'x-powered-by': 'steam' },
  },
  {
    name: 'queued status and fields apply to a plain value',
    app: () =>
      new App().get('/', (ctx) => {
        ctx.status(201).header('Location', '/things/1').header('X-Count', 3);
        return { id: 1 };
      }),
    request: { path: '/' },
    status: 201,
    headers: { location: '/things/1', 'x-count': '3', 'content-type': json },
    body: { id: 1 },
  },
  {
    name: 'queued status and fields apply to a web Response',
    app: () =>
      new App().get('/', (ctx) => {
        ctx.status(203).header('X-A', 'queued');
        return new Response('x', { headers: { 'X-A': 'own', 'X-B': 'own' } });
      }),
    request: { path: '/' },
    status: 203,
    headers: { 'x-a': 'queued', 'x-b': 'own' },
  },
  {
    name: 'a queued field replaces the content type',
    app: () => new App().get('/', (ctx) => ctx.header('Content-Type', 'text/csv').text('a,b')),
    request: { path: '/' },
    status: 200,
    headers: { 'content-type': 'text/csv', 'content-length': '3' },
  },
  {
    name: 'html',
    app: () => new App().get('/', (ctx) => ctx.html('<p>hi</p>')),
    request: { path: '/' },
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<p>hi</p>',
  },
  {
    name: 'redirect is 302',
    app: () => new App().get('/', (ctx) => ctx.redirect('/elsewhere?a=ü')),
    request: { path: '/' },
    status: 302,
    headers: { location: '/elsewhere?a=%C3%BC' },
    body: '',
  },
  {
    name: 'redirect with another status',
    app: () => new App().get('/', (ctx) => ctx.status(201).redirect('/see', 303)),
    request: { path: '/' },
    status: 303,
    headers: { location: '/see' },
  },
  {
    name: 'a wrong Content-Length of the handler is corrected',
    app: () => new App().get('/', (ctx) => ctx.header('Content-Length', '1').text('four')),
    request: { path: '/' },
    status: 200,
    headers: { 'content-length': '4' },
    body: 'four',
  },
  {
    name: 'a 304 has no body',
    app: () => new App().get('/', (ctx) => ctx.status(304).text('ignored')),
    request: { path: '/' },
    status: 304,
    body: '',
  },
  {
    name: "a web Response's fields of its connection are left out",
    app: returning(
      () =>
        new Response('x', { headers: { Trailer: 'X-A', 'Keep-Alive': 'timeout=9', 'Content-Length': '1' } }),
    ),
    request: { path: '/' },
    status: 200,
    headers: { trailer: undefined, 'content-length': '1' },
    body: 'x',
  },
  {
    name: 'a 204 has no body',
    app: () => new App().get('/', (ctx) => ctx.status(204).text('ignored')),
    request: { path: '/' },
    status: 204,
    headers: { 'content-length': undefined },
    body: '',
  },
  {
    name: 'a 204 has no length either',
    app: () => new App().get('/', (ctx) => ctx.status(204).header('Content-Length', '9').text('ignored')),
    request: { path: '/' },
    status: 204,
    headers: { 'content-length': undefined },
    body: '',
  },
  {
    name: 'a 204 drops the length of the stream it was made from',
    app: () =>
      new App().get('/', (ctx) => {
        ctx.status(204);
        return new Response('text', { headers: { 'Content-Length': '4' } });
      }),
    request: { path: '/' },
    status: 204,
    headers: { 'content-length': undefined },
    body: '',
  },
  ...['/text', '/typed', '/bytes', '/stream'].map(
    (path): Case => ({
      name: `a field in Latin-1 beside a body in UTF-8: ${path}`,
      app: latin1,
      request: { path },
      status: 200,
      headers: { 'x-name': 'Zo\u00eb', 'content-length': '8' },
      body: 'gr\u00fc\u00dfe ',
    }),
  ),
  ...lengths,
  {
    name: 'HEAD of a stream ends the producer',
    app: () => new App().get('/', () => new Response(ReadableStream.from(chunks()))),
    request: { path: '/', method: 'HEAD' },
    status: 200,
    body: '',
  },
];
