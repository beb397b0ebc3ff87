// Cases: Apps under a prefix, with their own middleware, misses and errors.
import { App } from '../../app/app.js';
import { FwError } from '../../http/errors.js';
import { type Case, wireError } from '../case.js';

function admin(): App {
  const users = new App<'/admin/orgs/:org'>()
    .use(async (ctx, next) => {
      ctx.header('X-Org', ctx.req.param('org'));
      return next();
    })
    .get('/users/:id', (ctx) => ctx.text(`${ctx.req.param('org')}/${ctx.req.param('id')}`));
  const inner = new App<'/admin'>()
    .use((ctx, next) => {
      if (ctx.req.header('x-key') !== 'secret') throw FwError.unauthorized('no key');
      return next();
    })
    .notFound((ctx) => ctx.text(`admin has no ${ctx.req.path}`))
    .onError((error, ctx) => ctx.status((error as FwError).status).text(`admin: ${(error as Error).message}`))
    .get('/', () => 'admin home')
    .get('/boom', () => {
      throw FwError.badRequest('boom');
    })
    .route('/orgs/:org', users);
  return new App()
    .use(async (_ctx, next) => {
      const response = await next();
      response.headers.set('X-Outer', 'yes');
      return response;
    })
    .get('/', () => 'home')
    .route('/admin', inner);
}

const key = { 'X-Key': 'secret' };

function named(): App {
  const users = new App().get('/:id', (ctx) => ctx.text('user'));
  return new App()
    .use(async (ctx, next) => {
      const response = await next();
      response.headers.set('X-Route', String(ctx.routePath()));
      return response;
    })
    .notFound((ctx) => ctx.text('nothing'))
    .route('/users', users);
}

export const mounting: Case[] = [
  {
    name: 'the pattern of the route is known to middleware, with the prefix',
    app: named,
    request: { path: '/users/7' },
    status: 200,
    body: 'user',
    headers: { 'x-route': '/users/:id' },
  },
  {
    name: 'there is no pattern if no route matches',
    app: named,
    request: { path: '/7' },
    status: 404,
    body: 'nothing',
    headers: { 'x-route': 'undefined' },
  },
  {
    name: "the mounted App's root is the prefix",
    app: admin,
    request: { path: '/admin', headers: key },
    status: 200,
    body: 'admin home',
    headers: { 'x-outer': 'yes' },
  },
  {
    name: 'parameters of prefix and path, middleware of all levels',
    app: admin,
    request: { path: '/admin/orgs/acme/users/7', headers: key },
    status: 200,
    body: 'acme/7',
    headers: { 'x-org': 'acme', 'x-outer': 'yes' },
  },
  {
    name: 'its middleware guards its misses',
    app: admin,
    request: { path: '/admin/nope' },
    status: 401,
    body: 'admin: no key',
  },
  {
    name: 'its notFound answers its misses',
    app: admin,
    request: { path: '/admin/nope', headers: key },
    status: 404,
    body: 'admin has no /admin/nope',
  },
  {
    name: 'its middleware guards the slash behind the prefix',
    app: admin,
    request: { path: '/admin/' },
    status: 401,
  },
  {
    name: 'its onError answers its errors',
    app: admin,
    request: { path: '/admin/boom', headers: key },
    status: 400,
    body: 'admin: boom',
  },
  {
    name: 'a parameter of the prefix may have any name',
    app: () =>
      new App().route(
        '/:rest',
        new App<'/:rest'>().get('/x', (ctx) => ctx.req.param('rest')),
      ),
    request: { path: '/y/x' },
    status: 200,
    body: 'y',
  },
  {
    name: 'a prefix ends at a segment',
    app: admin,
    request: { path: '/administrator' },
    status: 404,
    body: wireError('NotFound', 'no route for GET /administrator'),
  },
  {
    name: 'its middleware stays inside',
    app: admin,
    request: { path: '/' },
    status: 200,
    body: 'home',
    headers: { 'x-org': undefined },
  },
  {
    name: '405 inside a mounted App is guarded too',
    app: admin,
    request: { path: '/admin', method: 'POST' },
    status: 401,
  },
];
