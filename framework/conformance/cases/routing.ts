// Cases: which route answers a path and a method.
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import { type Case, wireError } from '../case.js';

/** Answers with the name of the route and its parameters. */
function named(name: string) {
  return (ctx: Context) => ctx.json({ route: name, params: ctx.req.params() });
}

function users(): App {
  return new App()
    .get('/users/:id', named('param'))
    .get('/users/me', named('static'))
    .get('/u/:id/y', named('deep param'))
    .get('/u/me/x', named('deep static'))
    .get('/files/*path', named('rest'))
    .get('/files/readme', named('file'))
    .get('/', named('root'))
    .post('/users', named('create'));
}

const get = (name: string, path: string, route: string, params: object = {}): Case => ({
  name,
  app: users,
  request: { path },
  status: 200,
  body: { route, params },
});

const missing = (name: string, path: string): Case => ({
  name,
  app: users,
  request: { path },
  status: 404,
  body: wireError('NotFound', `no route for GET ${path}`),
});

function methods(): App {
  return new App()
    .get('/it', (ctx) => ctx.text(`get as ${ctx.req.method}`))
    .post('/it', () => 'post')
    .all('/any', (ctx) => `any as ${ctx.req.method}`)
    .get('/any', () => 'get')
    .all('/under/*rest', (ctx) => `any as ${ctx.req.method} of ${ctx.req.param('rest')}`)
    .get('/under/*rest', (ctx) => `get of ${ctx.req.param('rest')}`)
    .options('/own', () => 'own options');
}

const method = (
  name: string,
  verb: string,
  path: string,
  rest: Omit<Case, 'name' | 'app' | 'request'>,
): Case => ({
  name,
  app: methods,
  request: { method: verb, path },
  ...rest,
});

export const routing: Case[] = [
  get('root', '/', 'root'),
  get('a parameter takes one segment', '/users/7', 'param', { id: '7' }),
  get('static wins over a parameter registered before', '/users/me', 'static'),
  get('a longer segment is not a static match', '/users/mel', 'param', { id: 'mel' }),
  get('static branch', '/u/me/x', 'deep static'),
  get('backtracks from the static branch', '/u/me/y', 'deep param', { id: 'me' }),
  get('the rest holds slashes', '/files/a/b.txt', 'rest', { path: 'a/b.txt' }),
  get('static wins over the rest', '/files/readme', 'file'),
  get('the rest may start like a static route', '/files/readme/x', 'rest', { path: 'readme/x' }),
  missing('the rest is not empty', '/files/'),
  missing('a trailing slash is significant', '/users/7/'),
  missing('case is significant', '/Users/7'),
  missing('empty segments are not merged', '/users//7'),
  missing('a parameter is not empty', '/users/'),
  missing('a prefix is not a match', '/user'),
  method('HEAD is answered from GET without a body', 'HEAD', '/it', {
    status: 200,
    body: '',
    headers: { 'content-length': '11', 'content-type': 'text/plain; charset=utf-8' },
  }),
  method('another method is 405 with Allow', 'DELETE', '/it', {
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS, POST' },
    body: wireError('MethodNotAllowed', 'DELETE is not allowed here; use GET, HEAD, OPTIONS, POST'),
  }),
  method('OPTIONS without a route is 204 with Allow', 'OPTIONS', '/it', {
    status: 204,
    headers: { allow: 'GET, HEAD, OPTIONS, POST' },
    body: '',
  }),
  method('OPTIONS of an unknown path is 404', 'OPTIONS', '/nope', { status: 404 }),
  method('an OPTIONS route answers itself', 'OPTIONS', '/own', { status: 200, body: 'own options' }),
  method('all answers any method', 'PATCH', '/any', { status: 200, body: 'any as PATCH' }),
  method('all answers methods that have no registration of their own', 'PROPFIND', '/any', {
    status: 200,
    body: 'any as PROPFIND',
  }),
  method('a method wins over all', 'GET', '/any', { status: 200, body: 'get' }),
  method('a method wins over all of a rest parameter', 'GET', '/under/a/b', {
    status: 200,
    body: 'get of a/b',
  }),
  method('HEAD too', 'HEAD', '/under/a/b', { status: 200, body: '', headers: { 'content-length': '10' } }),
  method('all of a rest answers the others', 'POST', '/under/a/b', {
    status: 200,
    body: 'any as POST of a/b',
  }),
];
