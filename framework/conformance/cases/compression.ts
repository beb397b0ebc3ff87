// Cases: what is compressed, what is not, and what the answer says of it.
import { App } from '../../app/app.js';
import { FwError } from '../../http/errors.js';
import { type CompressionOptions, compression } from '../../middleware/compression/index.js';
import type { Case } from '../case.js';

const big = 'x'.repeat(5_000);

const app = (options?: CompressionOptions) => () =>
  new App()
    .use(compression(options))
    .get('/big', () => big)
    .get('/small', () => 'small')
    .get('/known/:length', (ctx) =>
      ctx.header('Content-Length', ctx.req.param('length')).header('ETag', '"a"').text(''),
    )
    .get('/typed/*type', (ctx) => ctx.header('Content-Type', ctx.req.param('type')).text(big))
    .get('/encoded', (ctx) => ctx.header('Content-Encoding', 'x-own').text(big))
    .get('/kept', (ctx) => ctx.header('Cache-Control', 'public, no-transform').text(big))
    .get('/range', (ctx) => ctx.status(206).header('Content-Range', 'bytes 0-1/2').text(big))
    .get('/ranges', (ctx) =>
      ctx.status(206).header('Content-Type', 'multipart/byteranges; boundary=b').text(big),
    )
    .get('/no-range', (ctx) => ctx.status(416).header('Content-Range', 'bytes */2').text(big))
    .get('/strong', (ctx) => ctx.header('ETag', '"a"').text(big))
    .get('/weak', (ctx) => ctx.header('ETag', 'W/"a"').text(big))
    .get('/varies', (ctx) => ctx.header('Vary', 'Origin').text(big))
    .get('/varies-by-all', (ctx) => ctx.header('Vary', '*').text(big))
    .get('/varies-by-it', (ctx) => ctx.header('Vary', 'Origin, accept-ENCODING').text(big))
    .get('/error', () => {
      throw FwError.badRequest(big);
    });

const asked = (name: string, path: string, accept: string, headers: Case['headers'], status = 200): Case => ({
  name,
  app: app(),
  request: { path, headers: { 'Accept-Encoding': accept } },
  status,
  headers: { vary: 'Accept-Encoding', ...headers },
});

const plain = { 'content-encoding': undefined };

export const compressed: Case[] = [
  asked('brotli where both are accepted', '/big', 'gzip, br', { 'content-encoding': 'br' }),
  asked('gzip where only that is', '/big', 'gzip', { 'content-encoding': 'gzip' }),
  { ...asked('neither', '/big', 'deflate', plain), body: big },
  { ...asked('identity asked for', '/big', 'identity', plain), body: big },
  { ...asked('a small body', '/small', 'br', { ...plain, 'content-length': '5' }), body: 'small' },
  ...[
    'image/png',
    'image/svg+xml',
    'audio/ogg',
    'video/mp4',
    'font/woff2',
    'application/zip',
    'text/event-stream',
  ].map((type) => ({ ...asked(`the type ${type}`, `/typed/${type}`, 'br', plain), body: big })),
  asked('the type application/json', '/typed/application/json', 'br', { 'content-encoding': 'br' }),
  { ...asked('an encoded body', '/encoded', 'br', { 'content-encoding': 'x-own' }), body: big },
  { ...asked('no-transform', '/kept', 'br', plain), body: big },
  { ...asked('a range', '/range', 'br', plain, 206), body: big },
  { ...asked('several ranges, which have no Content-Range', '/ranges', 'br', plain, 206), body: big },
  { ...asked('a range that cannot be satisfied', '/no-range', 'br', plain, 416), body: big },
  asked('a strong ETag becomes weak', '/strong', 'br', { etag: 'W/"a"', 'content-encoding': 'br' }),
  asked('a weak ETag stays', '/weak', 'br', { etag: 'W/"a"', 'content-encoding': 'br' }),
  asked('Vary is added to', '/varies', 'br', { vary: 'Origin, Accept-Encoding', 'content-encoding': 'br' }),
  asked('Vary: * says it already', '/varies-by-all', 'br', { vary: '*', 'content-encoding': 'br' }),
  asked('Vary is not said twice', '/varies-by-it', 'br', {
    vary: 'Origin, accept-ENCODING',
    'content-encoding': 'br',
  }),
  asked('errors too', '/error', 'gzip', { 'content-encoding': 'gzip' }, 400),
  {
    name: 'gzip alone offers gzip only',
    app: app({ encodings: ['gzip'] }),
    request: { path: '/big', headers: { 'Accept-Encoding': 'br;q=1, gzip;q=0.1' } },
    status: 200,
    headers: { 'content-encoding': 'gzip' },
  },
  {
    name: 'HEAD says what GET would',
    app: app(),
    request: { method: 'HEAD', path: '/big', headers: { 'Accept-Encoding': 'gzip' } },
    status: 200,
    headers: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
    body: '',
  },
  ...(
    [
      ['5000', { 'content-encoding': 'gzip', 'content-length': undefined, etag: 'W/"a"' }],
      ['50', { 'content-encoding': undefined, 'content-length': '50', etag: '"a"' }],
    ] as const
  ).map(
    ([length, headers]): Case => ({
      name: `HEAD of ${length} bytes that the handler has not made`,
      app: app(),
      request: { method: 'HEAD', path: `/known/${length}`, headers: { 'Accept-Encoding': 'gzip' } },
      status: 200,
      headers,
      body: '',
    }),
  ),
];
