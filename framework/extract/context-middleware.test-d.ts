// Types of middleware that adds to what handlers get.
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { requireAuth } from '../auth/principal.js';
import type { Context } from '../context/context.js';
import type { Next } from '../context/handlers.js';
import { FwError } from '../http/errors.js';
import { cors } from '../middleware/cors.js';
import { type AnyMiddleware, type ContextMiddleware, createMiddleware } from './context-middleware.js';
import { Path } from './path.js';
import { route } from './route.js';

interface User {
  readonly name: string;
}

const find = async (_: Context): Promise<User | undefined> => ({ name: 'ada' });
const authed = createMiddleware(async ({ ctx }, next) => {
  const user = await find(ctx);
  if (user === undefined) throw FwError.unauthorized('sign in');
  return next({ user });
});
const admin = createMiddleware({ use: [authed] }, async ({ user }, next) => {
  expectTypeOf(user).toEqualTypeOf<User>();
  return next({ isAdmin: user.name === 'ada' });
});
const timed = createMiddleware(async (_, next) => await next());

test('the middleware is typed with what it adds, and what the middleware that it uses adds', () => {
  expectTypeOf(authed).toEqualTypeOf<ContextMiddleware<{ user: User }>>();
  expectTypeOf<NonNullable<(typeof admin)['~added']>['user']>().toEqualTypeOf<User>();
});

test('handlers of routes get it last', () => {
  const app = new App();
  app.get(route('/me', { use: [authed, timed] }), (ctx, call) => {
    expectTypeOf(ctx).toEqualTypeOf<Context<never>>();
    expectTypeOf(call.user).toEqualTypeOf<User>();
    expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>();
    return call.user.name;
  });
  app.get(
    route('/items/:id', { use: [admin] }),
    Path(z.object({ id: z.coerce.number() })),
    ({ id }, call) => {
      expectTypeOf(id).toEqualTypeOf<number>();
      expectTypeOf(call.isAdmin).toEqualTypeOf<boolean>();
      expectTypeOf(call.user).toEqualTypeOf<User>();
      expectTypeOf(call.ctx.req.param('id')).toEqualTypeOf<string>();
      return id;
    },
  );
  // @ts-expect-error: no middleware adds it.
  app.get(route('/other', { use: [timed] }), (_, { user }) => user);
  // @ts-expect-error: without middleware, a handler gets the context alone.
  app.get('/plain', (_, { user }) => user);
  app.get(route('/summary', { summary: 'A summary.' }), (ctx) => {
    expectTypeOf(ctx.req.path).toEqualTypeOf<string>();
    return '';
  });
});

test('middleware of an App runs around one route, and adds nothing', () => {
  const app = new App();
  app.get(route('/me', { use: [cors(), authed, (_ctx: Context, next: Next) => next()] }), (ctx, call) => {
    expectTypeOf(ctx).toEqualTypeOf<Context<never>>();
    expectTypeOf(call.user).toEqualTypeOf<User>();
    return call.user.name;
  });
  app.get(route('/items/:id', { use: [cors()] }), (ctx) => ctx.req.param('id'));
  app.get(route('/written/:id', { use: [(ctx, next) => next(ctx), cors()] }), (ctx) => ctx.req.param('id'));
  const steps: AnyMiddleware[] = [cors(), timed];
  app.get(route('/list/:id', { use: steps }), Path('id', z.string()), (id, { ctx }) => [id, ctx.req.path]);
  // @ts-expect-error: nothing adds it.
  app.get(route('/other', { use: [cors()] }), (_, { user }) => user);
  // @ts-expect-error: procedures have no response that middleware of an App could change.
  createMiddleware({ use: [cors()] }, async (_, next) => next());
});

test('an App takes it too, and its handlers get nothing of it', () => {
  new App()
    .use(authed)
    .useMiddleware(requireAuth())
    // @ts-expect-error: what it adds is for routes and procedures that name it.
    .get('/', (_, { user }) => user);
});

test('a middleware that does not return what next returns does not compile', () => {
  // @ts-expect-error: nothing is returned.
  createMiddleware(async (_, next) => {
    await next();
  });
});
