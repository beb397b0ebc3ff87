// Cases: static files and the single-page fallback: what is served, from where, and what must not be.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { App } from '../../app.js';
import { compression } from '../../compression/index.js';
import { type Case, wireError } from '../case.js';

const outer = mkdtempSync(join(tmpdir(), 'fw-static-'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const dir = join(outer, 'public');

/** A time of the past, in whole seconds, and as header fields show it. */
const SECONDS = 1_700_000_000;
const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT';
const LARGE = 300_000;

function put(name: string, content: string | Uint8Array, seconds: number = SECONDS): void {
  writeFileSync(join(outer, name), content);
  utimesSync(join(outer, name), seconds, seconds);
}

for (const name of ['css', 'empty', '.git', 'pages', 'js']) mkdirSync(join(dir, name), { recursive: true });
put('secret.txt', 'outside');
put('public/index.html', '<p>index</p>');
put('public/a.txt', '0123456789');
put('public/empty.txt', '');
put('public/css/site.css', 'p{}');
put('public/noext', 'bytes');
put('public/.env', 'SECRET=1');
put('public/.git/config', '[core]');
put('public/50%.txt', 'percent');
put('public/a+b é.txt', 'named');
put('public/large.bin', 'x'.repeat(LARGE));
put('public/js/app.js', 'code');
put('public/js/app.js.gz', gzipSync('code'));
put('public/js/app.js.br', 'pretended brotli');
put('public/js/stale.js', 'new code');
put('public/js/stale.js.br', 'old code', SECONDS - 1);
put('public/js/only.js.gz', gzipSync('alone'));
symlinkSync(join(outer, 'secret.txt'), join(dir, 'escape.txt'));
symlinkSync(outer, join(dir, 'up'));
symlinkSync('a.txt', join(dir, 'inside.txt'));
symlinkSync('loop.txt', join(dir, 'loop.txt'));
symlinkSync('nowhere', join(dir, 'dangling.txt'));

const ETAG = `"10-${SECONDS}"`;

const site = () =>
  new App().serveStatic('/assets', dir, {
    cacheControl: (path) => (path.endsWith('.css') ? 'public, max-age=60' : undefined),
  });

const served = (name: string, path: string, headers: Case['headers'], body: string, sent = {}): Case => ({
  name,
  app: site,
  request: { path, headers: sent },
  status: 200,
  headers: headers ?? {},
  body,
});

const missing = (name: string, path: string, socketsOnly?: string): Case => ({
  name,
  app: site,
  request: { path },
  status: 404,
  headers: { etag: undefined, 'content-type': 'application/json' },
  ...(socketsOnly !== undefined && { socketsOnly }),
});

const conditional = (name: string, sent: Record<string, string>, status: number, headers = {}): Case => ({
  name: `conditional: ${name}`,
  app: site,
  request: { path: '/assets/a.txt', headers: sent },
  status,
  ...(status === 304 && { body: '' }),
  headers: {
    ...(status !== 412 && { etag: ETAG, 'last-modified': DATE }),
    ...(status === 304 && { 'content-type': undefined, 'content-length': undefined }),
    ...headers,
  },
});

const ranged = (range: string, status: number, body: string, contentRange?: string, sent = {}): Case => ({
  name: `range: ${JSON.stringify(range)} ${JSON.stringify(sent)}`,
  app: site,
  request: { path: '/assets/a.txt', headers: { Range: range, ...sent } },
  status,
  headers: {
    'content-range': contentRange,
    'content-encoding': undefined,
    ...(status !== 416 && { 'content-length': String(body.length), etag: ETAG }),
  },
  ...(status !== 416 && { body }),
});

const whole = '0123456789';

const ranges: Case[] = [
  ranged('bytes=0-', 206, whole, 'bytes 0-9/10'),
  ranged('bytes=0-0', 206, '0', 'bytes 0-0/10'),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10'),
  ranged('Bytes=2-4', 206, '234', 'bytes 2-4/10'),
  ranged('bytes=9-', 206, '9', 'bytes 9-9/10'),
  ranged('bytes=5-99999999999999999999999', 206, '56789', 'bytes 5-9/10'),
  ranged('bytes=-3', 206, '789', 'bytes 7-9/10'),
  ranged('bytes=-99999999999999999999999', 206, whole, 'bytes 0-9/10'),
  ranged('bytes=-0', 416, '', 'bytes */10'),
  ranged('bytes=10-', 416, '', 'bytes */10'),
  ranged('bytes=99999999999999999999999-', 416, '', 'bytes */10'),
  ranged('bytes=5-2', 200, whole),
  ranged('bytes=abc', 200, whole),
  ranged('bytes=', 200, whole),
  ranged('bytes=-', 200, whole),
  ranged('bytes=--1', 200, whole),
  ranged('bytes=0x1-2', 200, whole),
  ranged('bytes=1.5-3', 200, whole),
  ranged('bytes 1-2', 200, whole),
  ranged('lines=1-2', 200, whole),
  ranged('bytes=0-1,3-4', 200, whole),
  ranged(`bytes=${Array.from({ length: 900 }, (_, i) => `${i}-${i}`).join(',')}`, 200, whole),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'If-Range': ETAG }),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'If-Range': DATE }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': '"other"' }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': `W/${ETAG}` }),
  ranged('bytes=2-4', 200, whole, undefined, { 'If-Range': 'Tue, 14 Nov 2023 22:13:21 GMT' }),
  ranged('bytes=20-', 200, whole, undefined, { 'If-Range': '"other"' }),
  ranged('bytes=2-4', 206, '234', 'bytes 2-4/10', { 'Accept-Encoding': 'gzip, br' }),
  {
    ...ranged('bytes=0-0', 200, ''),
    name: 'range: of HEAD is ignored',
    request: { method: 'HEAD', path: '/assets/a.txt', headers: { Range: 'bytes=0-0' } },
    headers: { 'content-range': undefined, 'content-length': '10' },
  },
  {
    name: 'range: of an empty file',
    app: site,
    request: { path: '/assets/empty.txt', headers: { Range: 'bytes=0-' } },
    status: 416,
    headers: { 'content-range': 'bytes */0' },
    body: wireError('RangeNotSatisfiable', 'the file has 0 bytes'),
  },
  {
    name: 'range: the end of an empty file',
    app: site,
    request: { path: '/assets/empty.txt', headers: { Range: 'bytes=-5' } },
    status: 200,
    body: '',
  },
  {
    name: 'range: of a large file',
    app: site,
    request: { path: '/assets/large.bin', headers: { Range: 'bytes=150000-299999' } },
    status: 206,
    headers: { 'content-range': `bytes 150000-299999/${LARGE}`, 'content-length': '150000' },
    body: 'x'.repeat(150_000),
  },
  {
    name: 'range: never compressed',
    app: () => new App().use(compression({ minSize: 0 })).serveStatic('/assets', dir),
    request: { path: '/assets/js/app.js', headers: { Range: 'bytes=1-2', 'Accept-Encoding': 'br, gzip' } },
    status: 206,
    headers: { 'content-encoding': undefined, 'content-range': 'bytes 1-2/4' },
    body: 'od',
  },
];

const conditions: Case[] = [
  conditional('the tag', { 'If-None-Match': ETAG }, 304),
  conditional('the weak tag', { 'If-None-Match': `W/${ETAG}` }, 304),
  conditional('a list with the tag', { 'If-None-Match': `"a,b", ${ETAG}` }, 304),
  conditional('any tag', { 'If-None-Match': '*' }, 304),
  conditional('another tag', { 'If-None-Match': '"10-1"' }, 200),
  conditional('a tag without quotes', { 'If-None-Match': `10-${SECONDS}` }, 200),
  conditional('the date', { 'If-Modified-Since': DATE }, 304),
  conditional('a later date', { 'If-Modified-Since': 'Wed, 15 Nov 2023 00:00:00 GMT' }, 304),
  conditional(
    'the date as RFC 850 writes it',
    { 'If-Modified-Since': 'Tuesday, 14-Nov-23 22:13:20 GMT' },
    304,
  ),
  conditional('the date as asctime writes it', { 'If-Modified-Since': 'Tue Nov 14 22:13:20 2023' }, 304),
  conditional('an earlier date', { 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' }, 200),
  conditional('what is no date', { 'If-Modified-Since': '2030-01-01' }, 200),
  conditional('the tag wins over the date', { 'If-None-Match': '"x"', 'If-Modified-Since': DATE }, 200),
  conditional('If-Match with the tag', { 'If-Match': `"x", ${ETAG}` }, 200),
  conditional('If-Match with another tag', { 'If-Match': '"x"' }, 412),
  conditional('If-Match with the weak tag', { 'If-Match': `W/${ETAG}` }, 412),
  conditional('If-Unmodified-Since', { 'If-Unmodified-Since': DATE }, 200),
  conditional(
    'If-Unmodified-Since, too early',
    { 'If-Unmodified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' },
    412,
  ),
  conditional('before the range', { 'If-None-Match': ETAG, Range: 'bytes=0-1' }, 304),
  {
    ...conditional('HEAD', { 'If-None-Match': ETAG }, 304),
    request: { method: 'HEAD', path: '/assets/a.txt', headers: { 'If-None-Match': ETAG } },
  },
  {
    name: 'conditional: a large file',
    app: site,
    request: { path: '/assets/large.bin', headers: { 'If-None-Match': `"${LARGE}-${SECONDS}"` } },
    status: 304,
    body: '',
  },
];

const RESOLVED = 'the URL parser resolves dot segments and backslashes before the App sees them';

const escapes: Case[] = [
  missing('a missing file', '/assets/nope.txt'),
  missing('a directory', '/assets/css'),
  missing('a directory with a slash', '/assets/css/'),
  missing('an empty directory', '/assets/empty'),
  missing('the prefix with a slash, in spite of an index.html', '/assets/'),
  missing('the prefix itself', '/assets'),
  missing('a prefix without a segment boundary', '/assetsx'),
  missing('a file with a slash behind it', '/assets/a.txt/'),
  missing('a path through a file', '/assets/a.txt/b'),
  missing('an empty segment', '/assets//a.txt'),
  missing('an absolute path', '/assets//etc/passwd'),
  missing('an encoded slash', '/assets/css%2Fsite.css'),
  missing('an encoded slash with dots', '/assets/..%2fsecret.txt'),
  missing('an encoded slash and dots, both encoded', '/assets/%2e%2e%2fsecret.txt'),
  missing('double encoding', '/assets/%252e%252e%252fsecret.txt'),
  missing('double encoding of a slash', '/assets/css%252Fsite.css'),
  missing('an encoded backslash', '/assets/..%5csecret.txt'),
  missing('a backslash', '/assets/..\\secret.txt', RESOLVED),
  missing('a NUL', '/assets/a.txt%00'),
  missing('a NUL before another extension', '/assets/secret.txt%00.css'),
  missing('a dotfile', '/assets/.env'),
  missing('an encoded dotfile', '/assets/%2eenv'),
  missing('a directory that starts with a dot', '/assets/.git/config'),
  missing('three dots', '/assets/.../a.txt'),
  missing('a link out of the directory', '/assets/escape.txt'),
  missing('a linked directory outside', '/assets/up/secret.txt'),
  missing('a linked directory outside and back', '/assets/up/public/a.txt/'),
  missing('a link to itself', '/assets/loop.txt'),
  missing('a link to nothing', '/assets/dangling.txt'),
  missing('a name that is too long', `/assets/${'n'.repeat(300)}`),
  missing('a path that is too long', `/assets/${'n/'.repeat(3_000)}x`),
  missing('another case of the prefix', '/ASSETS/a.txt'),
  {
    ...missing('dot segments', '/assets/../secret.txt', RESOLVED),
    status: 400,
    headers: {},
  },
  {
    ...missing('encoded dot segments', '/assets/%2e%2e/secret.txt', RESOLVED),
    status: 400,
    headers: {},
  },
  { ...missing('overlong UTF-8', '/assets/..%c0%afsecret.txt'), status: 400, headers: {} },
];

const coded = (
  name: string,
  path: string,
  accept: string,
  headers: Case['headers'],
  body?: string,
): Case => ({
  name: `precompressed: ${name}`,
  app: site,
  request: { path, headers: { 'Accept-Encoding': accept } },
  status: 200,
  headers: { vary: 'Accept-Encoding', ...headers },
  ...(body !== undefined && { body }),
});

const asIs = { 'content-encoding': undefined, 'accept-ranges': 'bytes' };

const precompressed: Case[] = [
  coded(
    'brotli wins a tie',
    '/assets/js/app.js',
    'gzip, br',
    {
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': '16',
      etag: `"16-${SECONDS}-br"`,
      'last-modified': DATE,
    },
    'pretended brotli',
  ),
  coded('the better weight', '/assets/js/app.js', 'gzip, br;q=0.5', { 'content-encoding': 'gzip' }),
  coded('only what is accepted', '/assets/js/app.js', 'gzip', { 'content-encoding': 'gzip' }),
  coded('none that is refused', '/assets/js/app.js', 'br;q=0, gzip;q=0', asIs, 'code'),
  coded('none that is not there', '/assets/a.txt', 'gzip, br', { ...asIs, etag: ETAG }, whole),
  coded('none that is older than the file', '/assets/js/stale.js', 'br', asIs, 'new code'),
  { ...missing('a coded file does not stand for one', '/assets/js/only.js') },
  {
    ...coded('a condition is about the coding that would be sent', '/assets/js/app.js', 'br', {}),
    request: {
      path: '/assets/js/app.js',
      headers: { 'Accept-Encoding': 'br', 'If-None-Match': `"16-${SECONDS}-br"` },
    },
    status: 304,
    headers: { vary: 'Accept-Encoding', etag: `"16-${SECONDS}-br"` },
    body: '',
  },
  {
    ...coded('compression() leaves them alone', '/assets/js/app.js', 'br', { 'content-encoding': 'br' }),
    app: () => new App().use(compression({ minSize: 0 })).serveStatic('/assets', dir),
    body: 'pretended brotli',
  },
  {
    ...coded('can be left out', '/assets/js/app.js', 'br', { ...asIs, vary: undefined }, 'code'),
    app: () => new App().serveStatic('/assets', dir, { precompressed: false }),
  },
];

const stamped = new App()
  .use(async (ctx, next) => {
    const response = await next();
    response.headers.set('X-Around', ctx.req.path);
    return response;
  })
  .serveStatic('/assets', dir);

export const staticFiles: Case[] = [
  served(
    'a file',
    '/assets/a.txt',
    {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      etag: ETAG,
      'last-modified': DATE,
      'accept-ranges': 'bytes',
      'cache-control': undefined,
      vary: 'Accept-Encoding',
      'x-powered-by': 'fw',
    },
    whole,
  ),
  served(
    'a file below',
    '/assets/css/site.css',
    { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=60' },
    'p{}',
  ),
  served('an empty file', '/assets/empty.txt', { 'content-length': '0', etag: `"0-${SECONDS}"` }, ''),
  served(
    'a file without extension',
    '/assets/noext',
    { 'content-type': 'application/octet-stream' },
    'bytes',
  ),
  served('an encoded percent sign', '/assets/50%25.txt', {}, 'percent'),
  served('an encoded name', '/assets/a+b%20%C3%A9.txt', {}, 'named'),
  served('a link inside the directory', '/assets/inside.txt', { 'content-length': '10' }, whole),
  served('a query makes no difference', '/assets/a.txt?v=../../x#'.replace('#', ''), { etag: ETAG }, whole),
  served(
    'a large file',
    '/assets/large.bin',
    {
      'content-length': String(LARGE),
      'content-type': 'application/octet-stream',
      'transfer-encoding': undefined,
    },
    'x'.repeat(LARGE),
  ),
  {
    ...served('HEAD', '/assets/a.txt', { 'content-length': '10', etag: ETAG, 'last-modified': DATE }, ''),
    request: { method: 'HEAD', path: '/assets/a.txt' },
  },
  {
    ...served('HEAD of a large file', '/assets/large.bin', { 'content-length': String(LARGE) }, ''),
    request: { method: 'HEAD', path: '/assets/large.bin' },
  },
  {
    ...missing('HEAD of a missing file', '/assets/nope'),
    request: { method: 'HEAD', path: '/assets/nope' },
    headers: {},
    body: '',
  },
  {
    name: 'another method',
    app: site,
    request: { method: 'POST', path: '/assets/a.txt' },
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    name: 'middleware runs around files',
    app: () => stamped,
    request: { path: '/assets/a.txt' },
    status: 200,
    headers: { 'x-around': '/assets/a.txt', 'x-powered-by': 'fw', etag: ETAG },
    body: whole,
  },
  {
    name: 'a queued field replaces one of the file',
    app: () =>
      new App()
        .use((ctx, next) => {
          ctx.header('Cache-Control', 'private');
          return next();
        })
        .serveStatic('/assets', dir, { cacheControl: 'public' }),
    request: { path: '/assets/a.txt' },
    status: 200,
    headers: { 'cache-control': 'private' },
    body: whole,
  },
  {
    name: 'a route wins over a file',
    app: () => site().get('/assets/a.txt', () => 'route'),
    request: { path: '/assets/a.txt' },
    status: 200,
    body: 'route',
  },
  {
    name: 'the root as prefix',
    app: () => new App().serveStatic('/', dir).get('/', () => 'home'),
    request: { path: '/css/site.css' },
    status: 200,
    body: 'p{}',
  },
  {
    name: 'under a mounted App',
    app: () => new App().route('/orgs/:org', new App<'/orgs/:org'>().serveStatic('/files', dir)),
    request: { path: '/orgs/7/files/css/site.css' },
    status: 200,
    body: 'p{}',
  },
  {
    ...missing('an encoded slash under a mounted App', '/orgs/7/files/css%2Fsite.css'),
    app: () => new App().route('/orgs/:org', new App<'/orgs/:org'>().serveStatic('/files', dir)),
  },
  {
    name: 'compression() makes the tag weak',
    app: () => new App().use(compression({ minSize: 0 })).serveStatic('/assets', dir),
    request: { path: '/assets/a.txt', headers: { 'Accept-Encoding': 'gzip' } },
    status: 200,
    headers: { 'content-encoding': 'gzip', etag: `W/${ETAG}`, vary: 'Accept-Encoding' },
  },
  ...conditions,
  ...ranges,
  ...escapes,
  ...precompressed,
];

const pages = () => new App().serveSpa(dir, 'index.html');
const PAGE = '<p>index</p>';
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const page = (name: string, path: string, headers: Record<string, string> = {}, app = pages): Case => ({
  name,
  app,
  request: { path, headers },
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    etag: `"12-${SECONDS}"`,
    vary: 'Accept-Encoding, Accept',
  },
  body: PAGE,
});

const noPage = (name: string, request: Case['request'], app = pages, status = 404): Case => ({
  name,
  app,
  request,
  status,
  headers: { 'content-type': 'application/json', etag: undefined },
});

const withApi = () =>
  new App()
    .serveSpa(dir, 'index.html')
    .get('/api/users', () => ['Ada'])
    .get('/api/gone', (ctx) => ctx.status(404).json({ gone: true }))
    .post('/form', () => 'posted')
    .serveStatic('/assets', join(dir, 'css'));

export const singlePages: Case[] = [
  page('the root', '/', { Accept: HTML }),
  page('a path of the client', '/users/7', { Accept: HTML }),
  page('a path with a slash at its end', '/users/', { Accept: HTML }),
  page('a missing Accept', '/users/7'),
  page('Accept: */*', '/users/7', { Accept: '*/*' }),
  page('Accept: text/*', '/users/7', { Accept: 'text/*;q=0.1' }),
  page('a directory', '/css', { Accept: HTML }),
  page('an encoded slash', '/notes/a%2Fb', { Accept: HTML }),
  page('what looks like a way out', '/..%2fsecret.txt', { Accept: HTML }),
  page('a link out of the directory', '/escape.txt', { Accept: HTML }),
  page('a dotfile', '/.env', { Accept: HTML }),
  {
    ...page('the condition of the page', '/users/7', { 'If-None-Match': `"12-${SECONDS}"` }),
    status: 304,
    headers: { etag: `"12-${SECONDS}"`, 'cache-control': 'no-cache' },
    body: '',
  },
  {
    ...page('HEAD', '/users/7'),
    request: { method: 'HEAD', path: '/users/7' },
    body: '',
  },
  {
    name: 'a file of the directory',
    app: pages,
    request: { path: '/css/site.css', headers: { Accept: 'text/css' } },
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': undefined,
      vary: 'Accept-Encoding',
    },
    body: 'p{}',
  },
  {
    name: 'the page under its own name',
    app: () => new App().serveSpa(dir, 'index.html', { cacheControl: 'public, max-age=31536000, immutable' }),
    request: { path: '/index.html' },
    status: 200,
    headers: { 'cache-control': 'no-cache' },
    body: PAGE,
  },
  {
    name: 'Cache-Control of the files',
    app: () => new App().serveSpa(dir, 'index.html', { cacheControl: 'public, max-age=31536000, immutable' }),
    request: { path: '/css/site.css' },
    status: 200,
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  },
  {
    ...page('Cache-Control of the page, by a function', '/x', {}, () =>
      new App().serveSpa(dir, 'index.html', { cacheControl: (path) => `max-age=1, x="${path}"` }),
    ),
    headers: { 'cache-control': 'max-age=1, x="index.html"' },
  },
  {
    ...noPage('a client that takes no HTML', { path: '/users/7', headers: { Accept: 'application/json' } }),
    headers: { vary: 'Accept' },
    body: wireError('NotFound', 'no route for GET /users/7'),
  },
  noPage('a client that refuses HTML', { path: '/x', headers: { Accept: '*/*, text/html;q=0' } }),
  noPage('POST', { method: 'POST', path: '/users/7', headers: { Accept: HTML } }),
  noPage('DELETE', { method: 'DELETE', path: '/index.html', headers: { Accept: HTML } }),
  noPage('OPTIONS', { method: 'OPTIONS', path: '/users/7', headers: { Accept: HTML } }),
  noPage('a path of another method', { path: '/form', headers: { Accept: HTML } }, withApi, 405),
  noPage('a miss under static files', { path: '/assets/x.css', headers: { Accept: HTML } }, withApi),
  noPage('static files with a slash alone', { path: '/assets/', headers: { Accept: HTML } }, withApi),
  page('the prefix of static files', '/assets', { Accept: HTML }, withApi),
  {
    name: 'a route wins over the page',
    app: withApi,
    request: { path: '/api/users', headers: { Accept: HTML } },
    status: 200,
    body: ['Ada'],
  },
  {
    name: 'a 404 of a handler passes through',
    app: withApi,
    request: { path: '/api/gone', headers: { Accept: HTML } },
    status: 404,
    body: { gone: true },
  },
  page('under a mounted App', '/admin/users', {}, () => new App().route('/admin', pages())),
  page('the prefix of a mounted App', '/admin', {}, () => new App().route('/admin', pages())),
  page('under a prefix with a parameter', '/orgs/7/x', {}, () => new App().route('/orgs/:org', pages())),
  {
    name: 'a file under a prefix with a parameter',
    app: () => new App().route('/orgs/:org', pages()),
    request: { path: '/orgs/css/css/site.css' },
    status: 200,
    body: 'p{}',
  },
  noPage('outside of the mounted App', { path: '/x', headers: { Accept: HTML } }, () =>
    new App().route('/admin', pages()),
  ),
  page('around a mounted App', '/api/nope', {}, () =>
    pages().route(
      '/api',
      new App().get('/x', () => 'x'),
    ),
  ),
  {
    name: 'a mounted App that answers its own misses',
    app: () =>
      pages().route(
        '/api',
        new App().notFound((ctx) => ctx.json({ no: ctx.req.path })),
      ),
    request: { path: '/api/nope', headers: { Accept: HTML } },
    status: 404,
    body: { no: '/api/nope' },
  },
  {
    name: 'notFound of the same App, for a client that takes no HTML',
    app: () => pages().notFound((ctx) => ctx.text('none')),
    request: { path: '/nope', headers: { Accept: 'image/png' } },
    status: 404,
    body: 'none',
  },
  page('before notFound of the same App', '/nope', {}, () => pages().notFound(() => 'none')),
];
