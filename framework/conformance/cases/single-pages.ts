// Cases: the fallback page of a single-page application.
import { join } from 'node:path';
import { App } from '../../app/app.js';
import { type Case, wireError } from '../case.js';
import { dir, SECONDS } from './static-site.js';

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
