// Cases: static files: what is served, with which fields, and around what.
import { App } from '../../app/app.js';
import { compression } from '../../middleware/compression/index.js';
import type { Case } from '../case.js';
import { DATE, dir, ETAG, LARGE, missing, SECONDS, site, whole } from './static-site.js';

const served = (name: string, path: string, headers: Case['headers'], body: string, sent = {}): Case => ({
  name,
  app: site,
  request: { path, headers: sent },
  status: 200,
  headers: headers ?? {},
  body,
});

const stamped = () =>
  new App()
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
  served('a link out and one back in: the real path decides', '/assets/up/public/a.txt', {}, whole),
  served('a query makes no difference', '/assets/a.txt?v=../../x', { etag: ETAG }, whole),
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
    app: stamped,
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
];
