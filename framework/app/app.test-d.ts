import { assertType, describe, expectTypeOf, it } from 'vitest';
import { App, type Context, type Middleware } from '../index.js';

describe('path parameters', () => {
  it('param accepts only the names of the path', () => {
    new App().get('/orgs/:org/files/*path', (ctx) => {
      expectTypeOf(ctx.req.param).parameter(0).toEqualTypeOf<'org' | 'path'>();
      expectTypeOf(ctx.req.params()).toEqualTypeOf<{ org: string; path: string }>();
      // @ts-expect-error the path has no such parameter
      ctx.req.param('id');
      return ctx.req.param('org');
    });
  });

  it('a path without parameters has no names', () => {
    new App().get('/users', (ctx) => {
      // @ts-expect-error the path has no parameters
      ctx.req.param('id');
    });
  });

  it('a mounted App knows the parameters of its prefix', () => {
    const sub = new App<'/orgs/:org'>().get(
      '/users/:id',
      (ctx) => ctx.req.param('org') + ctx.req.param('id'),
    );
    new App().route('/orgs/:org', sub);
    // @ts-expect-error another prefix lacks the parameter
    new App().route('/teams/:team', sub);
  });

  it('a path that is not a literal allows any name', () => {
    const path: string = '/x/:y';
    new App().get(path, (ctx) => ctx.req.param('anything'));
  });

  it('a handler for any path is accepted everywhere, one for a parameter only if the path has it', () => {
    const any = (ctx: Context) => ctx.text(ctx.req.path);
    const one = (ctx: Context<'id'>) => ctx.text(ctx.req.param('id'));
    new App().get('/users/:id', any).get('/', any).get('/things/:id', one);
  });

  it('middleware may read any parameter', () => {
    assertType<Middleware>((ctx, next) => {
      ctx.req.param('id');
      return next();
    });
  });
});

describe('the request store', () => {
  it('holds strings unless declared otherwise', () => {
    new App().get('/', (ctx) => {
      ctx.set('a', 'text');
      // @ts-expect-error undeclared keys hold strings
      ctx.set('a', 1);
      expectTypeOf(ctx.get('a')).toEqualTypeOf<string | undefined>();
    });
  });
});
