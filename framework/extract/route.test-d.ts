// What the compiler holds the handlers of described routes to.
import { type } from 'arktype';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { App, Context, type JsonResponse, Path, Query, route, Valid } from '../index.js';

const User = z.object({ id: z.string(), name: z.string() });
const Problem = z.object({ reason: z.enum(['taken', 'banned']) });
const ada = { id: '7', name: 'Ada' };
const app = new App();

describe('a route with one schema', () => {
  it('takes its input, as a value or by ctx.json, promised or not', () => {
    app.get(route('/users/:id', { returns: User }), () => ada);
    app.get(route('/users/:id', { returns: User }), async (ctx) => ({ ...ada, id: ctx.req.param('id') }));
    app.get(route('/users/:id', { returns: User }), (ctx) => ctx.json(ada));
    app.get(route('/users', { returns: z.array(User) }), Query(User), (query) => [query]);
    app.get(route('/at', { returns: z.object({ at: z.date() }) }), () => ({ at: new Date() }));
    app.get(route('/ark', { returns: type({ id: 'string' }) }), () => ({ id: '1' }));
  });

  it('refuses everything else', () => {
    // @ts-expect-error a field is missing
    app.get(route('/users/:id', { returns: User }), () => ({ id: '7' }));
    // @ts-expect-error a field has another type
    app.get(route('/users/:id', { returns: User }), async () => ({ id: 7, name: 'Ada' }));
    // @ts-expect-error text is not JSON
    app.get(route('/users/:id', { returns: User }), (ctx) => ctx.text('Ada'));
    // @ts-expect-error the status is not declared
    app.get(route('/users/:id', { returns: User }), (ctx) => ctx.json(ada, 201));
    // @ts-expect-error nothing is returned
    app.get(route('/users/:id', { returns: User }), () => {});
    // @ts-expect-error the same behind extractors
    app.get(route('/users/:id', { returns: User }), Path('id', z.string()), (id) => ({ id }));
    // @ts-expect-error a web Response cannot be checked
    app.get(route('/users/:id', { returns: User }), () => Response.json(ada));
  });

  it('types the parameters of its path', () => {
    new App<'/orgs/:org'>().get(route('/users/:id', { returns: User }), Context, (ctx) => {
      expectTypeOf(ctx).toEqualTypeOf<Context<'org' | 'id'>>();
      // @ts-expect-error the path has no such parameter
      return { id: ctx.req.param('name'), name: '' };
    });
    // @ts-expect-error the path has no parameter `name`
    app.get(route('/users/:id', { returns: User }), Path('name', z.string()), () => ada);
  });
});

describe('a route with several answers', () => {
  const path = route('/users', { returns: { 201: User, 409: Problem, 204: null } });

  it('takes the body of each status', () => {
    app.post(path, Valid(User), Context, (user, ctx) => {
      if (user.name === '') return ctx.json({ reason: 'taken' }, 409);
      return ctx.json(user, 201);
    });
    app.post(route('/one', { returns: { 201: User, 409: Problem } }), () => ada);
    app.delete(route('/two', { returns: { 204: null } }), () => {});
    app.delete(route('/two', { returns: { 204: null } }), async () => undefined);
    app.get(route('/csv', { returns: { 200: { contentType: 'text/csv' } } }), () => 'a,b');
    app.get(route('/csv', { returns: { 200: { contentType: 'text/csv' } } }), (ctx) => ctx.text('a,b'));
    app.get(route('/head', { returns: { 200: { body: User, headers: { etag: z.string() } } } }), () => ada);
  });

  it('refuses a body with the status of another', () => {
    // @ts-expect-error the body of 409
    app.post(path, (ctx) => ctx.json({ reason: 'taken' }, 201));
    // @ts-expect-error not one of the reasons
    app.post(path, (ctx) => ctx.json({ reason: 'busy' }, 409));
    // @ts-expect-error 200 is not declared
    app.post(path, (ctx) => ctx.json(ada));
    // @ts-expect-error 201 and 204 are successes, so a plain value has no status
    app.post(path, () => ada);
    // @ts-expect-error a body where none is declared
    app.delete(route('/two', { returns: { 204: null } }), () => ada);
  });
});

describe('a route without answers', () => {
  it('takes what every route takes', () => {
    app.get(route('/users/:id', { summary: 'One user' }), (ctx) => ctx.text(ctx.req.param('id')));
    app.get(route('/users/:id', { summary: 'One user' }), () => Response.json(ada));
  });

  it('refuses options that do not exist, and keeps the known ones to their types', () => {
    // @ts-expect-error no such option
    route('/', { sumary: 'One user' });
    // @ts-expect-error a list
    route('/', { tags: 'users' });
    // @ts-expect-error a schema, or statuses
    route('/', { returns: 'User' });
  });
});

it('ctx.json has the body and the status in its type', () => {
  app.get('/', (ctx) => {
    expectTypeOf(ctx.json(ada)).toEqualTypeOf<JsonResponse<typeof ada, 200>>();
    expectTypeOf(ctx.json(1, 201)).toEqualTypeOf<JsonResponse<1, 201>>();
    return ctx.json(ada);
  });
});

it('onError with a schema is held to it', () => {
  app.onError(Problem, (_error, ctx) => ctx.json({ reason: 'banned' }));
  app.onError(Problem, () => ({ reason: 'taken' }));
  app.onError((error) => String(error));
  // @ts-expect-error not a body of the schema
  app.onError(Problem, (_error, ctx) => ctx.json({ why: 1 }));
});

it('a literal that is returned fits the schema', () => {
  app.get(route('/a', { returns: Problem }), () => ({ reason: 'taken' }));
  app.get(route('/a', { returns: z.array(Problem) }), async () => [{ reason: 'taken' }]);
  app.get(route('/a/:id', { returns: Problem }), Path('id', z.string()), (_id) => ({ reason: 'taken' }));
  app.get(route('/a', { returns: Problem }), (ctx) => {
    if (ctx.req.path === '/b') return { reason: 'banned' };
    return ctx.json({ reason: 'taken' });
  });
});

it('literals, lists and nested objects of ctx.json fit the schema', () => {
  const Order = z.object({
    state: z.enum(['open', 'paid']),
    items: z.array(z.object({ sku: z.string(), at: z.date().optional() })),
    place: z.tuple([z.number(), z.number()]).nullable(),
    extra: z.unknown(),
  });
  const items = [{ sku: 'a' }];
  app.get(route('/orders/:id', { returns: Order }), (ctx) =>
    ctx.json({ state: 'open', items, place: null, extra: new Date() }),
  );
  app.get(route('/orders', { returns: z.array(Order) }), (ctx) =>
    ctx.json([{ state: 'paid', items: [{ sku: 'a', at: new Date() }], place: [1, 2], extra: 1 }]),
  );
  app.get(route('/json', { returns: z.json() }), (ctx) => ctx.json({ a: [1, { b: null }] }));
  // @ts-expect-error a nested field has another type
  app.get(route('/', { returns: Order }), (c) => c.json({ state: 'open', items: [{}], place: null }));
});
