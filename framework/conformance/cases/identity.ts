// Who may call what: guards see the same path and the same credentials on every way into the App.
import { apiKey, StaticKeys } from '../../auth/api-key/index.js';
import { Jwt } from '../../auth/jwt/index.js';
import { App, authenticate } from '../../index.js';
import { RpcRegistry } from '../../rpc/index.js';
import type { Case, SentRequest } from '../case.js';
import { wireError } from '../case.js';

const jwt = Jwt.hs256('a secret of at least 32 bytes, really').expiresIn(600);
const store = new StaticKeys().withScopes('machine-key', 'machine', ['orders:read']);
const bearer = (scope = '') => ({ authorization: `Bearer ${jwt.sign({ sub: 'ada', scope })}` });
const key = { 'x-api-key': 'machine-key' };
const refused = wireError('Unauthorized', 'authentication is required');
const challenge = { 'www-authenticate': 'Bearer, ApiKey' };

function app(): App {
  const rpc = new RpcRegistry().requireAuth({ except: ['open'] });
  rpc.query('open', () => 'open');
  rpc.query('me', (_: unknown, { ctx }) => ctx.requireAuth().id ?? '');
  const admin = new App()
    .requireAuth({ scopes: ['admin'] })
    .get('/', () => 'admin')
    .get('/users/:id', () => 'user');
  return new App()
    .use(authenticate(jwt.optional().build(), apiKey({ store, optional: true })))
    .requireAuth({ except: ['/health', 'POST /sign-in', '/files/*', 'POST /rpc', '/api/open'] })
    .get('/health', () => 'ok')
    .post('/sign-in', () => 'token')
    .get('/sign-in', () => 'page')
    .get('/files/*path', () => 'file')
    .get('/me', (ctx) => ctx.requireAuth())
    .get('/orders', (ctx) => ctx.requireScope('orders:read').id ?? '')
    .all('/any', () => 'any')
    .route('/admin', admin)
    .mount('/legacy', () => new Response('legacy'))
    .mountRpc('/rpc', rpc)
    .mountRest('/api', rpc);
}

const refusals: readonly (readonly [string, SentRequest])[] = [
  ['a guarded route', { path: '/me' }],
  ['HEAD of a guarded route', { path: '/me', method: 'HEAD' }],
  ['another method of an excepted route', { path: '/sign-in' }],
  ['any method of a guarded route', { path: '/any', method: 'DELETE' }],
  ['a mounted App', { path: '/admin' }],
  ['a route of a mounted App', { path: '/admin/users/1' }],
  ['a mounted handler', { path: '/legacy/x' }],
  ['a guarded path that is encoded', { path: '/%6de' }],
  ['a guarded path with a query', { path: '/me?x=/health' }],
  ['a path of REST', { path: '/api/me' }],
  ['the scheme Basic', { path: '/me', headers: { authorization: 'Basic YTpi' } }],
];

const others: readonly Case[] = [
  {
    name: 'a guard says why an optional method refused: a key',
    app,
    request: { path: '/me', headers: { 'x-api-key': 'wrong' } },
    status: 401,
    headers: { 'www-authenticate': 'ApiKey, Bearer' },
    body: wireError('Unauthorized', 'the API key is not valid'),
  },
  {
    name: 'a guard says why an optional method refused: a token',
    app,
    request: { path: '/orders', headers: { authorization: `Bearer ${jwt.sign({ sub: 'ada', exp: 1 })}` } },
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token", ApiKey' },
    body: wireError('Unauthorized', 'the token has expired'),
  },
  {
    name: 'an open route takes no notice of wrong credentials',
    app,
    request: { path: '/health', headers: { 'x-api-key': 'wrong', authorization: 'Bearer x.y.z' } },
    status: 200,
    body: 'ok',
  },
  { name: 'an excepted route is open', app, request: { path: '/health' }, status: 200, body: 'ok' },
  {
    name: 'HEAD of an excepted route is open',
    app,
    request: { path: '/health', method: 'HEAD' },
    status: 200,
  },
  { name: 'an excepted prefix is open', app, request: { path: '/files/a/b' }, status: 200, body: 'file' },
  { name: 'an excepted method is open', app, request: { path: '/sign-in', method: 'POST' }, status: 200 },
  {
    name: 'dot segments do not lead out of an excepted prefix',
    app,
    request: { path: '/files/%2e%2e/me' },
    status: 400,
    socketsOnly: 'a web Request resolves dot segments',
  },
  {
    name: 'an encoded slash stays inside of an excepted prefix',
    app,
    request: { path: '/files/..%2fme' },
    status: 200,
    body: 'file',
  },
  { name: 'a double slash is another path', app, request: { path: '//me' }, status: 404 },
  { name: 'a path without a route is 404', app, request: { path: '/nothing' }, status: 404 },
  { name: 'another method is 405', app, request: { path: '/me', method: 'PUT' }, status: 405 },
  {
    name: 'a token is accepted',
    app,
    request: { path: '/me', headers: bearer('a b') },
    status: 200,
    body: { id: 'ada', scopes: ['a', 'b'] },
  },
  {
    name: 'a key is accepted',
    app,
    request: { path: '/orders', headers: key },
    status: 200,
    body: 'machine',
  },
  {
    name: 'the token goes before the key',
    app,
    request: { path: '/me', headers: { ...key, ...bearer() } },
    status: 200,
    body: { id: 'ada', scopes: [] },
  },
  {
    name: 'a missing scope is 403',
    app,
    request: { path: '/orders', headers: bearer() },
    status: 403,
    body: wireError('Forbidden', `this needs the scope 'orders:read'`),
  },
  {
    name: 'scopes of a mounted App',
    app,
    request: { path: '/admin/users/1', headers: bearer('x') },
    status: 403,
  },
  {
    name: 'scopes of a mounted App that are there',
    app,
    request: { path: '/admin', headers: bearer('admin') },
    status: 200,
    body: 'admin',
  },
  { name: 'an open procedure over REST', app, request: { path: '/api/open' }, status: 200, body: '"open"' },
  {
    name: 'a batch of an open and a guarded procedure',
    app,
    request: {
      path: '/rpc',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"jsonrpc":"2.0","method":"open","id":1},{"jsonrpc":"2.0","method":"me","id":2}]',
    },
    status: 200,
    body: [
      { jsonrpc: '2.0', result: 'open', id: 1 },
      {
        jsonrpc: '2.0',
        error: {
          code: -32001,
          message: 'authentication is required',
          data: { error: 'Unauthorized', status: 401 },
        },
        id: 2,
      },
    ],
  },
];

export const identity: Case[] = [
  ...refusals.map(
    ([name, request]): Case => ({
      name: `401 for ${name}`,
      app,
      request,
      status: 401,
      headers: challenge,
      ...(request.method === 'HEAD'
        ? {}
        : {
            body: refused,
          }),
    }),
  ),
  ...others,
];
